//! Fuzz targets: functions that take any bytes and panic when octad breaks a promise.
//!
//! The same functions run under cargo-fuzz (`fuzz_targets/`) and under the runner of this crate
//! (`main.rs`), which needs no nightly toolchain. A new target gets a module, a row in [`TARGETS`]
//! and, for cargo-fuzz, a file in `fuzz_targets/` with its entry in `Cargo.toml`.

pub mod cbor;
pub mod check;
pub mod json;
pub mod mutate;
pub mod scan;
pub mod seeds;
pub mod tape;

/// A function to feed, and the bytes that its inputs like to contain.
pub struct Target {
    /// What the command line calls it.
    pub name: &'static str,
    /// Panics when a promise is broken.
    pub run: fn(&[u8]),
    /// The first inputs, before those of the test data.
    pub seeds: fn() -> Vec<Vec<u8>>,
    /// Whether the JSON files of the test data are good first inputs.
    pub takes_json: bool,
}

/// Every target.
pub const TARGETS: &[Target] = &[
    Target {
        name: "scan",
        run: scan::run,
        seeds: seeds::texts,
        takes_json: true,
    },
    Target {
        name: "json",
        run: json::run,
        seeds: seeds::texts,
        takes_json: true,
    },
    Target {
        name: "check",
        run: check::run,
        seeds: check::seeds,
        takes_json: false,
    },
    Target {
        name: "cbor",
        run: cbor::run,
        seeds: cbor::seeds,
        takes_json: false,
    },
    Target {
        name: "tape",
        run: tape::run,
        seeds: tape::seeds,
        takes_json: false,
    },
];
