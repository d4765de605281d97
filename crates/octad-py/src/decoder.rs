//! `Decoder`: the reading calls with options read once.

use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};
use pyo3::{PyTraverseError, PyVisit};

use crate::checking::{self, Most};
use crate::cpython::{Behind, DirectMethod, Obj, put_before_method};
use crate::options::{Call, Reading};
use crate::reading;
use crate::view::Document;

/// Reads JSON with options that are read once.
///
/// Parameters: the reading options of `loads` and `parse`.
///
/// >>> import octad
/// >>> decoder = octad.json.Decoder(floats="decimal")
/// >>> decoder.loads(b"[2.50]")
/// [Decimal('2.50')]
#[pyclass(name = "Decoder", module = "octad.json", frozen)]
pub struct JsonDecoder {
    reading: Reading,
    settings: Option<Py<PyAny>>,
}

/// Adds the class to the module.
///
/// # Errors
/// No memory.
pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<JsonDecoder>()?;
    put_before_method::<Loads>(module.py())?;
    put_before_method::<Parse>(module.py())
}

/// `Decoder.loads` of one argument.
struct Loads;

impl DirectMethod for Loads {
    type Owner = JsonDecoder;
    const NAME: &'static str = "loads";

    fn behind() -> &'static Behind {
        static BEHIND: Behind = Behind::new();
        &BEHIND
    }

    fn call(decoder: &JsonDecoder, data: &Bound<'_, PyAny>) -> PyResult<Obj> {
        reading::load_with(data, &decoder.reading)
    }
}

/// `Decoder.parse` of one argument.
struct Parse;

impl DirectMethod for Parse {
    type Owner = JsonDecoder;
    const NAME: &'static str = "parse";

    fn behind() -> &'static Behind {
        static BEHIND: Behind = Behind::new();
        &BEHIND
    }

    fn call(decoder: &JsonDecoder, data: &Bound<'_, PyAny>) -> PyResult<Obj> {
        let document = decoder.parse(data)?;
        Ok(Obj::take(Bound::new(data.py(), document)?.into_any()))
    }
}

#[pymethods]
impl JsonDecoder {
    #[new]
    #[pyo3(signature = (**options), text_signature = "(*, duplicates='last', surrogates='error', nan='error', comments=False, trailing_commas=False, floats='float', overflow='error', lazy_values=False, limits=None, settings=None)")]
    fn new(options: Option<&Bound<'_, PyDict>>) -> PyResult<Self> {
        let settings = reading::settings_of(options)?;
        Ok(Self {
            reading: Reading::from_keywords(options, Call::Parse)?,
            settings,
        })
    }

    /// Read a JSON text into plain Python objects: `octad.json.loads` with these options.
    #[pyo3(signature = (data, /))]
    fn loads<'py>(&self, data: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        Ok(reading::load_with(data, &self.reading)?.into_bound(data.py()))
    }

    /// Read a JSON text into a document: `octad.json.parse` with these options.
    #[pyo3(signature = (data, /))]
    fn parse(&self, data: &Bound<'_, PyAny>) -> PyResult<Document> {
        let settings = self
            .settings
            .as_ref()
            .map(|object| object.clone_ref(data.py()));
        reading::parse_with(data, self.reading.clone(), settings)
    }

    /// Find every problem of a JSON text: `octad.json.check` with these options.
    #[pyo3(signature = (data, /, *, max_problems=Most::default()), text_signature = "($self, data, /, *, max_problems=100)")]
    fn check<'py>(
        &self,
        data: &Bound<'py, PyAny>,
        max_problems: Most,
    ) -> PyResult<Bound<'py, PyList>> {
        checking::check_with(data, max_problems.0, &self.reading)
    }

    // Settings may hold a callable that reaches this decoder again. What it holds cannot be let go
    // of while others use it; the other objects of a cycle can.
    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        visit.call(&self.settings)
    }
}
