//! The target `check` for cargo-fuzz.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| octad_fuzz::check::run(data));
