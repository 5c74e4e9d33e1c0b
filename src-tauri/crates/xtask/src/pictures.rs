//! `cargo xtask pictures`: takes screenshots. Those of the README go into the repository, all others into the cache. Window tests take none
//! of their own accord.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result};
use clap::Args;

use crate::paths::Paths;
use crate::process;
use crate::setup::{self, Purpose};
use crate::{build, install, sandbox, sidecar, test};

/// Pictures of the README: the name in the tests, and the file.
const SHOWN: [(&str, &str); 3] = [("editing", "editor.png"), ("comparison", "comparison.png"), ("place-library", "library.png")];
/// The tests that take them.
const SPECS: [&str; 3] = ["specs/look-editing.test.mjs", "specs/history.test.mjs", "specs/look-places.test.mjs"];
const TESTS: &str = "^pictures of (editing and settings|history and comparisons|every view)$";
/// All tests that take screenshots.
const ALL: &str = "pictures";

#[derive(Args)]
pub(crate) struct Options {
    /// Also take every view in both themes and sizes
    #[arg(long)]
    all: bool,
}

/// Builds the app, takes the screenshots and prints their folder.
pub(crate) fn run(paths: &Paths, options: &Options) -> Result<bool> {
    setup::ensure(paths, Purpose::Window)?;
    sandbox::ensure(paths)?;
    sidecar::ensure(paths)?;
    build::ui(paths)?;
    process::check(&mut build::rust(paths), "cargo build")?;
    let taken = install::empty_folder(paths.cache.join("pictures"))?;
    let (specs, tests) = if options.all { (&[] as &[&str], ALL) } else { (&SPECS as &[&str], TESTS) };
    let mut window = test::in_window(paths, specs, |program| paths.built(program));
    window.env("INKLINGS_SCREENS", &taken).env("INKLINGS_TESTS", tests);
    process::check(&mut window, "taking pictures")?;
    for (name, file) in SHOWN {
        copy(&taken.join(format!("{name}-dark-1280x800.png")), &paths.root.join("tests/e2e/pictures").join(file))?;
    }
    println!("{}", taken.display());
    Ok(true)
}

fn copy(from: &Path, to: &Path) -> Result<()> {
    fs::copy(from, to).map(drop).with_context(|| format!("cannot copy {} to {}", from.display(), to.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_readme_shows_what_is_taken_and_nothing_else_is_kept() {
        let paths = Paths::find().unwrap();
        let readme = fs::read_to_string(paths.root.join("README.md")).unwrap();
        let mut kept: Vec<_> =
            fs::read_dir(paths.root.join("tests/e2e/pictures")).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        kept.sort();
        let mut shown = SHOWN.map(|(_, file)| file);
        shown.sort_unstable();
        assert_eq!(kept, shown);
        assert!(shown.iter().all(|file| readme.contains(&format!("](tests/e2e/pictures/{file})"))), "{readme}");
        assert!(!paths.root.join("tests/e2e/screens").exists());
    }

    #[test]
    fn the_tests_that_take_them_are_there() {
        let paths = Paths::find().unwrap();
        let specs = SPECS.map(|spec| fs::read_to_string(paths.e2e().join(spec)).unwrap()).concat();
        for title in ["'pictures of editing and settings'", "'pictures of history and comparisons'", "`pictures of every ${kind}`"] {
            assert!(specs.contains(title), "{title}");
        }
    }
}
