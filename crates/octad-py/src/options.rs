//! Keyword arguments and `Settings` as the core's reading options.
//!
//! A call without options parses nothing. A keyword wins over the settings.

use std::cell::RefCell;

use octad_core::formats::json::{Duplicates, NanRead, ReadOptions};
use octad_core::limits::Limits;
use octad_core::text::escape::Surrogates;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyString};

/// What numbers with a fraction or exponent become.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Floats {
    /// float
    #[default]
    Float,
    /// decimal.Decimal, from the literal text
    Decimal,
}

/// How values become objects.
#[derive(Clone, Copy, Debug)]
pub struct Rules {
    /// What reals become.
    pub floats: Floats,
    /// Which of equal keys counts; with `Error` the reader may have seen to it already.
    pub duplicates: Duplicates,
    /// The most digits of one integer.
    pub digits: Option<u32>,
    /// A number beyond a double is an infinity.
    pub overflow_is_infinite: bool,
    /// The texts `NaN` and `Infinity` are decimals.
    pub named_decimals: bool,
    /// The cyclic collector waits while objects are made.
    pub hold_collector: bool,
}

/// How a text is read.
#[derive(Clone, Debug)]
pub struct Reading {
    /// For the reader.
    pub options: ReadOptions,
    /// What reals become.
    pub floats: Floats,
    /// Excerpts of the input may stand in errors.
    pub show_input: bool,
    /// The cyclic collector waits while objects are made.
    pub hold_collector: bool,
    /// The policy for equal keys was asked for.
    chose_duplicates: bool,
    /// Numbers that JSON has no literal for are written as texts.
    names_numbers: bool,
}

impl Default for Reading {
    fn default() -> Self {
        Self {
            options: ReadOptions::default(),
            floats: Floats::Float,
            show_input: true,
            hold_collector: true,
            chose_duplicates: false,
            names_numbers: false,
        }
    }
}

/// Which call the options are for: not every option fits every call.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Call {
    /// `loads` and `check`
    Load,
    /// `parse` and `open`
    Parse,
    /// `loads` and `check` into a type
    Type,
    /// A decoder of a type, which has all of these calls
    Decoder,
}

/// Options that are part of the type's contract: those that `Settings` has under the same names.
const CONTRACT: [&str; 9] = [
    "rename",
    "rename_keys",
    "unknown",
    "case_sensitive",
    "numbers_from_text",
    "dates",
    "zones",
    "references",
    "converters",
];

const NAMES: &str = "duplicates, surrogates, nan, comments, trailing_commas, floats, overflow, \
                     limits, settings";

impl Reading {
    /// Reads keyword arguments on top of the defaults.
    ///
    /// # Errors
    /// `TypeError` for an unknown option or a value of the wrong type, `ValueError` for an unknown
    /// policy.
    pub fn from_keywords(keywords: Option<&Bound<'_, PyDict>>, call: Call) -> PyResult<Self> {
        Self::default().with_keywords(keywords, call)
    }

    /// Reads keyword arguments on top of `self`.
    ///
    /// # Errors
    /// As `from_keywords`.
    pub fn with_keywords(
        mut self,
        keywords: Option<&Bound<'_, PyDict>>,
        call: Call,
    ) -> PyResult<Self> {
        let Some(keywords) = keywords else {
            return Ok(self);
        };
        if let Some(settings) = keywords
            .get_item("settings")?
            .filter(|value| !value.is_none())
        {
            self.apply_settings(&settings)?;
        }
        for (name, value) in keywords.iter() {
            let name = name.cast::<PyString>()?.to_str()?.to_owned();
            self.set(&name, &value, call)?;
        }
        Ok(self)
    }

    fn set(&mut self, name: &str, value: &Bound<'_, PyAny>, call: Call) -> PyResult<()> {
        let options = &mut self.options;
        match name {
            "settings" => {}
            "duplicates" => {
                self.chose_duplicates = true;
                options.duplicates = policy(
                    name,
                    value,
                    &[
                        ("last", Duplicates::Last),
                        ("first", Duplicates::First),
                        ("error", Duplicates::Error),
                    ],
                )?;
            }
            "surrogates" => {
                options.surrogates = policy(
                    name,
                    value,
                    &[
                        ("error", Surrogates::Error),
                        ("replace", Surrogates::Replace),
                        ("keep", Surrogates::Keep),
                    ],
                )?;
            }
            "nan" => {
                options.nan = policy(
                    name,
                    value,
                    &[
                        ("error", NanRead::Error),
                        ("literal", NanRead::Literal),
                        ("null", NanRead::Null),
                    ],
                )?;
            }
            "comments" => options.comments = flag(name, value)?,
            "trailing_commas" => options.trailing_commas = flag(name, value)?,
            "lazy_values" if matches!(call, Call::Parse | Call::Decoder) => {
                options.lazy_values = flag(name, value)?
            }
            "floats" => {
                self.floats = policy(
                    name,
                    value,
                    &[("float", Floats::Float), ("decimal", Floats::Decimal)],
                )?;
                options.decimals = self.floats == Floats::Decimal;
            }
            "overflow" => {
                options.overflow_is_infinite =
                    policy(name, value, &[("error", false), ("inf", true)])?;
            }
            "limits" => {
                if !value.is_none() {
                    options.limits = limits(value)?;
                }
            }
            _ if matches!(call, Call::Type | Call::Decoder) && CONTRACT.contains(&name) => {}
            _ => {
                let more = match call {
                    Call::Parse => ", lazy_values".to_owned(),
                    Call::Type => format!(", {}", CONTRACT.join(", ")),
                    Call::Decoder => format!(", lazy_values, {}", CONTRACT.join(", ")),
                    Call::Load => String::new(),
                };
                return Err(PyTypeError::new_err(format!(
                    "unknown option `{name}`: expected one of {NAMES}{more}"
                )));
            }
        }
        Ok(())
    }

    fn apply_settings(&mut self, settings: &Bound<'_, PyAny>) -> PyResult<()> {
        check_settings(settings)?;
        let nan = settings.getattr("nan")?;
        let nan = nan.cast::<PyString>()?.to_str()?;
        self.names_numbers = nan == "string";
        self.options.nan = match nan {
            "literal" => NanRead::Literal,
            "null" => NanRead::Null,
            _ => NanRead::Error,
        };
        self.options.limits = limits(&settings.getattr("limits")?)?;
        self.show_input = settings.getattr("show_input")?.extract()?;
        self.hold_collector = settings.getattr("hold_collector")?.extract()?;
        Ok(())
    }

    /// How values become objects of a type: equal keys are an error unless a policy was asked for.
    #[must_use]
    pub fn typed_rules(&self) -> Rules {
        Rules {
            duplicates: if self.chose_duplicates {
                self.options.duplicates
            } else {
                Duplicates::Error
            },
            ..self.rules()
        }
    }

    /// The same for the reader of a text that becomes objects of a type, which finds equal keys
    /// itself.
    #[must_use]
    pub fn typed_options(&self) -> ReadOptions {
        ReadOptions {
            duplicates: Duplicates::Last,
            ..self.options
        }
    }

    /// The limit on digits is so low that integers inside their token may reach it.
    #[inline]
    #[must_use]
    pub fn limits_short_digits(&self) -> bool {
        self.options.limits.digits.is_some_and(|limit| limit < 17)
    }

    /// How values become objects.
    #[must_use]
    pub fn rules(&self) -> Rules {
        Rules {
            floats: self.floats,
            duplicates: self.options.duplicates,
            digits: self.options.limits.digits,
            overflow_is_infinite: self.options.overflow_is_infinite,
            named_decimals: self.names_numbers || self.options.nan != NanRead::Error,
            hold_collector: self.hold_collector,
        }
    }
}

/// The settings that a type's contract is made with: those among the keywords, with the options in
/// them that the contract is about.
///
/// # Errors
/// What `Settings` raises.
pub fn contract_settings<'py>(
    keywords: Option<&Bound<'py, PyDict>>,
) -> PyResult<Option<Bound<'py, PyAny>>> {
    let Some(keywords) = keywords else {
        return Ok(None);
    };
    let py = keywords.py();
    let settings = keywords.get_item("settings")?;
    let settings = settings.filter(|given| !given.is_none());
    let mut chosen = Vec::new();
    for name in CONTRACT {
        if let Some(value) = keywords.get_item(name)? {
            chosen.push((name, value));
        }
    }
    with_options(py, settings.as_ref(), chosen)
}

/// Options by their names.
type Named<T> = Vec<(&'static str, T)>;

/// Settings made of settings and options.
struct Made {
    of: Option<Py<PyAny>>,
    with: Named<Py<PyAny>>,
    made: Py<PyAny>,
}

/// How many of them a thread has at hand: calls in a loop mostly give the same.
const AT_HAND: usize = 4;

thread_local! {
    static MADE: RefCell<Vec<Made>> = const { RefCell::new(Vec::new()) };
}

/// Settings with options in place of their own.
///
/// # Errors
/// What `Settings` raises.
pub fn with_options<'py>(
    py: Python<'py>,
    settings: Option<&Bound<'py, PyAny>>,
    options: Named<Bound<'py, PyAny>>,
) -> PyResult<Option<Bound<'py, PyAny>>> {
    if options.is_empty() {
        return Ok(settings.cloned());
    }
    if let Some(settings) = settings {
        check_settings(settings)?;
    }
    // Words and switches stay what they are; a mapping may be another one next time.
    let lasting = options.iter().all(|(_, value)| {
        value.is_exact_instance_of::<PyString>() || value.cast::<PyBool>().is_ok()
    });
    if lasting && let Some(made) = MADE.with_borrow(|all| at_hand(all, settings, &options, py)) {
        return Ok(Some(made));
    }
    let chosen = PyDict::new(py);
    for (name, value) in &options {
        chosen.set_item(name, value)?;
    }
    let made = if let Some(settings) = settings {
        let replace = py.import("dataclasses")?.getattr("replace")?;
        replace.call((settings,), Some(&chosen))?
    } else {
        let class = py.import("octad._settings")?.getattr("Settings")?;
        class.call((), Some(&chosen))?
    };
    if lasting {
        let with = options.into_iter();
        let entry = Made {
            of: settings.map(|settings| settings.clone().unbind()),
            with: with.map(|(name, value)| (name, value.unbind())).collect(),
            made: made.clone().unbind(),
        };
        // What is dropped may run Python code, so it goes when nothing is borrowed any more.
        let _dropped = MADE.with_borrow_mut(|all| {
            all.insert(0, entry);
            all.split_off(all.len().min(AT_HAND))
        });
    }
    Ok(Some(made))
}

/// What was made of the same before.
fn at_hand<'py>(
    all: &[Made],
    settings: Option<&Bound<'py, PyAny>>,
    options: &[(&'static str, Bound<'py, PyAny>)],
    py: Python<'py>,
) -> Option<Bound<'py, PyAny>> {
    let same_base = |of: Option<&Py<PyAny>>| match (of, settings) {
        (None, None) => true,
        (Some(of), Some(settings)) => settings.is(of),
        _ => false,
    };
    let found = all.iter().find(|one| {
        same_base(one.of.as_ref())
            && one.with.len() == options.len()
            && one
                .with
                .iter()
                .zip(options)
                .all(|((name, value), (asked, given))| name == asked && same(value.bind(py), given))
    })?;
    Some(found.made.bind(py).clone())
}

/// Whether two words or switches are one.
fn same(one: &Bound<'_, PyAny>, other: &Bound<'_, PyAny>) -> bool {
    if one.is(other) {
        return true;
    }
    match (one.cast::<PyString>(), other.cast::<PyString>()) {
        (Ok(one), Ok(other)) => one.to_string_lossy() == other.to_string_lossy(),
        _ => false,
    }
}

/// One of several words.
fn policy<T: Copy>(name: &str, value: &Bound<'_, PyAny>, words: &[(&str, T)]) -> PyResult<T> {
    let text = value.cast::<PyString>().map_err(|_| {
        PyTypeError::new_err(format!(
            "option `{name}`: expected a str, found {}",
            value
                .get_type()
                .name()
                .map_or_else(|_| "?".into(), |name| name.to_string())
        ))
    })?;
    let text = text.to_string_lossy();
    words
        .iter()
        .find(|(word, _)| *word == text)
        .map(|(_, meaning)| *meaning)
        .ok_or_else(|| {
            let known: Vec<&str> = words.iter().map(|(word, _)| *word).collect();
            PyValueError::new_err(format!(
                "option `{name}`: expected one of {}, found {text:?}",
                known.join(", ")
            ))
        })
}

/// True or False, and nothing that could be taken for them.
///
/// # Errors
/// `TypeError`.
pub fn flag(name: &str, value: &Bound<'_, PyAny>) -> PyResult<bool> {
    value
        .extract::<bool>()
        .map_err(|_| PyTypeError::new_err(format!("option `{name}`: expected True or False")))
}

/// Refuses what is no `octad.Settings`.
///
/// # Errors
/// `TypeError`.
pub fn check_settings(settings: &Bound<'_, PyAny>) -> PyResult<()> {
    let is_settings = settings.get_type().name()?.to_string_lossy() == "Settings";
    if is_settings && settings.hasattr("hold_collector")? {
        return Ok(());
    }
    Err(PyTypeError::new_err(
        "option `settings`: expected octad.Settings",
    ))
}

/// The core's limits of an `octad.Limits`, which has checked its fields.
///
/// # Errors
/// `TypeError` for anything else.
pub fn limits(value: &Bound<'_, PyAny>) -> PyResult<Limits> {
    let optional = |name: &str| -> PyResult<Option<u64>> {
        let field = value.getattr(name)?;
        if field.is_none() {
            return Ok(None);
        }
        // A limit beyond 64 bits is no limit.
        Ok(Some(field.extract::<u64>().unwrap_or(u64::MAX)))
    };
    let narrow =
        |number: Option<u64>| number.map(|number| u32::try_from(number).unwrap_or(u32::MAX));
    let read = || -> PyResult<Limits> {
        Ok(Limits {
            depth: value.getattr("depth")?.extract()?,
            size: optional("size")?,
            tokens: optional("tokens")?,
            text: optional("text")?,
            digits: narrow(optional("digits")?),
            expansion: narrow(optional("expansion")?),
            output: optional("output")?,
        })
    };
    read().map_err(|_| PyTypeError::new_err("option `limits`: expected octad.Limits"))
}
