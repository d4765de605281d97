//! Identifiers of 16 bytes (RFC 9562) in their form with hyphens.

/// The text: `urn` and braces left out, digits in lower case.
#[must_use]
pub fn write(value: &[u8; 16]) -> [u8; 36] {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    let mut text = [b'-'; 36];
    let mut at = 0;
    for byte in value {
        // In front of these bytes there is a hyphen.
        if matches!(at, 8 | 13 | 18 | 23) {
            at += 1;
        }
        text[at] = DIGITS[usize::from(byte >> 4)];
        text[at + 1] = DIGITS[usize::from(byte & 15)];
        at += 2;
    }
    text
}

#[cfg(test)]
mod tests {
    #[test]
    fn has_its_hyphens() {
        let bytes = *b"\x12\x3e\x45\x67\xe8\x9b\x12\xd3\xa4\x56\x42\x66\x14\x17\x40\x00";
        let text = super::write(&bytes);
        assert_eq!(&text, b"123e4567-e89b-12d3-a456-426614174000");
    }
}
