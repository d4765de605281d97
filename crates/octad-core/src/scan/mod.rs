//! Byte kernels: safe functions over slices, with the instruction set chosen at run time.
//!
//! One of the two homes of `unsafe` (the other is `octad-py/src/cpython/`). Nothing here knows a
//! format: the kernels find bytes, copy runs and check UTF-8.
