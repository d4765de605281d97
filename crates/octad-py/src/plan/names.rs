//! Names looked up by their bytes: the one that is expected first, then by a small table.
//!
//! The table is open-addressed over a hash of length and first and last bytes, twice as large as
//! needed at least; a name that is found is always compared whole.

/// A name: its first bytes as a block to compare, the rest behind.
#[derive(Debug)]
struct Name {
    block: [u8; 16],
    /// The bytes of the block that count, as bits.
    bits: u128,
    text: Box<str>,
    /// What it stands for.
    value: u32,
}

/// Names and what they stand for.
#[derive(Debug, Default)]
pub struct Names {
    names: Box<[Name]>,
    /// Numbers of names plus one; a power of two of them.
    slots: Box<[u16]>,
    /// Upper and lower case are the same.
    folded: bool,
}

impl Names {
    /// The names, each with what it stands for. The first of equal names counts. None: too many.
    pub fn new(names: impl IntoIterator<Item = (String, u32)>, folded: bool) -> Option<Self> {
        let mut made = Self {
            folded,
            ..Self::default()
        };
        let mut all: Vec<Name> = Vec::new();
        for (text, value) in names {
            let text = if folded { fold(&text) } else { text };
            let mut block = [0; 16];
            let first = text.len().min(16);
            block[..first].copy_from_slice(&text.as_bytes()[..first]);
            all.push(Name {
                block,
                bits: u128::MAX.checked_shr(128 - 8 * first as u32).unwrap_or(0),
                text: text.into(),
                value,
            });
        }
        if all.len() >= usize::from(u16::MAX) {
            return None;
        }
        let size = (2 * all.len() + 2).next_power_of_two();
        let mut slots = vec![0_u16; size].into_boxed_slice();
        'names: for (number, name) in all.iter().enumerate() {
            let mut at = hash(name.text.as_bytes(), name.text.len());
            loop {
                let slot = &mut slots[at & (size - 1)];
                match slot.checked_sub(1) {
                    None => {
                        *slot = number as u16 + 1;
                        continue 'names;
                    }
                    Some(other) if all[usize::from(other)].text == name.text => continue 'names,
                    Some(_) => at += 1,
                }
            }
        }
        made.names = all.into();
        made.slots = slots;
        Some(made)
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.names.len()
    }

    /// Whether upper and lower case are the same.
    pub fn is_folded(&self) -> bool {
        self.folded
    }

    /// A name by its number.
    pub fn text(&self, number: usize) -> &str {
        self.names.get(number).map_or("", |name| &name.text)
    }

    /// Whether the name of this number is the first `length` of the bytes; those behind serve to
    /// compare a whole block. What it stands for, then.
    #[inline(always)]
    pub fn is(&self, number: usize, bytes: &[u8], length: usize) -> Option<u32> {
        let name = self.names.get(number)?;
        if name.text.len() != length || self.folded {
            return None;
        }
        name.is(bytes, length).then_some(name.value)
    }

    /// The number of a name and what it stands for: the name is the first `length` of the bytes.
    #[inline(never)]
    pub fn find(&self, bytes: &[u8], length: usize) -> Option<(usize, u32)> {
        if self.folded {
            let folded = fold(&String::from_utf8_lossy(bytes.get(..length)?));
            return self.look_up(folded.as_bytes(), folded.len());
        }
        self.look_up(bytes, length)
    }

    #[inline(always)]
    fn look_up(&self, bytes: &[u8], length: usize) -> Option<(usize, u32)> {
        let mask = self.slots.len().wrapping_sub(1);
        let mut at = hash(bytes, length);
        loop {
            let number = usize::from(self.slots.get(at & mask)?.checked_sub(1)?);
            let name = &self.names[number];
            if name.text.len() == length && name.is(bytes, length) {
                return Some((number, name.value));
            }
            at += 1;
        }
    }
}

impl Name {
    /// Whether it is these bytes, whose number is that of its own.
    #[inline(always)]
    fn is(&self, bytes: &[u8], length: usize) -> bool {
        let Some(block) = bytes.first_chunk::<16>() else {
            return bytes.get(..length) == Some(self.text.as_bytes());
        };
        let differences = u128::from_le_bytes(self.block) ^ u128::from_le_bytes(*block);
        if differences & self.bits != 0 {
            return false;
        }
        length <= 16 || self.text.as_bytes().get(16..) == bytes.get(16..length)
    }
}

/// The form in which names are equal that differ in case only.
fn fold(text: &str) -> String {
    text.to_lowercase()
}

#[inline(always)]
fn hash(bytes: &[u8], length: usize) -> usize {
    const MULTIPLIER: u64 = 0x9e37_79b9_7f4a_7c15;
    let bytes = bytes.get(..length).unwrap_or(bytes);
    let word = match (bytes.first_chunk::<8>(), bytes.last_chunk::<8>()) {
        (Some(first), Some(last)) => {
            u64::from_le_bytes(*first) ^ u64::from_le_bytes(*last).rotate_left(29)
        }
        _ => bytes
            .iter()
            .fold(0, |word, byte| word << 8 | u64::from(*byte)),
    };
    let mixed = (word ^ (length as u64) << 56).wrapping_mul(MULTIPLIER);
    (mixed >> 40) as usize
}

#[cfg(test)]
mod tests {
    use super::Names;

    fn names(texts: &[&str], folded: bool) -> Names {
        let numbered = texts.iter().enumerate();
        let numbered = numbered.map(|(number, text)| ((*text).to_owned(), number as u32));
        Names::new(numbered, folded).expect("few names")
    }

    #[test]
    fn every_name_is_found_whatever_stands_behind_it() {
        let long = "a name of more than sixteen bytes";
        let other = "a name of more than sixteen bites";
        let all = [
            "",
            "a",
            "ab",
            "identifier",
            "sixteen bytes ok",
            long,
            other,
            "é",
        ];
        let known = names(&all, false);
        for (number, name) in all.iter().enumerate() {
            let padded = format!("{name}\": more text behind the name");
            for bytes in [name.as_bytes(), padded.as_bytes()] {
                assert_eq!(known.find(bytes, name.len()), Some((number, number as u32)));
                assert_eq!(known.is(number, bytes, name.len()), Some(number as u32));
                assert_eq!(known.is(number + 1, bytes, name.len()), None);
            }
        }
        for absent in ["b", "abc", "identifies", "a name of more than sixteen byte"] {
            assert_eq!(known.find(absent.as_bytes(), absent.len()), None);
        }
    }

    #[test]
    fn the_first_of_equal_names_counts_and_case_may_not() {
        let known = names(&["a", "b", "a"], false);
        assert_eq!(known.find(b"a", 1), Some((0, 0)));
        assert_eq!(known.find(b"A", 1), None);
        let folded = names(&["userName", "ÉTÉ"], true);
        assert_eq!(folded.find(b"USERNAME", 8), Some((0, 0)));
        assert_eq!(folded.find("été".as_bytes(), 5), Some((1, 1)));
        assert_eq!(folded.is(0, b"username", 8), None);
        assert_eq!(names(&[], false).find(b"a", 1), None);
    }

    #[test]
    fn many_names_share_a_table() {
        let texts: Vec<String> = (0..5000).map(|number| format!("name {number}")).collect();
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        let known = names(&texts, false);
        for (number, text) in texts.iter().enumerate() {
            assert_eq!(
                known.find(text.as_bytes(), text.len()),
                Some((number, number as u32))
            );
        }
        assert_eq!(known.find(b"name 5000", 9), None);
    }
}
