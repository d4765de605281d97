//! The target `cbor` for cargo-fuzz.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| octad_fuzz::cbor::run(data));
