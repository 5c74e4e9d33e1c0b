//! Default paths of new artifacts. They are assigned once and never parsed.

use std::collections::{HashMap, HashSet};

use inklings_core::kind::ArtifactKind;
use inklings_core::name::slugify;
use inklings_core::path::SkillPath;
use inklings_core::skill::{Package, skill_json, skill_md};

/// Maximum length of a generated file name without extensions, in characters.
const STEM_CHARS: usize = 64;

/// The path of a new artifact, e.g. `prompts/<stem>[.<variant>].j2`. If `used` contains the path in any case, the stem
/// gets the suffix `-2`, `-3` and so on.
#[must_use]
pub fn default_path(kind: ArtifactKind, name: &str, variant: Option<&str>, used: &[&SkillPath]) -> SkillPath {
    UsedPaths::of(used.iter().copied()).free_path(kind, name, variant)
}

/// The path of a DSPy module's state.
#[must_use]
pub fn default_state_path(name: &str, used: &[&SkillPath]) -> SkillPath {
    UsedPaths::of(used.iter().copied()).free_state_path(name)
}

/// All paths that a package uses or will use.
#[must_use]
pub fn used_paths(package: &Package) -> Vec<SkillPath> {
    let states = package.artifacts.iter().filter_map(|artifact| artifact.state.as_ref());
    (package.artifacts.iter().map(|artifact| artifact.path.clone()))
        .chain(states.map(|state| state.path.clone()))
        .chain(package.files.iter().map(|file| file.path.clone()))
        .chain([package.main_path.clone(), skill_json()])
        .collect()
}

/// The paths of a skill, compared without case.
pub(crate) struct UsedPaths {
    folded: HashSet<String>,
    /// The next suffix to try for a path.
    numbers: HashMap<String, usize>,
}

impl UsedPaths {
    pub(crate) fn of<'a>(paths: impl Iterator<Item = &'a SkillPath>) -> Self {
        Self { folded: paths.map(SkillPath::folded).collect(), numbers: HashMap::new() }
    }

    /// Reserves a path. Returns whether it was free.
    pub(crate) fn insert(&mut self, path: &SkillPath) -> bool {
        self.folded.insert(path.folded())
    }

    /// [`default_path`].
    pub(crate) fn free_path(&mut self, kind: ArtifactKind, name: &str, variant: Option<&str>) -> SkillPath {
        let (folder, extension) = kind.default_location();
        self.free(name, kind.as_str(), |stem| match variant {
            Some(variant) => format!("{folder}/{stem}.{variant}.{extension}"),
            None => format!("{folder}/{stem}.{extension}"),
        })
    }

    /// [`default_state_path`].
    pub(crate) fn free_state_path(&mut self, name: &str) -> SkillPath {
        let (folder, _) = ArtifactKind::DspyModule.default_location();
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
        let path = |kind, name, variant, used: &[&str]| {
            let used: Vec<SkillPath> = used.iter().map(|path| SkillPath::parse(path).unwrap()).collect();
            default_path(kind, name, variant, &used.iter().collect::<Vec<_>>()).to_string()
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
