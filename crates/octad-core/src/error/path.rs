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
                Segment::Key(key) => text.push_str(&key.replace('~', "~0").replace('/', "~1")),
                Segment::Index(index) => text.push_str(&index.to_string()),
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
