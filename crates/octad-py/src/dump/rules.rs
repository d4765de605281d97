//! The options of the writing calls, from keyword arguments and a `Settings` object.
//!
//! A call without options uses one shared set and parses nothing.

use std::cell::RefCell;
use std::sync::{Arc, LazyLock};

use octad_core::convert::Conversion;
pub use octad_core::convert::Order;
use octad_core::formats::FormatId;
use octad_core::formats::json::{BytesPolicy, NanPolicy, SurrogatePolicy, WriteOptions};
use octad_core::limits::Limits;
use octad_core::scan::EscapeSet;
use octad_core::sink::Layout;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::gc::{PyTraverseError, PyVisit};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString};

use super::context::{Context, Pairs};
use super::known::Scope;
use super::settings::{self, Sharing};
use crate::options;

/// The keywords of the writing calls.
pub const NAMES: [&str; 13] = [
    "settings",
    "indent",
    "newline",
    "final_newline",
    "sort_keys",
    "escape",
    "nan",
    "canonical",
    "default",
    "bytes",
    "keys",
    "surrogates",
    "limits",
];

/// Options of `Settings` that a writing call takes as keywords, too.
const CONTRACT: [&str; 12] = [
    "rename",
    "rename_keys",
    "omit_none",
    "omit_defaults",
    "omit_empty",
    "unknown",
    "numbers_as_text",
    "dates",
    "zones",
    "references",
    "cycles",
    "converters",
];

/// What a call gave for each of [`NAMES`]; an explicit None counts as not given.
pub type Options<'a, 'py> = [Option<&'a Bound<'py, PyAny>>; NAMES.len()];

/// What the walk needs to know, whatever the format.
pub struct Rules {
    /// The order of keys.
    pub order: Order,
    /// Keys that are not str become their text.
    pub text_keys: bool,
    /// A key that is not finite is refused.
    pub finite_keys: bool,
    /// Such a key is `null`.
    pub null_keys: bool,
    /// Lone surrogates in keys become U+FFFD, so keys that differ may be written alike.
    pub replaced: bool,
    /// Levels of open containers.
    pub depth: usize,
    /// Bytes of output, for what is collected before it is written.
    pub output: Option<u64>,
    /// The last resort for objects that are not known.
    pub default: Option<Py<PyAny>>,
    /// For documents and their views, which are written from the tape.
    pub conversion: Conversion,
    /// Messages may show keys.
    pub show_input: bool,
    /// Which settings have a say in classes.
    pub scope: Scope,
    /// What holds for all values; `None` where that is nothing in particular.
    pub context: Option<Arc<Context>>,
    /// No container is for the hot loops.
    pub slow: bool,
    /// What becomes of containers that are met again.
    pub sharing: Sharing,
}

impl Rules {
    /// Dicts are written in their order and key by key: different strs are different texts.
    #[inline]
    pub fn plain_dicts(&self) -> bool {
        self.order == Order::Kept && !self.replaced
    }
}

/// All options of a call that writes JSON.
pub struct JsonRules {
    /// For the walk.
    pub rules: Rules,
    /// For the sink.
    pub json: WriteOptions,
}

impl Default for JsonRules {
    fn default() -> Self {
        Self {
            rules: Rules {
                order: Order::Kept,
                text_keys: true,
                finite_keys: true,
                null_keys: false,
                replaced: false,
                depth: 1024,
                output: None,
                default: None,
                conversion: Conversion {
                    target: FormatId::Json,
                    keep_texts: true,
                    keep_numbers: true,
                    order: Order::Kept,
                    depth: 1024,
                },
                show_input: true,
                scope: Scope::default(),
                context: None,
                slow: false,
                sharing: Sharing::default(),
            },
            json: WriteOptions::default(),
        }
    }
}

static PLAIN: LazyLock<JsonRules> = LazyLock::new(JsonRules::default);

/// Rules that are shared or made for one call.
pub enum Chosen {
    /// The defaults.
    Plain,
    /// From arguments.
    Made(Arc<JsonRules>),
}

impl Chosen {
    /// Reads the values of [`NAMES`], and the options of `Settings` among the other keywords.
    #[inline]
    pub fn read<'py>(
        options: Options<'_, 'py>,
        others: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Self> {
        if let Some(others) = others {
            let [settings, rest @ ..] = options;
            let settings = with_settings_of(settings, others)?;
            let mut options = [settings.as_ref(); NAMES.len()];
            options[1..].copy_from_slice(&rest);
            return Self::read(options, None);
        }
        if options.iter().all(Option::is_none) {
            return Ok(Self::Plain);
        }
        if let [Some(settings), others @ ..] = options
            && others.iter().all(Option::is_none)
        {
            return Ok(Self::Made(of_settings(settings)?));
        }
        Ok(Self::Made(Arc::new(JsonRules::read(options)?)))
    }

    /// Reads them from keyword arguments, of calls that are made once for many texts.
    pub fn from_keywords(options: Option<&Bound<'_, PyDict>>) -> PyResult<Self> {
        let Some(options) = options else {
            return Ok(Self::Plain);
        };
        let others = options.copy()?;
        let mut given = [const { None }; NAMES.len()];
        for (slot, name) in given.iter_mut().zip(NAMES) {
            if let Some(value) = others.get_item(name)? {
                others.del_item(name)?;
                *slot = Some(value).filter(|value| !value.is_none());
            }
        }
        let others = Some(&others).filter(|others| !others.is_empty());
        Self::read(given.each_ref().map(Option::as_ref), others)
    }

    /// The rules.
    #[inline]
    pub fn get(&self) -> &JsonRules {
        match self {
            Self::Plain => &PLAIN,
            Self::Made(rules) => rules,
        }
    }

    /// Shows the collector what only these rules hold. What is shared with others must not be shown
    /// once for each of them: it would seem to be held by nobody else.
    pub fn visit(&self, visit: &PyVisit<'_>) -> Result<(), PyTraverseError> {
        let Self::Made(rules) = self else {
            return Ok(());
        };
        if Arc::strong_count(rules) > 1 {
            return Ok(());
        }
        let rules = &rules.rules;
        for held in [
            &rules.default,
            &rules.scope.settings,
            &rules.sharing.resolver,
        ] {
            visit.call(held)?;
        }
        Ok(())
    }
}

/// The settings of a call whose keywords have options of `Settings` among them. None is not given.
#[cold]
fn with_settings_of<'py>(
    settings: Option<&Bound<'py, PyAny>>,
    others: &Bound<'py, PyDict>,
) -> PyResult<Option<Bound<'py, PyAny>>> {
    let mut chosen = Vec::new();
    for (name, value) in others {
        let text = name.cast::<PyString>()?.to_string_lossy();
        let Some(known) = CONTRACT.iter().find(|known| **known == text) else {
            return Err(unknown_option(&text));
        };
        if !value.is_none() {
            chosen.push((*known, value));
        }
    }
    options::with_options(others.py(), settings, chosen)
}

/// How many settings a thread has at hand.
const AT_HAND: usize = 4;

thread_local! {
    static READ: RefCell<Vec<(Py<PyAny>, Arc<JsonRules>)>> = const { RefCell::new(Vec::new()) };
}

/// The rules of a call that is given settings and nothing else; settings do not change.
fn of_settings(settings: &Bound<'_, PyAny>) -> PyResult<Arc<JsonRules>> {
    let known = READ.with_borrow(|read| {
        let found = read.iter().find(|(kept, _)| settings.is(kept));
        found.map(|(_, rules)| rules.clone())
    });
    if let Some(rules) = known {
        return Ok(rules);
    }
    let mut options = [None; NAMES.len()];
    options[0] = Some(settings);
    let rules = Arc::new(JsonRules::read(options)?);
    let entry = (settings.clone().unbind(), rules.clone());
    // What is dropped may run Python code, so it goes when nothing is borrowed any more.
    let _dropped = READ.with_borrow_mut(|read| {
        read.insert(0, entry);
        read.split_off(read.len().min(AT_HAND))
    });
    Ok(rules)
}

/// The most levels that `indent=` may ask for in one step.
const WIDEST: usize = 64;

/// What becomes of keys that are not str.
#[derive(Clone, Copy, PartialEq, Eq)]
enum KeyPolicy {
    Text,
    Error,
    /// Their text; a dict with a key that has none is an array of pairs.
    Pairs,
}

/// Options as they are collected.
#[derive(Default)]
struct Collected<'py> {
    indent: Option<String>,
    newline: Option<String>,
    sort_keys: bool,
    escape: Option<EscapeSet>,
    nan: Option<NanPolicy>,
    surrogates: Option<SurrogatePolicy>,
    bytes: Option<BytesPolicy>,
    keys: Option<KeyPolicy>,
    canonical: bool,
    final_newline: bool,
    default: Option<Bound<'py, PyAny>>,
    limits: Option<Limits>,
    hide_input: bool,
    settings: Option<Bound<'py, PyAny>>,
}

impl JsonRules {
    #[cold]
    fn read(options: Options<'_, '_>) -> PyResult<Self> {
        let mut all = Collected::default();
        let [settings, options @ ..] = options;
        if let Some(settings) = settings {
            options::check_settings(settings)?;
            for name in ["nan", "bytes", "default", "limits", "show_input"] {
                all.set(name, &settings.getattr(name)?)?;
            }
            all.settings = Some(settings.clone());
        }
        for (name, value) in NAMES.iter().skip(1).zip(options) {
            if let Some(value) = value {
                all.set(name, value)?;
            }
        }
        all.finish()
    }
}

/// The error for an option that there is not, with the way to say the same where there is one.
#[cold]
pub fn unknown_option(name: &str) -> PyErr {
    let hint = match name {
        "ensure_ascii" => " (write `escape=\"ascii\"`; text is UTF-8 otherwise)",
        "separators" => " (the output is compact unless `indent=` is given)",
        "cls" => " (pass a function as `default=`)",
        "allow_nan" => " (`nan=` has the policies)",
        "skipkeys" => " (`keys=` says what becomes of keys that are not str)",
        "check_circular" => " (cycles are always found)",
        "option" => " (each option has a name: `sort_keys=True`, `indent=2`, `final_newline=True`)",
        "object_hook" | "object_pairs_hook" | "parse_float" | "parse_int" | "parse_constant"
        | "duplicates" | "comments" | "trailing_commas" | "floats" | "overflow" | "lazy_values"
        | "case_sensitive" | "numbers_from_text" => " (that is for reading)",
        _ => "",
    };
    PyTypeError::new_err(format!(
        "unknown option `{name}`: expected one of {}, settings, {}{hint}",
        NAMES[1..].join(", "),
        CONTRACT.join(", ")
    ))
}

/// One of several words.
fn choose<T: Copy>(option: &str, value: &Bound<'_, PyAny>, words: &[(&str, T)]) -> PyResult<T> {
    if let Ok(text) = value.cast::<PyString>() {
        let text = text.to_str()?;
        if let Some((_, found)) = words.iter().find(|(word, _)| *word == text) {
            return Ok(*found);
        }
    }
    let list: Vec<String> = words.iter().map(|(word, _)| format!("{word:?}")).collect();
    let found = value.repr()?;
    Err(PyValueError::new_err(format!(
        "expected one of {} for {option}, found {}",
        list.join(", "),
        found.to_string_lossy(),
    )))
}

impl<'py> Collected<'py> {
    fn set(&mut self, name: &str, value: &Bound<'py, PyAny>) -> PyResult<()> {
        match name {
            "indent" => self.indent = indent(value)?,
            "newline" => {
                let word = choose(name, value, &[("\n", "\n"), ("\r\n", "\r\n"), ("\r", "\r")])?;
                self.newline = Some(word.to_owned());
            }
            "sort_keys" => self.sort_keys = options::flag(name, value)?,
            "final_newline" => self.final_newline = options::flag(name, value)?,
            "canonical" => self.canonical = options::flag(name, value)?,
            "escape" => {
                let words = [
                    ("minimal", EscapeSet::Minimal),
                    ("ascii", EscapeSet::Ascii),
                    ("html", EscapeSet::Html),
                ];
                self.escape = Some(choose(name, value, &words)?);
            }
            "nan" => {
                let words = [
                    ("error", NanPolicy::Error),
                    ("null", NanPolicy::Null),
                    ("literal", NanPolicy::Literal),
                    ("string", NanPolicy::String),
                ];
                self.nan = Some(choose(name, value, &words)?);
            }
            "surrogates" => {
                let words = [
                    ("error", SurrogatePolicy::Error),
                    ("replace", SurrogatePolicy::Replace),
                    ("keep", SurrogatePolicy::Keep),
                ];
                self.surrogates = Some(choose(name, value, &words)?);
            }
            "bytes" if value.is_none() => self.bytes = None,
            "bytes" => {
                let words = [
                    ("base64", BytesPolicy::Base64),
                    ("base64url", BytesPolicy::Base64Url),
                    ("hex", BytesPolicy::Hex),
                    ("array", BytesPolicy::Array),
                ];
                self.bytes = Some(choose(name, value, &words)?);
            }
            "keys" => {
                let words = [
                    ("text", KeyPolicy::Text),
                    ("error", KeyPolicy::Error),
                    ("pairs", KeyPolicy::Pairs),
                ];
                self.keys = Some(choose(name, value, &words)?);
            }
            "default" if value.is_none() => self.default = None,
            "default" if value.is_callable() => self.default = Some(value.clone()),
            "default" => {
                return Err(PyTypeError::new_err(format!(
                    "option `default`: expected a callable, found {}",
                    value.repr()?.to_string_lossy()
                )));
            }
            "show_input" => self.hide_input = !value.is_truthy()?,
            "limits" if value.is_none() => self.limits = None,
            "limits" => self.limits = Some(options::limits(value)?),
            _ => return Err(unknown_option(name)),
        }
        Ok(())
    }

    fn finish(self) -> PyResult<JsonRules> {
        let mut made = JsonRules::default();
        if self.canonical {
            self.refuse_beside_canonical()?;
        }
        if let Some(limits) = &self.limits {
            made.rules.depth = limits.depth as usize;
            made.json.output = limits.output;
            made.rules.output = limits.output;
        }
        let newline = self.newline.as_deref().unwrap_or("\n");
        made.json.layout = self.indent.map(|unit| Layout::new(newline, &unit));
        made.json.final_newline = self.final_newline;
        made.json.newline = newline.into();
        made.json.canonical = self.canonical;
        made.json.escape = self.escape.unwrap_or(made.json.escape);
        made.json.nan = self.nan.unwrap_or(made.json.nan);
        made.json.surrogates = self.surrogates.unwrap_or(made.json.surrogates);
        made.json.bytes = self.bytes.unwrap_or(made.json.bytes);
        made.rules.order = match (self.canonical, self.sort_keys) {
            (true, _) => Order::Utf16,
            (false, true) => Order::CodePoint,
            (false, false) => Order::Kept,
        };
        made.rules.text_keys = self.keys != Some(KeyPolicy::Error);
        made.rules.finite_keys = made.json.nan == NanPolicy::Error;
        made.rules.null_keys = made.json.nan == NanPolicy::Null;
        made.rules.replaced = made.json.surrogates == SurrogatePolicy::Replace;
        made.rules.show_input = !self.hide_input;
        if let Some(settings) = &self.settings {
            settings::apply(settings, &mut made.rules)?;
            if self.canonical && made.rules.sharing.references {
                return Err(PyValueError::new_err(
                    "references cannot be chosen together with canonical=True",
                ));
            }
        }
        if self.keys == Some(KeyPolicy::Pairs) {
            let mut context = made.rules.context.as_deref().cloned().unwrap_or_default();
            context.pairs = Pairs::Textless;
            made.rules.context = Some(Arc::new(context));
            made.rules.slow = true;
        }
        made.rules.default = self.default.map(Bound::unbind);
        made.rules.conversion = Conversion {
            target: FormatId::Json,
            keep_texts: !self.canonical
                && made.json.escape == EscapeSet::Minimal
                && made.json.surrogates != SurrogatePolicy::Replace,
            keep_numbers: !self.canonical,
            order: made.rules.order,
            depth: made.rules.depth,
        };
        Ok(made)
    }

    /// RFC 8785 leaves no choice of form.
    fn refuse_beside_canonical(&self) -> PyResult<()> {
        let other = [
            ("indent", self.indent.is_some()),
            ("final_newline", self.final_newline),
            (
                "escape",
                self.escape
                    .is_some_and(|escape| escape != EscapeSet::Minimal),
            ),
            ("nan", self.nan.is_some_and(|nan| nan == NanPolicy::Literal)),
            (
                "surrogates",
                self.surrogates
                    .is_some_and(|policy| policy == SurrogatePolicy::Keep),
            ),
        ];
        match other.iter().find(|(_, given)| *given) {
            Some((name, _)) => Err(PyValueError::new_err(format!(
                "{name} cannot be chosen together with canonical=True (RFC 8785 decides it)"
            ))),
            None => Ok(()),
        }
    }
}

/// `None`, a number of spaces, or the blanks themselves.
fn indent(value: &Bound<'_, PyAny>) -> PyResult<Option<String>> {
    if value.is_none() {
        return Ok(None);
    }
    if let Ok(text) = value.cast::<PyString>() {
        let text = text.to_str()?;
        if text.len() <= WIDEST && text.bytes().all(|byte| matches!(byte, b' ' | b'\t')) {
            return Ok(Some(text.to_owned()));
        }
    } else if let Ok(width) = value.extract::<usize>()
        && width <= WIDEST
    {
        return Ok(Some(" ".repeat(width)));
    }
    Err(PyValueError::new_err(format!(
        "expected None, a number of spaces up to {WIDEST}, or a text of blanks for indent, found {}",
        value.repr()?.to_string_lossy(),
    )))
}
