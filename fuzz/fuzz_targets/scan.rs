//! The target `scan` for cargo-fuzz.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| octad_fuzz::scan::run(data));
