//! Tells the compiler which CPython the extension is built for (`cfg(Py_3_12)` and so on).

fn main() {
    pyo3_build_config::use_pyo3_cfgs();
}
