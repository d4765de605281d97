//! The reading half of `octad.json`: `loads`, `parse`'s core part, `check`, `Decoder`.

use octad_core::doc::Document;
use octad_core::error::{Category, Error};
use octad_core::formats::AnyOptions;
use octad_core::formats::json::{self, JsonSource, Numbers, ReadOptions};
use octad_core::tape::Tape;
use octad_core::token::{Kind, TokenId};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::cpython::{self, Behind, DirectFunction, Obj, put_before_function};
use crate::errors;
use crate::input::{self, Input, Utf8};
use crate::load::{self, PADDED, Scratch, Trouble};
use crate::options::{Call, Floats, Reading};
use crate::view;

mod typed;

use typed::load_into_type;
pub use typed::load_typed;

/// Inputs from this size on are read with the interpreter's lock released.
const DETACH: usize = 64 << 10;

/// Read a JSON text into plain Python objects.
///
/// Parameters:
///     data: the text, as `bytes`, `str` or any object with the buffer protocol. RFC 8259 JSON in
///         UTF-8, strict unless an option says otherwise; a byte order mark is skipped.
///     type: what to make of it: a dataclass, `list[int]`, or any other type that describes data.
///         None makes plain Python objects.
///     duplicates: which of equal keys counts: "last", "first" or "error" (the default with a type).
///     surrogates: escapes of lone surrogates: "error", "replace" or "keep".
///     nan: `NaN`, `Infinity`, `-Infinity`: "error", "literal" or "null".
///     comments, trailing_commas: allowed when True.
///     floats: numbers with a fraction or exponent become "float" or "decimal".
///     overflow: numbers beyond a double: "error" or "inf".
///     limits, settings: `octad.Limits`, `octad.Settings`.
///
/// With a type, the options of `octad.Settings` that are about reading can be given as well
/// (`rename`, `unknown`, `numbers_from_text`, ...).
///
/// Returns dict, list, str, int (exact, any size), float (correctly rounded), bool or None; or an
/// object of the type.
///
/// Raises `octad.DecodeError` with code, offset, line, column and path; `octad.LimitError`;
/// `octad.ValidationError` for a value that does not fit the type; `octad.ContractError` for a type
/// that does not describe data; `TypeError` for data that holds no bytes and for unknown options.
///
/// >>> import octad
/// >>> octad.json.loads(b'{"name": "octad", "bytes": 8}')
/// {'name': 'octad', 'bytes': 8}
/// >>> octad.json.loads('[["a", 1]]', list[tuple[str, int]])
/// [('a', 1)]
#[pyfunction]
#[pyo3(signature = (data, r#type=None, /, **options), text_signature = "(data, type=None, /, *, duplicates='last', surrogates='error', nan='error', comments=False, trailing_commas=False, floats='float', overflow='error', limits=None, settings=None, **options)")]
pub fn loads<'py>(
    data: &Bound<'py, PyAny>,
    r#type: Option<&Bound<'py, PyAny>>,
    options: Option<&Bound<'py, PyDict>>,
) -> PyResult<Bound<'py, PyAny>> {
    if let Some(class) = r#type {
        let made = load_into_type(data, class, options)?;
        return Ok(made.into_bound(data.py()));
    }
    let made = load_with(data, &Reading::from_keywords(options, Call::Load)?)?;
    Ok(made.into_bound(data.py()))
}

/// Adds the functions to the module.
///
/// # Errors
/// No memory.
pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(loads, module)?)?;
    module.add_function(wrap_pyfunction!(parse, module)?)?;
    module.add_function(wrap_pyfunction!(parse_map, module)?)?;
    put_before_function::<Loads>(module)?;
    put_before_function::<Parse>(module)
}

/// `loads` of one argument, or of two.
struct Loads;

impl DirectFunction for Loads {
    const NAME: &'static str = "loads";

    fn behind() -> &'static Behind {
        static BEHIND: Behind = Behind::new();
        &BEHIND
    }

    fn call(data: &Bound<'_, PyAny>) -> PyResult<Obj> {
        load_with(data, &Reading::default())
    }

    const TWO: bool = true;

    fn call_two(data: &Bound<'_, PyAny>, class: &Bound<'_, PyAny>) -> PyResult<Obj> {
        if class.is_none() {
            return Self::call(data);
        }
        cpython::attached(data.py(), || load_into_type(data, class, None))
    }
}

/// `parse` of one argument.
struct Parse;

impl DirectFunction for Parse {
    const NAME: &'static str = "parse";

    fn behind() -> &'static Behind {
        static BEHIND: Behind = Behind::new();
        &BEHIND
    }

    fn call(data: &Bound<'_, PyAny>) -> PyResult<Obj> {
        let document = parse_with(data, Reading::default(), None)?;
        Ok(Obj::take(Bound::new(data.py(), document)?.into_any()))
    }
}

/// `loads` with options that have been read already.
pub fn load_with(data: &Bound<'_, PyAny>, reading: &Reading) -> PyResult<Obj> {
    let py = data.py();
    let input = Input::new(data)?;
    load::with_scratch(|scratch| load_bytes(py, &input, reading, scratch))
}

fn load_bytes(
    py: Python<'_>,
    input: &Input<'_>,
    reading: &Reading,
    scratch: &mut Scratch,
) -> PyResult<Obj> {
    let how = How {
        numbers: numbers_of(reading),
        options: &reading.options,
        reading,
    };
    let rules = &reading.rules();
    with_tape(py, input, how, scratch, |tape, source| {
        load::build(py, tape.tokens(), tape.root(), source, rules)
            .map_err(|trouble| explain(py, trouble, input.bytes(), input.is_checked(), reading))
    })
}

/// How a text is read.
#[derive(Clone, Copy)]
struct How<'a> {
    numbers: Numbers,
    options: &'a ReadOptions,
    /// What errors may show.
    reading: &'a Reading,
}

/// Reads a text into a tape, and does something with that.
#[inline(always)]
fn with_tape<R>(
    py: Python<'_>,
    input: &Input<'_>,
    how: How<'_>,
    scratch: &mut Scratch,
    work: impl Fn(&Tape, &JsonSource<'_>) -> PyResult<R>,
) -> PyResult<R> {
    let How {
        numbers,
        options,
        reading,
    } = how;
    let bytes = input.bytes();
    let checked = input.is_checked();
    if bytes.len() <= PADDED && options.is_strict() {
        let (padded, tape) = scratch.padded(bytes);
        // A text that is refused is read again as it is, for the right places.
        if let Ok(text) = json::parse(padded, checked, numbers, options, tape) {
            let source = JsonSource::new(tape, padded, options).with_text(text);
            return work(tape, &source);
        }
    }
    let tape = &mut scratch.tape;
    let parsed = if bytes.len() >= DETACH {
        py.detach(|| json::parse(bytes, checked, numbers, options, tape))
    } else {
        json::parse(bytes, checked, numbers, options, tape)
    };
    let text = parsed.map_err(|error| raise(py, &input.explain(error), bytes, reading))?;
    work(tape, &JsonSource::new(tape, bytes, options).with_text(text))
}

fn numbers_of(reading: &Reading) -> Numbers {
    match reading.floats {
        Floats::Float => Numbers::Eager,
        Floats::Decimal => Numbers::Located,
    }
}

/// The token in a document of the one that was counted where comments have no tokens.
fn beside_comments(document: &Document, id: TokenId) -> TokenId {
    let tokens = document.tape().tokens().iter().zip(0..);
    let mut values = tokens.filter(|(token, _)| token.kind() != Kind::Trivia);
    values.nth(id as usize).map_or(id, |(_, id)| id)
}

fn raise(py: Python<'_>, error: &Error, input: &[u8], reading: &Reading) -> PyErr {
    errors::to_py(py, error, Some(input), false, reading.show_input)
}

/// A value that is well formed but cannot become an object: its place and path come from a
/// document, read once more.
#[cold]
fn explain(
    py: Python<'_>,
    trouble: Trouble,
    bytes: &[u8],
    checked: bool,
    reading: &Reading,
) -> PyErr {
    match trouble {
        Trouble::Python(error) => error,
        Trouble::Value(error, id) => {
            let owned: octad_core::doc::Bytes = std::sync::Arc::new(bytes.to_vec());
            let located = match Document::parse(owned, checked, AnyOptions::Json(reading.options)) {
                Ok(document) if error.code().category() != Category::Access => {
                    // Comments are passed over where numbers are read at once.
                    let id = match numbers_of(reading) {
                        Numbers::Eager => beside_comments(&document, id),
                        Numbers::Located => id,
                    };
                    document.locate_error(error, id)
                }
                _ => error,
            };
            raise(py, &located, bytes, reading)
        }
    }
}

/// Read a JSON text into a document, whose values are read when they are asked for.
///
/// Parameters: as for `loads`, and
///     lazy_values: only the structure is checked now; numbers, escapes and UTF-8 of a value when it
///         is read.
///
/// Returns an `octad.Document`. Raises what `loads` raises.
///
/// >>> import octad
/// >>> octad.json.parse(b'{"items": [{"price": 2.50}]}')["items"][0]["price"]
/// 2.5
#[pyfunction]
#[pyo3(signature = (data, /, **options), text_signature = "(data, /, *, duplicates='last', surrogates='error', nan='error', comments=False, trailing_commas=False, floats='float', overflow='error', lazy_values=False, limits=None, settings=None)")]
pub fn parse(
    data: &Bound<'_, PyAny>,
    options: Option<&Bound<'_, PyDict>>,
) -> PyResult<view::Document> {
    let settings = settings_of(options)?;
    parse_with(
        data,
        Reading::from_keywords(options, Call::Parse)?,
        settings,
    )
}

/// `parse` of a read-only memory map, which is not copied.
#[pyfunction]
#[pyo3(signature = (map, /, **options))]
pub fn parse_map(
    map: &Bound<'_, PyAny>,
    options: Option<&Bound<'_, PyDict>>,
) -> PyResult<view::Document> {
    let reading = Reading::from_keywords(options, Call::Parse)?;
    let settings = settings_of(options)?;
    let core = parse_shared(map.py(), cpython::share_map(map)?, Utf8::Unknown, &reading)?;
    Ok(view::Document::new(core, reading, settings, None))
}

/// `parse` with options that have been read already. `settings`: those that were given.
///
/// # Errors
/// As `loads`.
pub fn parse_with(
    data: &Bound<'_, PyAny>,
    reading: Reading,
    settings: Option<Py<PyAny>>,
) -> PyResult<view::Document> {
    let (bytes, utf8) = input::share(data)?;
    let core = parse_shared(data.py(), bytes, utf8, &reading)?;
    Ok(view::Document::new(core, reading, settings, Some(data)))
}

/// The settings among keyword arguments.
///
/// # Errors
/// No memory.
pub fn settings_of(options: Option<&Bound<'_, PyDict>>) -> PyResult<Option<Py<PyAny>>> {
    let given = match options {
        Some(options) => options.get_item("settings")?,
        None => None,
    };
    Ok(given.filter(|given| !given.is_none()).map(Bound::unbind))
}

/// The document of shared bytes.
///
/// # Errors
/// As `loads`.
pub fn parse_shared(
    py: Python<'_>,
    bytes: octad_core::doc::Bytes,
    utf8: Utf8,
    reading: &Reading,
) -> PyResult<Document> {
    let mut options = reading.options;
    // A str that is no text is refused at once.
    options.lazy_values &= utf8 != Utf8::Halved;
    let options = AnyOptions::Json(options);
    let checked = utf8 == Utf8::Known;
    let kept = bytes.clone();
    let parsed = if (*kept).as_ref().len() >= DETACH {
        py.detach(|| Document::parse(bytes, checked, options))
    } else {
        Document::parse(bytes, checked, options)
    };
    parsed.map_err(|error| {
        let input = (*kept).as_ref();
        let error = match utf8 {
            Utf8::Halved => input::lone_surrogate(error, input),
            _ => error,
        };
        raise(py, &error, input, reading)
    })
}
