//! The registry of formats and what this build is made of, as Python sees them.

use octad_core::formats::{FORMATS, FormatId};
use octad_core::scan;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};

use crate::cpython;

/// The formats that have a module in Python.
const MODULES: &[FormatId] = &[FormatId::Json];

/// The rows of the registry, one dict a format that has a module.
#[pyfunction]
pub fn format_rows(py: Python<'_>) -> PyResult<Bound<'_, PyList>> {
    let rows = PyList::empty(py);
    for row in FORMATS.iter().filter(|row| MODULES.contains(&row.id)) {
        let fields = PyDict::new(py);
        fields.set_item("name", row.name)?;
        fields.set_item("extensions", row.extensions)?;
        fields.set_item("media_types", row.media_types)?;
        fields.set_item("binary", row.binary)?;
        fields.set_item("comments", row.comments)?;
        fields.set_item("standard", row.standard)?;
        rows.append(fields)?;
    }
    Ok(rows)
}

/// What this build is made of: version, instruction level, modes.
///
/// >>> import octad
/// >>> sorted(octad.build_info())
/// ['debug', 'gil', 'python', 'shared_keys', 'shared_keys_mode', 'simd', 'target', 'version']
#[pyfunction]
pub fn build_info(py: Python<'_>) -> PyResult<Bound<'_, PyDict>> {
    let info = PyDict::new(py);
    info.set_item("version", env!("CARGO_PKG_VERSION"))?;
    let python = py.version_info();
    info.set_item(
        "python",
        format!("{}.{}.{}", python.major, python.minor, python.patch),
    )?;
    let level = match scan::level() {
        scan::Level::Plain => "plain",
        scan::Level::Sse2 => "sse2",
        scan::Level::Avx2 => "avx2",
    };
    info.set_item("simd", level)?;
    info.set_item("shared_keys", cpython::shared_keys(py))?;
    info.set_item("shared_keys_mode", cpython::shared_keys_mode(py))?;
    info.set_item("gil", cfg!(not(Py_GIL_DISABLED)))?;
    info.set_item("debug", cfg!(debug_assertions))?;
    info.set_item(
        "target",
        format!("{}-{}", std::env::consts::ARCH, std::env::consts::OS),
    )?;
    Ok(info)
}

/// How often dicts were put on shared tables of keys since the module was loaded: `hits` and
/// `misses` (records of a shape that was not known), and the `tables` that are kept.
#[pyfunction]
pub fn shape_counts(py: Python<'_>) -> PyResult<Bound<'_, PyDict>> {
    let keys = cpython::Keys::take(py);
    let counts = keys.shapes.counts();
    keys.give_back(py);
    let told = PyDict::new(py);
    told.set_item("hits", counts.hits)?;
    told.set_item("misses", counts.misses)?;
    told.set_item("tables", counts.tables)?;
    Ok(told)
}
