//! The path of a value: keys and indexes from the root, printed in the two public spellings.
//!
//! `$.items[2].price` is for people, `/items/2/price` (RFC 6901) goes back into the API.

use core::fmt;

/// One step from a container to a value in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Segment {
    /// The key of an object's member.
    Key(String),
    /// The position in an array.
    Index(usize),
    /// Steps that are left out, shown as `…`.
    Elided,
}

/// How much of either end of a path is kept where it is bounded: characters of its text.
const END: usize = 500;

/// The same in steps.
const STEPS: usize = 100;

/// The longest key in a bounded path, in characters; of a longer one its beginning is kept.
pub const KEY: usize = 200;

impl Segment {
    /// About how many characters it takes in a path.
    fn size(&self) -> usize {
        match self {
            Self::Key(key) => key.len() + 1,
            Self::Index(_) | Self::Elided => 3,
        }
    }

    /// The step with a long key cut short.
    fn bounded(self) -> Self {
        match self {
            Self::Key(mut key) => {
                if let Some((cut, _)) = key.char_indices().nth(KEY) {
                    key.truncate(cut);
                    key.push('…');
                }
                Self::Key(key)
            }
            step => step,
        }
    }
}

/// Steps from the root to a value. Stored innermost first, because errors collect it while they
/// travel outwards.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Path(Vec<Segment>);

impl Path {
    /// The path of the root: no steps.
    #[must_use]
    pub fn root() -> Self {
        Self::default()
    }

    /// Builds a path from its steps in reading order.
    pub fn from_outer(segments: impl IntoIterator<Item = Segment>) -> Self {
        let mut segments: Vec<Segment> = segments.into_iter().collect();
        segments.reverse();
        Self(segments)
    }

    /// The two ends of a path whose text is too long, with one step that stands for the others.
    /// Only the ends are made, so many such paths of one deep document are cheap.
    pub fn from_ends<F>(frames: &[F], step: impl Fn(&F) -> Option<Segment>) -> Self {
        // An object before its first key is no step of its own.
        let len =
            frames.len() - usize::from(frames.last().is_some_and(|last| step(last).is_none()));
        let (mut from, mut until) = (0, len);
        let (mut outer, mut inner) = (Vec::new(), Vec::new());
        let mut size = 0;
        while from < until && size < END && from < STEPS {
            let segment = step(&frames[from]).map(Segment::bounded);
            size += segment.as_ref().map_or(0, Segment::size);
            outer.extend(segment);
            from += 1;
        }
        size = 0;
        while from < until && size < END && len - until < STEPS {
            until -= 1;
            let segment = step(&frames[until]).map(Segment::bounded);
            size += segment.as_ref().map_or(0, Segment::size);
            inner.extend(segment);
        }
        if from < until {
            inner.push(Segment::Elided);
        }
        inner.extend(outer.into_iter().rev());
        Self(inner)
    }

    /// The path with its middle left out where it is longer than about 1,000 characters or 200 steps.
    #[must_use]
    pub fn bounded(&self) -> Self {
        let steps: Vec<&Segment> = self.segments().collect();
        Self::from_ends(&steps, |step| Some((*step).clone()))
    }

    /// Adds a step outside of all that are there.
    pub fn push_outer(&mut self, segment: Segment) {
        self.0.push(segment);
    }

    /// True for the root.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The steps in reading order, outermost first.
    pub fn segments(&self) -> impl Iterator<Item = &Segment> {
        self.0.iter().rev()
    }

    /// The path as a JSON Pointer (RFC 6901).
    #[must_use]
    pub fn pointer(&self) -> String {
        let mut text = String::new();
        for segment in self.segments() {
            text.push('/');
            match segment {
                Segment::Key(key) if !key.contains(['~', '/']) => text.push_str(key),
                Segment::Key(key) => text.push_str(&key.replace('~', "~0").replace('/', "~1")),
                Segment::Index(index) => {
                    // Writing into a String cannot fail.
                    let _ = fmt::Write::write_fmt(&mut text, format_args!("{index}"));
                }
                Segment::Elided => text.push('…'),
            }
        }
        text
    }
}

/// A key that may stand after a dot without quotes.
fn is_plain(key: &str) -> bool {
    let mut chars = key.chars();
    chars
        .next()
        .is_some_and(|ch| ch.is_alphabetic() || ch == '_')
        && chars.all(|ch| ch.is_alphanumeric() || ch == '_')
}

impl fmt::Display for Path {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("$")?;
        for segment in self.segments() {
            match segment {
                Segment::Index(index) => write!(f, "[{index}]")?,
                Segment::Elided => f.write_str("…")?,
                Segment::Key(key) if is_plain(key) => write!(f, ".{key}")?,
                Segment::Key(key) => {
                    f.write_str("['")?;
                    let mut shown = String::with_capacity(key.len());
                    for ch in key.chars() {
                        if matches!(ch, '\'' | '\\') {
                            shown.push('\\');
                        }
                        super::push_visible(&mut shown, ch);
                    }
                    f.write_str(&shown)?;
                    f.write_str("']")?;
                }
            }
        }
        Ok(())
    }
}
