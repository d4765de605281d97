//! The target `tape` for cargo-fuzz.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| octad_fuzz::tape::run(data));
