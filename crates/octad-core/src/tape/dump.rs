//! The tape as text, one line a token: the form of `docs/tape.md`, used by every test.

use core::fmt::Write;

use crate::token::{Kind, Token, TokenId, variant};

use super::Tape;

/// All tokens of a tape, a line each.
#[must_use]
pub fn dump(tape: &Tape, source: &[u8]) -> String {
    let mut text = String::new();
    for id in 0..tape.end() {
        text.push_str(&dump_token(tape, source, id));
        text.push('\n');
    }
    text
}

/// One token, such as `3 LIST plain span=5 count=3`.
#[must_use]
pub fn dump_token(tape: &Tape, source: &[u8], id: TokenId) -> String {
    let token = tape.get(id);
    let kind = token.kind();
    let mut line = format!("{id} {}", kind.name());
    if let Some(name) = kind.variants().get(token.variant() as usize)
        && kind != Kind::Void
    {
        line.push(' ');
        line.push_str(name);
    }
    // Writing into a String cannot fail.
    let _ = match kind {
        Kind::Void | Kind::Reserved => Ok(()),
        Kind::Simple => {
            if token.payload() == 0 {
                Ok(())
            } else {
                write!(line, " {}", token.payload())
            }
        }
        Kind::Int if token.is_owned() => write!(line, " inline {}", token.int_value()),
        Kind::Real59 => write!(line, " {:?}", token.real59_value()),
        Kind::Short => {
            let (bytes, length) = token.short_value();
            write!(
                line,
                " {:?}",
                String::from_utf8_lossy(&bytes[..length.min(7)])
            )
        }
        Kind::Tag if token.variant() == variant::TAG_LOCATED => {
            dump_located(&mut line, tape, source, token)
        }
        Kind::Tag => match token.ext_code() {
            Some(code) => write!(line, " {code}"),
            None => write!(line, " {}", token.payload()),
        },
        Kind::Record => write!(line, " span={} shape={}", token.span(), token.count()),
        Kind::List | Kind::Map => write!(line, " span={} count={}", token.span(), token.count()),
        _ => dump_located(&mut line, tape, source, token),
    };
    line
}

fn dump_located(line: &mut String, tape: &Tape, source: &[u8], token: Token) -> core::fmt::Result {
    let at = token.location();
    let Some(range) = tape.range(token) else {
        return write!(line, " long {} missing", at.offset);
    };
    write!(line, " {}+{}", range.start, range.len())?;
    if at.length == Token::LONG {
        write!(line, " long {}", at.offset)?;
    }
    if token.kind() == Kind::Trivia {
        if let Some(placement) = token.placement() {
            write!(line, " {}", placement.name())?;
        }
    } else {
        if at.escaped {
            line.push_str(" E");
        }
        if at.non_ascii {
            line.push_str(" N");
        }
    }
    if token.is_owned() {
        line.push_str(" arena");
        return Ok(());
    }
    match source.get(range) {
        Some(bytes) => {
            // Whatever its length, no more is decoded than could be shown.
            let text = String::from_utf8_lossy(&bytes[..bytes.len().min(4 * 41)]);
            if text.chars().count() > 40 {
                let short: String = text.chars().take(40).collect();
                write!(line, " {short:?}…")
            } else {
                write!(line, " {text:?}")
            }
        }
        None => write!(line, " outside the source"),
    }
}
