//! Random numbers and mutations: repeatable from a seed, knows bytes and JSON's favourite pieces.
//!
//! Blind (no coverage tells which input was good), so it lives on good first inputs, and on a pool
//! in which mutants replace their ancestors by chance.

/// A small generator (splitmix64): the same seed gives the same run on every machine.
pub struct Random(pub u64);

impl Random {
    /// The next number.
    pub fn number(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number below `end`; 0 where there is none.
    pub fn below(&mut self, end: usize) -> usize {
        if end == 0 {
            0
        } else {
            (self.number() % end as u64) as usize
        }
    }
}

const PIECES: &[&[u8]] = &[
    b"\"",
    b"\\",
    b"[",
    b"]",
    b"{",
    b"}",
    b",",
    b":",
    b" ",
    b"\n",
    b"\t",
    b"\r\n",
    b"0",
    b"-",
    b".",
    b"e",
    b"E+",
    b"1",
    b"null",
    b"true",
    b"false",
    b"NaN",
    b"-Infinity",
    b"//",
    b"/*",
    b"*/",
    b"\\u0000",
    b"\\ud800",
    b"\\udc00",
    b"\\ud83d\\ude00",
    b"\\n",
    b"\\\"",
    b"\"\":",
    b"[[[[",
    b"]]]]",
    b"{\"a\":",
    b"1e308",
    b"1e309",
    b"-0",
    b"0.1",
    b"9007199254740993",
    b"18446744073709551616",
    b"\xef\xbb\xbf",
    b"\xc3\xa9",
    b"\xe2\x82\xac",
    b"\xe2\x80\xa8",
    b"\xf0\x9f\x98\x80",
    b"\xff",
    b"\xc0",
    b"\xed\xa0\x80",
    b"\x00",
    b"\x1f",
    b"\x7f",
    b"<",
    b"&",
    b"'",
    b">",
];
const LARGEST: usize = 8 << 10;

/// Changes an input in one to eight places; `other` is a second one to cut pieces from.
pub fn mutate(random: &mut Random, input: &mut Vec<u8>, other: &[u8]) {
    for _ in 0..1 + random.below(8).min(random.below(8)) {
        step(random, input, other);
    }
    input.truncate(LARGEST);
}

fn step(random: &mut Random, input: &mut Vec<u8>, other: &[u8]) {
    let place = random.below(input.len() + 1);
    let (start, end) = range(random, input.len(), 64);
    match random.below(9) {
        0 => {
            if let Some(byte) = input.get_mut(place) {
                *byte ^= 1 << random.below(8);
            }
        }
        1 => {
            if let Some(byte) = input.get_mut(place) {
                *byte = random.number() as u8;
            }
        }
        2 => insert(input, place, PIECES[random.below(PIECES.len())]),
        3 => {
            let piece = PIECES[random.below(PIECES.len())];
            input.splice(start..end, piece.iter().copied());
        }
        4 => {
            input.drain(start..end);
        }
        5 => {
            let copy = input[start..end].to_vec();
            insert(input, place, &copy);
        }
        6 => {
            let (start, end) = range(random, other.len(), 256);
            insert(input, place, &other[start..end]);
        }
        7 => {
            let piece = PIECES[random.below(PIECES.len())];
            insert(input, place, &piece.repeat(1 + random.below(140)));
        }
        _ => input.truncate(place),
    }
}

fn range(random: &mut Random, len: usize, longest: usize) -> (usize, usize) {
    let start = random.below(len + 1);
    (start, (start + random.below(longest)).min(len))
}

fn insert(input: &mut Vec<u8>, place: usize, bytes: &[u8]) {
    input.splice(place..place, bytes.iter().copied());
}
