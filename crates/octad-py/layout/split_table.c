/* What src/cpython/split_table.rs takes for granted, asked of the interpreter's own headers.
   Compiled by build.rs and linked into nothing. With HEADERS_ONLY it tells whether the headers are
   there at all. */
#define PY_SSIZE_T_CLEAN
#define Py_BUILD_CORE 1
#include <Python.h>
#include <stddef.h>
#include "internal/pycore_dict.h"

#ifndef HEADERS_ONLY

#define PLACE(type, field, place) \
    _Static_assert(offsetof(type, field) == (place), #type "." #field " stands elsewhere")
#define VALUE(expression, value) \
    _Static_assert((expression) == (value), #expression " is not " #value)

PLACE(PyDictObject, ma_used, 16);
PLACE(PyDictObject, ma_keys, 32);
PLACE(PyDictObject, ma_values, 40);

PLACE(PyDictKeysObject, dk_refcnt, 0);
PLACE(PyDictKeysObject, dk_log2_size, 8);
PLACE(PyDictKeysObject, dk_log2_index_bytes, 9);
PLACE(PyDictKeysObject, dk_kind, 10);
PLACE(PyDictKeysObject, dk_version, 12);
PLACE(PyDictKeysObject, dk_usable, 16);
PLACE(PyDictKeysObject, dk_nentries, 24);
PLACE(PyDictKeysObject, dk_indices, 32);
VALUE(sizeof(((PyDictKeysObject *)0)->dk_refcnt), 8);
VALUE(sizeof(((PyDictKeysObject *)0)->dk_usable), 8);
VALUE(sizeof(((PyDictKeysObject *)0)->dk_nentries), 8);

PLACE(PyDictUnicodeEntry, me_key, 0);
PLACE(PyDictUnicodeEntry, me_value, 8);
VALUE(sizeof(PyDictUnicodeEntry), 16);

VALUE(DICT_KEYS_UNICODE, 1);
VALUE(DICT_KEYS_SPLIT, 2);
VALUE(SHARED_KEYS_MAX_SIZE, 30);
VALUE(DKIX_EMPTY, -1);

#if PY_VERSION_HEX < 0x030d0000
PLACE(PyDictValues, values, 0);
#else
PLACE(PyDictValues, capacity, 0);
PLACE(PyDictValues, size, 1);
PLACE(PyDictValues, embedded, 2);
PLACE(PyDictValues, valid, 3);
PLACE(PyDictValues, values, 8);
#endif

#endif
