//! Value codecs shared by text formats: numbers, escapes, base64, lines.
//!
//! Knows bytes and values; never a token, a document or a format's grammar.
