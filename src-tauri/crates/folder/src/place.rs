//! Default paths of new artifacts (P3): assigned once, never parsed back.

use std::collections::{HashMap, HashSet};

use inklings_core::kind::ArtifactKind;
use inklings_core::name::slugify;
use inklings_core::path::SkillPath;
use inklings_core::skill::{Package, skill_json, skill_md};

/// Characters of a generated file name's stem.
const STEM_CHARS: usize = 64;

/// The path of a new artifact: `prompts/<stem>[.<variant>].j2` and the like. A path that `taken`
/// holds, in any case, gets `-2`, `-3`, … after the stem.
#[must_use]
pub fn default_path(kind: ArtifactKind, name: &str, variant: Option<&str>, taken: &[&SkillPath]) -> SkillPath {
    Taken::of(taken.iter().copied()).free_path(kind, name, variant)
}

/// The path of a DSPy module's state.
#[must_use]
pub fn default_state_path(name: &str, taken: &[&SkillPath]) -> SkillPath {
    Taken::of(taken.iter().copied()).free_state_path(name)
}

/// Every path that a package uses or will use.
#[must_use]
pub fn taken_paths(package: &Package) -> Vec<SkillPath> {
    let states = package.artifacts.iter().filter_map(|artifact| artifact.state.as_ref());
    (package.artifacts.iter().map(|artifact| artifact.path.clone()))
        .chain(states.map(|state| state.path.clone()))
        .chain(package.files.iter().map(|file| file.path.clone()))
        .chain([package.main_path.clone(), skill_json()])
        .collect()
}

/// The paths of a skill, any case, to find free ones among.
pub(crate) struct Taken {
    folded: HashSet<String>,
    /// For a path that was wanted before: the number to try next.
    numbers: HashMap<String, usize>,
}

impl Taken {
    pub(crate) fn of<'a>(paths: impl Iterator<Item = &'a SkillPath>) -> Self {
        Self { folded: paths.map(SkillPath::folded).collect(), numbers: HashMap::new() }
    }

    /// Takes a path; whether it was free.
    pub(crate) fn insert(&mut self, path: &SkillPath) -> bool {
        self.folded.insert(path.folded())
    }

    /// [`default_path`].
    pub(crate) fn free_path(&mut self, kind: ArtifactKind, name: &str, variant: Option<&str>) -> SkillPath {
        let (folder, extension) = kind.default_place();
        self.free(name, kind.as_str(), |stem| match variant {
            Some(variant) => format!("{folder}/{stem}.{variant}.{extension}"),
            None => format!("{folder}/{stem}.{extension}"),
        })
    }

    /// [`default_state_path`].
    pub(crate) fn free_state_path(&mut self, name: &str) -> SkillPath {
        let (folder, _) = ArtifactKind::DspyModule.default_place();
        self.free(name, ArtifactKind::DspyModule.as_str(), |stem| format!("{folder}/{stem}.state.json"))
    }

    fn free(&mut self, name: &str, fallback: &str, path: impl Fn(&str) -> String) -> SkillPath {
        let stem = slugify(name, fallback);
        let wanted = path(&stem);
        let first = self.numbers.get(&wanted).copied().unwrap_or(1);
        // A stem like `con` is reserved on Windows; `con-2` is not.
        for number in first..=first + self.folded.len() + STEM_CHARS {
            let candidate = if number == 1 { wanted.clone() } else { path(&format!("{stem}-{number}")) };
            if let Ok(candidate) = SkillPath::parse(&candidate)
                && !self.folded.contains(&candidate.folded())
            {
                self.numbers.insert(wanted, number);
                return candidate;
            }
        }
        skill_md()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ArtifactKind::{CodeTemplate, Description, DspyModule, Example, PromptTemplate};

    #[test]
    fn paths_come_from_kind_name_and_variant() {
        let path = |kind, name, variant, taken: &[&str]| {
            let taken: Vec<SkillPath> = taken.iter().map(|path| SkillPath::parse(path).unwrap()).collect();
            default_path(kind, name, variant, &taken.iter().collect::<Vec<_>>()).to_string()
        };
        assert_eq!(path(PromptTemplate, "Check Prompt", None, &[]), "prompts/check-prompt.j2");
        assert_eq!(path(PromptTemplate, "Check Prompt", Some("anthropic"), &[]), "prompts/check-prompt.anthropic.j2");
        assert_eq!(path(CodeTemplate, "X", None, &["Scripts/X.py", "scripts/x-2.py"]), "scripts/x-3.py");
        assert_eq!(path(DspyModule, "DSPy Checker", None, &[]), "dspy/dspy-checker.json");
        assert_eq!(path(Description, "Con", None, &[]), "descriptions/con-2.md");
        assert!(path(Example, "例", None, &[]).starts_with("examples/example-"));
        assert_eq!(default_state_path("DSPy Checker", &[]).as_str(), "dspy/dspy-checker.state.json");
    }
}
