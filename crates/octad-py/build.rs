//! Tells the compiler which CPython the extension is built for (`cfg(Py_3_12)` and so on), and asks
//! the headers of that CPython whether its dicts are laid out as `src/cpython/split_table.rs` says.
//!
//! Headers that say otherwise switch shared tables of keys off (`cfg(octad_layout_refuted)`).
//! Headers or a C compiler that are not there change nothing: the module asks the running
//! interpreter in any case.

use std::env;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

const FACTS: &str = "layout/split_table.c";

fn main() {
    pyo3_build_config::use_pyo3_cfgs();
    println!("cargo::rustc-check-cfg=cfg(octad_layout_refuted)");
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed={FACTS}");
    let python = pyo3_build_config::get();
    // Later layouts are not used, so there is nothing to ask.
    let asked = (11..=13).contains(&python.version().minor);
    let Some(include) = python.executable().and_then(include_folder) else {
        return;
    };
    if asked && compiles(&include, true) && !compiles(&include, false) {
        println!("cargo::warning=dicts of this Python are laid out otherwise: no shared keys");
        println!("cargo::rustc-cfg=octad_layout_refuted");
    }
}

/// Where an interpreter has its headers.
fn include_folder(executable: &str) -> Option<PathBuf> {
    let question = "import sysconfig; print(sysconfig.get_path('include'))";
    let answer = Command::new(executable)
        .args(["-I", "-c", question])
        .output()
        .ok()?;
    let folder = String::from_utf8(answer.stdout).ok()?;
    Some(PathBuf::from(folder.trim()))
}

/// Whether a C compiler takes the file of facts, or only its includes.
fn compiles(include: &Path, headers_only: bool) -> bool {
    let Ok(compiler) = cc::Build::new().cargo_metadata(false).try_get_compiler() else {
        return false;
    };
    let mut command = compiler.to_command();
    if compiler.is_like_msvc() {
        command.args(["/std:c11", "/Zs"]);
    } else {
        command.args(["-std=c11", "-fsyntax-only"]);
    }
    if headers_only {
        command.arg("-DHEADERS_ONLY");
    }
    let root = env::var_os("CARGO_MANIFEST_DIR").map_or_else(PathBuf::new, PathBuf::from);
    command.arg("-I").arg(include).arg(root.join(FACTS));
    command.stdout(Stdio::null()).stderr(Stdio::null());
    command.status().is_ok_and(|status| status.success())
}
