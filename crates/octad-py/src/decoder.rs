//! `Decoder`: the reading calls with options read once.

use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyType};
use pyo3::{PyTraverseError, PyVisit};

use crate::checking::{self, Most};
use crate::cpython::{self, Behind, DirectMethod, Obj, put_before_method};
use crate::options::{Call, Reading, contract_settings};
use crate::plan::{self, Plan};
use crate::reading;
use crate::view::Document;

/// Reads JSON with options that are read once.
///
/// Parameters:
///     type: what `loads` makes and `check` looks for; None for plain Python objects.
///     The reading options of `loads` and `parse`.
///
/// >>> import octad
/// >>> decoder = octad.json.Decoder(floats="decimal")
/// >>> decoder.loads(b"[2.50]")
/// [Decimal('2.50')]
/// >>> octad.json.Decoder(list[float]).loads(b"[2]")
/// [2.0]
#[pyclass(name = "Decoder", module = "octad.json", frozen)]
pub struct JsonDecoder {
    reading: Reading,
    settings: Option<Py<PyAny>>,
    plan: Option<Py<Plan>>,
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
        decoder.load(data)
    }
}

impl JsonDecoder {
    fn load(&self, data: &Bound<'_, PyAny>) -> PyResult<Obj> {
        match &self.plan {
            Some(plan) => cpython::attached(data.py(), || {
                reading::load_typed(data, plan.get(), &self.reading)
            }),
            None => reading::load_with(data, &self.reading),
        }
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
    #[pyo3(signature = (r#type=None, /, **options), text_signature = "(type=None, /, *, duplicates='last', surrogates='error', nan='error', comments=False, trailing_commas=False, floats='float', overflow='error', lazy_values=False, limits=None, settings=None, **options)")]
    fn new(
        r#type: Option<&Bound<'_, PyAny>>,
        options: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Self> {
        let (call, plan) = match r#type {
            Some(class) => {
                let settings = contract_settings(options)?;
                let plan = plan::for_type(class, settings.as_ref())?;
                (Call::Decoder, Some(plan.unbind()))
            }
            None => (Call::Parse, None),
        };
        Ok(Self {
            reading: Reading::from_keywords(options, call)?,
            settings: reading::settings_of(options)?,
            plan,
        })
    }

    /// Read a JSON text into Python objects: `octad.json.loads` with this type and these options.
    #[pyo3(signature = (data, /))]
    fn loads<'py>(&self, data: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        Ok(self.load(data)?.into_bound(data.py()))
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

    /// Find every problem of a JSON text: `octad.json.check` with this type and these options.
    #[pyo3(signature = (data, /, *, max_problems=Most::default()), text_signature = "($self, data, /, *, max_problems=100)")]
    fn check<'py>(
        &self,
        data: &Bound<'py, PyAny>,
        max_problems: Most,
    ) -> PyResult<Bound<'py, PyList>> {
        let plan = self.plan.as_ref().map(Py::get);
        checking::check_with(data, plan, max_problems.0, &self.reading)
    }

    /// `Decoder[Player]`, for annotations.
    #[classmethod]
    fn __class_getitem__<'py>(
        class: &Bound<'py, PyType>,
        item: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let alias = class.py().import("types")?.getattr("GenericAlias")?;
        alias.call1((class, item))
    }

    // Settings may hold a callable that reaches this decoder again. What it holds cannot be let go
    // of while others use it; the other objects of a cycle can.
    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        visit.call(&self.settings)?;
        visit.call(&self.plan)
    }
}
