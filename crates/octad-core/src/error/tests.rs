//! The table is whole and in order; paths print in both spellings; messages fill their holes.

use super::{Error, ErrorCode, Path, Segment, TABLE, excerpt_at, quote};

#[test]
fn rows_stand_at_the_place_of_their_code() {
    for (place, row) in TABLE.iter().enumerate() {
        assert_eq!(row.code as usize, place, "{}", row.name);
        assert!(
            row.name
                .bytes()
                .all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-')
        );
        assert!(row.template.starts_with("expected "), "{}", row.template);
        assert!(!row.template.ends_with('.'), "{}", row.template);
    }
    let names: std::collections::HashSet<_> = TABLE.iter().map(|row| row.name).collect();
    assert_eq!(names.len(), TABLE.len());
}

#[test]
fn an_error_is_one_pointer_wide() {
    assert_eq!(size_of::<Error>(), size_of::<usize>());
    assert_eq!(size_of::<Result<(), Error>>(), size_of::<usize>());
}

#[test]
fn paths_print_in_both_spellings() {
    let path = Path::from_outer([
        Segment::Key("items".into()),
        Segment::Index(2),
        Segment::Key("a/b~c d".into()),
        Segment::Key("it's".into()),
        Segment::Key(String::new()),
    ]);
    assert_eq!(path.to_string(), r"$.items[2]['a/b~c d']['it\'s']['']");
    assert_eq!(path.pointer(), "/items/2/a~1b~0c d/it's/");
    assert_eq!(Path::root().to_string(), "$");
    assert_eq!(Path::root().pointer(), "");
}

#[test]
fn segments_added_on_the_way_out_end_up_in_reading_order() {
    let error = Error::at(ErrorCode::ExpectedValue, 7)
        .in_key("price")
        .in_index(2)
        .in_key("items");
    assert_eq!(error.path().to_string(), "$.items[2].price");
}

#[test]
fn a_last_frame_without_a_step_does_not_change_the_ends() {
    let steps: Vec<Option<usize>> = (0..1000).map(Some).chain([None]).collect();
    let all = Path::from_outer((0..1000).map(Segment::Index));
    let ends = Path::from_ends(&steps, |step| step.map(Segment::Index));
    assert_eq!(ends, all.bounded());
}

#[test]
fn what_cannot_be_seen_is_shown_as_its_escape() {
    assert_eq!(quote("a\n\u{202e}b".as_bytes()), "`a\\u000a\\u202eb`");
    let path = Path::from_outer([Segment::Key("x\u{7f}\u{200b}y".into())]);
    assert_eq!(path.to_string(), "$['x\\u007f\\u200by']");
}

#[test]
fn messages_fill_their_holes_and_can_hide_the_input() {
    let error = Error::at(ErrorCode::ExpectedValue, 1).with_found(b"[secret]");
    assert_eq!(error.message(true), "expected a value, found `secret`");
    assert_eq!(
        error.message(false),
        "expected a value, found input that is not shown"
    );
}

#[test]
fn excerpts_are_short_and_readable() {
    assert_eq!(excerpt_at(b"[1 2]", 3), "`2`");
    assert_eq!(excerpt_at(b"[]", 2), "the end of the text");
    assert_eq!(excerpt_at(b"a\x01", 1), "the control character U+0001");
    assert_eq!(excerpt_at(b"\"\xff\"", 1), "the byte 0xff");
    assert_eq!(excerpt_at("[é]".as_bytes(), 1), "`é`");
    assert_eq!(excerpt_at(b"\"\\q\"", 1), "`\\q`");
    assert_eq!(excerpt_at(b"\"\\u12", 1), "`\\u12`");
    assert_eq!(quote(&[b'x'; 100]).chars().count(), 43);
}
