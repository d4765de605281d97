//! The runner for stable Rust: feeds the targets with mutated inputs for some seconds.
//!
//! `fuzz [target ...] [--seconds N] [--seed N]` runs the named targets (all, when none is named),
//! N seconds in total; `fuzz --replay FILE target` runs one input. An input that makes a target
//! panic, or keeps it busy for too long, is written to `artifacts/` and named. One that ends the
//! process (a stack overflow) cannot be kept in time: run again with the same seed and
//! `--keep-each`, which writes every input to `artifacts/last` before it runs.

use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::process::exit;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use octad_fuzz::mutate::{Random, mutate};
use octad_fuzz::{TARGETS, Target, seeds};

const USAGE: &str = "usage: fuzz [target ...] [--seconds N] [--seed N] [--keep-each] \
                     | fuzz --replay FILE target";
const HANGS_AFTER: u64 = 20;
const POOL: usize = 4096;

/// The input under the target now, for the watchdog.
#[derive(Default)]
struct Current {
    runs: AtomicU64,
    input: Mutex<Vec<u8>>,
}

fn main() {
    let mut seconds = 60.0;
    let mut seed = 88;
    let mut replay = None;
    let mut keep_each = false;
    let mut chosen: Vec<&Target> = Vec::new();
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        let mut value = || arguments.next().unwrap_or_else(|| stop(USAGE));
        match argument.as_str() {
            "--seconds" => seconds = value().parse().unwrap_or_else(|_| stop(USAGE)),
            "--seed" => seed = value().parse().unwrap_or_else(|_| stop(USAGE)),
            "--keep-each" => keep_each = true,
            "--replay" => replay = Some(value()),
            name => match TARGETS.iter().find(|target| target.name == name) {
                Some(target) => chosen.push(target),
                None => stop(&format!("no target `{name}`; {USAGE}")),
            },
        }
    }
    if let Some(file) = replay {
        let [target] = chosen[..] else { stop(USAGE) };
        let input = fs::read(&file).unwrap_or_else(|error| stop(&format!("{file}: {error}")));
        (target.run)(&input);
        println!("{file} passed {}", target.name);
        return;
    }
    if chosen.is_empty() {
        chosen.extend(TARGETS);
    }
    let share = Duration::from_secs_f64(seconds / chosen.len() as f64);
    println!(
        "fuzzing with seed {seed}, {:.1} s a target",
        share.as_secs_f64()
    );
    let failed = chosen
        .iter()
        .filter(|target| !fuzz(target, share, seed, keep_each))
        .count();
    println!("fuzz: {} passed, {failed} failed", chosen.len() - failed);
    exit(i32::from(failed > 0));
}

/// Runs one target for a while; false when an input broke it.
fn fuzz(target: &Target, share: Duration, seed: u64, keep_each: bool) -> bool {
    let mut random = Random(seed);
    let mut pool = (target.seeds)();
    if target.takes_json {
        pool.extend(seeds::conformance());
    }
    let first = pool.len();
    let current = Arc::new(Current::default());
    watch(target.name, &current);
    let start = Instant::now();
    let mut runs = 0;
    while runs < first || start.elapsed() < share {
        let input = if runs < first {
            pool[runs].clone()
        } else {
            let mut input = pool[random.below(pool.len())].clone();
            let other = random.below(pool.len());
            mutate(&mut random, &mut input, &pool[other]);
            input
        };
        lock(&current).clone_from(&input);
        if keep_each {
            keep("last", &input);
        }
        if catch_unwind(AssertUnwindSafe(|| (target.run)(&input))).is_err() {
            println!(
                "{}: broken in run {runs} by {}",
                target.name,
                keep(target.name, &input)
            );
            current.runs.store(u64::MAX, Ordering::Relaxed);
            return false;
        }
        runs += 1;
        current.runs.store(runs as u64, Ordering::Relaxed);
        if runs > first && random.below(16) == 0 {
            if pool.len() < POOL {
                pool.push(input);
            } else {
                // The first inputs stay: without them a blind run drifts into noise.
                let place = first + random.below(POOL.saturating_sub(first));
                pool[place.min(POOL - 1)] = input;
            }
        }
    }
    current.runs.store(u64::MAX, Ordering::Relaxed);
    let rate = runs as f64 / start.elapsed().as_secs_f64();
    println!(
        "{}: {runs} runs, {rate:.0} a second, {first} first inputs",
        target.name
    );
    true
}

fn lock(current: &Current) -> std::sync::MutexGuard<'_, Vec<u8>> {
    current.input.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Ends the process when one run takes too long, and keeps its input.
fn watch(name: &'static str, current: &Arc<Current>) {
    let current = Arc::clone(current);
    std::thread::spawn(move || {
        let mut seen = current.runs.load(Ordering::Relaxed);
        while seen != u64::MAX {
            std::thread::sleep(Duration::from_secs(HANGS_AFTER));
            let now = current.runs.load(Ordering::Relaxed);
            if now == seen {
                let input = lock(&current).clone();
                stop(&format!(
                    "{name}: busy for too long with {}",
                    keep(name, &input)
                ));
            }
            seen = now;
        }
    });
}

/// Writes an input to `artifacts/` and gives its path; `last` is always the same file.
fn keep(name: &str, input: &[u8]) -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("artifacts");
    let digest = input.iter().fold(0xcbf2_9ce4_8422_2325_u64, |hash, &byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    });
    let path: PathBuf = match name {
        "last" => folder.join(name),
        _ => folder.join(format!("{name}-{digest:016x}")),
    };
    let written = fs::create_dir_all(&folder).and_then(|()| fs::write(&path, input));
    match written {
        Ok(()) => path.display().to_string(),
        Err(error) => format!("an input that could not be kept ({error}): {input:02x?}"),
    }
}

fn stop(message: &str) -> ! {
    eprintln!("{message}");
    exit(2)
}
