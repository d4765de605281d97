//! Equal keys: two spellings of one value are one key, and a map is no other for its order.
//!
//! A scalar key is compared by its deterministic encoding. A key that is a container is compared by
//! a fingerprint of 128 bits, made from those of what is in it, so that keys in keys cost no more
//! than their size; it is keyed at random, so nobody can make two that agree.

use core::hash::{BuildHasher, Hasher};
use std::hash::RandomState;

use crate::error::Result;
use crate::formats::Place;
use crate::tape::{self, Tape};
use crate::token::{Kind, Token, TokenId};

use super::diag::key_text;
use super::places::places;
use super::recode::key_form;

/// Refuses a map with two equal keys: the second one nearest to the start is reported.
pub(super) fn check(input: &[u8], tape: &Tape) -> Result<()> {
    let tokens = tape.tokens();
    let forms = Forms {
        input,
        tokens,
        places: &places(tape, input),
    };
    let fingerprints = forms.fingerprints();
    let repeat = tape::repeated_key(tokens, |key| {
        let form = match fingerprints.get(key as usize) {
            Some(print) if tokens[key as usize].is_container() => {
                // No item begins with a break code.
                let mut form = vec![super::head::BREAK];
                form.extend_from_slice(&forms.tags(key));
                form.extend_from_slice(&print.to_le_bytes());
                form
            }
            _ => key_form(forms.item(key)),
        };
        Ok((form, forms.start(key)))
    })?;
    let Some(repeat) = repeat else {
        return Ok(());
    };
    let name = key_text(input, repeat.at);
    let steps = tape::steps_to(tokens, repeat.head, |key| key_text(input, forms.start(key)));
    Err(repeat.error(name, steps))
}

struct Forms<'f> {
    input: &'f [u8],
    tokens: &'f [Token],
    places: &'f [Place],
}

impl Forms<'_> {
    /// Where the value at `id` starts, its tags included.
    fn start(&self, id: TokenId) -> usize {
        let first = tape::first_tag(self.tokens, id);
        self.places[first as usize].start as usize
    }

    /// The bytes of the value at `id`, its tags included.
    fn item(&self, id: TokenId) -> &[u8] {
        &self.input[self.start(id)..self.places[id as usize].end as usize]
    }

    /// The tags of the value at `id`, in their preferred form.
    fn tags(&self, id: TokenId) -> Vec<u8> {
        let mut out = Vec::new();
        for tag in tape::first_tag(self.tokens, id)..id {
            let at = self.places[tag as usize].start as usize;
            if let Ok(head) = super::head::head(self.input, at) {
                super::head::put_head(head.major, head.value, &mut out);
            }
        }
        out
    }

    /// A fingerprint for each token, if a container is a key somewhere; else none.
    fn fingerprints(&self) -> Vec<u128> {
        let asked = (0..self.tokens.len() as TokenId).any(|head| {
            self.tokens[head as usize].kind() == Kind::Map
                && tape::entries(self.tokens, head)
                    .any(|(key, _)| self.tokens[key as usize].is_container())
        });
        if !asked {
            return Vec::new();
        }
        let keys = [RandomState::new(), RandomState::new()];
        let print = |write: &dyn Fn(&mut dyn Hasher)| {
            let [low, high] = keys.each_ref().map(|key| {
                let mut hasher = key.build_hasher();
                write(&mut hasher);
                u128::from(hasher.finish())
            });
            high << 64 | low
        };
        let mut prints = vec![0_u128; self.tokens.len()];
        // What is in a container stands behind its head.
        for id in (1..self.tokens.len() as TokenId).rev() {
            let token = self.tokens[id as usize];
            if token.is_beside() {
                continue;
            }
            if !token.is_container() {
                let form = key_form(self.item(id));
                prints[id as usize] = print(&|hasher| hasher.write(&form));
                continue;
            }
            // That of a value in it, with its tags.
            let whole = |id: TokenId| {
                let tags = self.tags(id);
                print(&|hasher| {
                    hasher.write(&tags);
                    hasher.write_u128(prints[id as usize]);
                })
            };
            prints[id as usize] = if token.kind() == Kind::Map {
                // A sum does not ask for an order.
                let sum = tape::entries(self.tokens, id).fold(1_u128, |sum, (key, value)| {
                    let (key, value) = (whole(key), whole(value));
                    sum.wrapping_add(print(&|hasher| {
                        hasher.write_u128(key);
                        hasher.write_u128(value);
                    }))
                });
                print(&|hasher| hasher.write_u128(sum))
            } else {
                let all: Vec<u128> = tape::children(self.tokens, id).map(whole).collect();
                print(&|hasher| all.iter().for_each(|one| hasher.write_u128(*one)))
            };
        }
        prints
    }
}
