//! The first inputs of the targets: small ones written here, and files of the test data.
//!
//! The test data lies in the folder that `OCTAD_TEST_DATA` names; without it the small ones serve.

use std::fs;
use std::path::{Path, PathBuf};

/// Small texts that hold every construct once.
pub fn texts() -> Vec<Vec<u8>> {
    let plain: &[&str] = &[
        "",
        "null",
        "[]",
        "{}",
        "-0.0",
        "\"\"",
        " \t\r\n[true , false]\n",
        "[0, -1, 12345678901234567890, 1.5e-300, 1E400, 0.1, -9223372036854775808]",
        "{\"a\": {\"b\": [1, {\"c\": null}]}, \"a\": 2, \"\": \"\"}",
        "\"\\\"\\\\\\/\\b\\f\\n\\r\\t\\u0000\\u00e9\\ud83d\\ude00\\ud800\"",
        "\"h\u{e9}llo \u{20ac} \u{1f600} \u{2028}<&>'\"",
        "\u{feff}[1]",
        "[1,]  // note\n/* more */",
        "[NaN, Infinity, -Infinity]",
        "{\"name\": \"first\", \"size\": 10, \"tags\": [\"x\", \"y\"]}",
    ];
    let mut all: Vec<Vec<u8>> = plain.iter().map(|text| text.as_bytes().to_vec()).collect();
    all.push(b"[\"\xff\", \"\xc0\x80\", \"\xed\xa0\x80\", \"\xf4\x90\x80\x80\"]".to_vec());
    all.push([b"[".repeat(200), b"]".repeat(200)].concat());
    all.push([&b"{\"k\":\""[..], &b"v".repeat(300), b"\"}"].concat());
    all
}

/// The JSON files of the conformance suites, the smaller ones, in the order of their names.
pub fn conformance() -> Vec<Vec<u8>> {
    let Some(root) = std::env::var_os("OCTAD_TEST_DATA") else {
        return Vec::new();
    };
    let mut files = Vec::new();
    for suite in ["jsontestsuite", "json-checker", "nativejson-roundtrip"] {
        collect(
            &Path::new(&root).join("conformance").join(suite),
            &mut files,
        );
    }
    files.sort();
    files
        .iter()
        .filter_map(|file| fs::read(file).ok())
        .collect()
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    const LARGEST: u64 = 16 << 10;
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            collect(&path, files);
        } else if path.extension().is_some_and(|kind| kind == "json")
            && entry.metadata().is_ok_and(|facts| facts.len() <= LARGEST)
        {
            files.push(path);
        }
    }
}
