//! The target `check`: the checker and the reader, two programs for one grammar, say the same.
//!
//! The first three bytes of an input choose the options, so that limits, leniencies and policies
//! meet in all combinations; the rest is the text.

use octad_core::formats::json::{Duplicates, NanRead, ReadOptions};
use octad_core::limits::Limits;
use octad_core::text::escape::Surrogates;

use agreement::agree;

/// The rule of the property tests.
#[path = "../../crates/octad-core/tests/agreement/mod.rs"]
pub mod agreement;

/// Compares the first problem with the reader's error, in both modes of numbers.
pub fn run(data: &[u8]) {
    let Some((options, text)) = data.split_first_chunk::<3>() else {
        return;
    };
    agree(text, &chosen(*options));
}

fn chosen([grammar, policies, limits]: [u8; 3]) -> ReadOptions {
    let bit = |place: u32| grammar >> place & 1 == 1;
    let comments = bit(0);
    ReadOptions {
        comments,
        trailing_commas: bit(1),
        overflow_is_infinite: bit(2),
        decimals: false,
        lazy_values: false,
        duplicates: [Duplicates::Last, Duplicates::Error][usize::from(policies % 2)],
        surrogates: [Surrogates::Error, Surrogates::Replace, Surrogates::Keep]
            [usize::from(policies / 2 % 3)],
        nan: [NanRead::Error, NanRead::Literal, NanRead::Null][usize::from(policies / 6 % 3)],
        limits: Limits {
            depth: if limits % 4 == 1 { 3 } else { 1024 },
            // Comments of a document count as tokens, those of other readings do not.
            tokens: (limits / 4 % 4 == 1 && !comments).then_some(9),
            text: (limits / 16 % 4 == 1).then_some(6),
            digits: (limits / 64 == 1).then_some(20),
            ..Limits::default()
        },
    }
}

/// The texts of the other targets under a few options.
pub fn seeds() -> Vec<Vec<u8>> {
    let options = [[0, 0, 0], [7, 7, 0], [0, 1, 16], [2, 3, 85], [1, 13, 1]];
    let mut texts = crate::seeds::texts();
    texts.extend(crate::seeds::conformance());
    texts
        .iter()
        .flat_map(|text| options.map(|options| [&options, &text[..]].concat()))
        .collect()
}
