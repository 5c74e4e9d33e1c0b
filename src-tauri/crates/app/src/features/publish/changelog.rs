//! The changelog of a skill, as `CHANGELOG.md` in its folder: a section for each version, the newest first.

use std::fmt::Write as _;

use inklings_core::change::PathChange;
use inklings_core::skill::{Package, SkillFile};
use inklings_core::tree::TreeFile;
use inklings_core::{SkillPath, Time};
use semver::Version;

use super::version::SkillDiff;

pub(super) const CHANGELOG: &str = "CHANGELOG.md";
const TITLE: &str = "# Changelog\n";

/// Proposed text for what changed, as a Markdown list.
pub(super) fn proposal(diff: &SkillDiff) -> String {
    let changed = diff.files.iter().filter(|file| file.change == PathChange::Modified && file.text && file.path.as_str() != CHANGELOG);
    let lines = diff.reasons.iter().cloned().chain(changed.map(|file| format!("changes {}", file.path)));
    lines.fold(String::new(), |mut text, line| {
        let (first, rest) = line.split_at(line.chars().next().map_or(0, char::len_utf8));
        // Writing to a String can't fail.
        let _ = writeln!(text, "- {}{rest}.", first.to_uppercase());
        text
    })
}

/// Adds a section for a version, unless there is one: a release that failed is tried again. False if the file isn't text.
pub(super) fn add_section(package: &mut Package, path: &SkillPath, version: &Version, now: Time, text: &str) -> bool {
    let known = package.files.iter_mut().find(|file| file.path == *path);
    let Some(before) = known.as_ref().map_or(Some(""), |file| file.entry.editable_text()) else { return false };
    let after = with_section(before, version, now, text);
    match known {
        Some(file) => file.entry.bytes = after.into_bytes().into(),
        None => package.files.push(SkillFile { path: path.clone(), entry: TreeFile::new(after.into_bytes()) }),
    }
    package.files.sort_by(|a, b| a.path.cmp(&b.path));
    true
}

fn with_section(before: &str, version: &Version, now: Time, text: &str) -> String {
    let heading = format!("## {version}");
    let is_heading = |line: &str| line == heading || line.strip_prefix(&heading).is_some_and(|rest| rest.starts_with(' '));
    if before.lines().any(is_heading) {
        return before.to_owned();
    }
    let day: String = now.to_string().chars().take("2026-01-01".len()).collect();
    let section = format!("{heading} - {day}\n\n{}\n", text.trim());
    let first = before.match_indices("## ").map(|(at, _)| at).find(|at| *at == 0 || before[..*at].ends_with('\n'));
    match first {
        Some(at) => format!("{}{section}\n{}", &before[..at], &before[at..]),
        None if before.trim().is_empty() => format!("{TITLE}\n{section}"),
        None => format!("{}\n\n{section}", before.trim_end()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn add(before: &str, version: &str) -> String {
        with_section(before, &Version::parse(version).unwrap(), Time::from_millis(1_767_225_600_000), "- New.\n")
    }

    #[test]
    fn the_newest_section_is_the_first() {
        let first = add("", "1.0.0");
        assert_eq!(first, "# Changelog\n\n## 1.0.0 - 2026-01-01\n\n- New.\n");
        let second = add(&first, "1.1.0");
        assert_eq!(second, "# Changelog\n\n## 1.1.0 - 2026-01-01\n\n- New.\n\n## 1.0.0 - 2026-01-01\n\n- New.\n");
        assert_eq!(add("Notes.\n", "1.0.0"), "Notes.\n\n## 1.0.0 - 2026-01-01\n\n- New.\n");
    }

    #[test]
    fn a_version_has_one_section() {
        let first = add("", "1.0.0");
        assert_eq!(add(&first, "1.0.0"), first);
        assert_ne!(add(&add("", "1.0.0-beta"), "1.0.0"), add("", "1.0.0-beta"));
    }
}
