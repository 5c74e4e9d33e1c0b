//! Rules for a skill as a whole: its description and instructions, plan, relations and manifest.

use inklings_core::check::Severity;
use inklings_core::manifest::{self, nearest};
use inklings_core::name::{fold, lookup_key};
use inklings_core::path::SKILL_JSON;
use inklings_core::{Diagnostic, Package, RelationKind};
use inklings_folder::JsonText;
use inklings_prompt::tokens;

/// Maximum tokens of instructions; further material belongs into `references/`.
const MAX_BODY_TOKENS: usize = 5_000;
/// Minimum characters of a description that says what the skill does and when to use it.
const MIN_DESCRIPTION_CHARS: usize = 40;

pub(crate) fn check(package: &Package) -> Vec<Diagnostic> {
    let declared = JsonText::of(package);
    let mut findings = description(package);
    findings.extend(instructions(package));
    findings.extend(
        run(package)
            .into_iter()
            .chain(relations(package))
            .chain(manifest_rules(package))
            .map(|finding| declared.locate(SKILL_JSON, finding)),
    );
    findings
}

fn description(package: &Package) -> Vec<Diagnostic> {
    let text = package.description.trim();
    let mut findings = Vec::new();
    let locate = |finding: Diagnostic| {
        let line = description_line(package);
        let finding = finding.in_file(&package.main_path);
        line.map_or(finding.clone(), |line| finding.at(line, 1))
    };
    if !text.is_empty() && text.chars().count() < MIN_DESCRIPTION_CHARS {
        let finding = Diagnostic::new(Severity::Hint, "skill/description-short", "the description is very short");
        findings.push(locate(finding).hint("describe what the skill does and when to use it: agents select a skill by its description"));
    }
    if !text.is_empty() && is_mostly_latin(text) && !says_when(text) {
        let finding = Diagnostic::new(Severity::Hint, "skill/description-when", "the description doesn't say when to use the skill");
        findings.push(locate(finding).hint("add a sentence such as \"Use when …\""));
    }
    findings
}

/// Only the line of the key; the skill format has validated the value.
fn description_line(package: &Package) -> Option<u32> {
    let frontmatter = package.sources.frontmatter.as_deref()?;
    let line = frontmatter.lines().position(|line| line.trim_start_matches('\u{feff}').starts_with("description:"))?;
    u32::try_from(line + 1).ok()
}

fn says_when(text: &str) -> bool {
    const CUES: [&str; 13] = [
        "when", "use this", "use it", "use for", "use to", "used for", "used to", "if you", "if the", "asked to", "asks for", "before ",
        "after ",
    ];
    let text = text.to_lowercase();
    CUES.iter().any(|cue| text.contains(cue))
}

/// The cues are English; descriptions in other scripts aren't checked.
fn is_mostly_latin(text: &str) -> bool {
    let letters = text.chars().filter(|ch| ch.is_alphabetic());
    let (latin, other): (Vec<char>, Vec<char>) = letters.partition(char::is_ascii);
    latin.len() >= other.len() * 3
}

fn instructions(package: &Package) -> Option<Diagnostic> {
    let main = package.main()?;
    // A token has at least one byte, so a short text needs no counting.
    let count = if main.content.len() > MAX_BODY_TOKENS { tokens::count(&main.content) } else { 0 };
    if count <= MAX_BODY_TOKENS {
        return None;
    }
    let about = (count + 50) / 100 * 100;
    let message = format!("the instructions have about {about} tokens, which every use of the skill loads");
    let start = package.sources.frontmatter.as_deref().map_or(1, |text| text.matches('\n').count() + 1);
    let finding = Diagnostic::info("skill/long", message).in_file(&main.path).at(u32::try_from(start).unwrap_or(1), 1);
    Some(finding.hint("move details into references/ and say when to read them"))
}

fn run(package: &Package) -> Vec<Diagnostic> {
    let names = || package.artifacts.iter().map(|artifact| artifact.name.as_str());
    let unknown = package.run.iter().flatten().enumerate().filter(|(_, name)| !names().any(|known| known == *name));
    unknown
        .map(|(index, name)| {
            let near = nearest(name, names());
            let hint = match near {
                Some(known) => format!("did you mean {known:?}?"),
                None => format!("available artifacts: {}", names().collect::<Vec<_>>().join(", ")),
            };
            Diagnostic::error("run/unknown", format!("the run plan contains {name:?}, which isn't an artifact of this skill"))
                .pointer(format!("/run/{index}"))
                .hint(hint)
                .meant(near)
        })
        .collect()
}

fn relations(package: &Package) -> Vec<Diagnostic> {
    let mut findings = Vec::new();
    for kind in [RelationKind::DependsOn, RelationKind::ConflictsWith] {
        for (index, target) in package.related(kind).enumerate() {
            let at = format!("/relations/{}/{index}", kind.as_str());
            let key = lookup_key(target);
            if key == package.slug.as_str() || fold(target) == fold(&package.name) {
                let finding = Diagnostic::error("relation/self", format!("the skill lists itself in {}", kind.as_str()));
                findings.push(finding.pointer(at).hint("remove it"));
            } else if kind == RelationKind::ConflictsWith && package.related(RelationKind::DependsOn).any(|other| lookup_key(other) == key)
            {
                let message = format!("the skill both depends on and conflicts with {target:?}");
                findings.push(Diagnostic::error("relation/contradiction", message).pointer(at).hint("keep one of the two"));
            }
        }
    }
    findings
}

fn manifest_rules(package: &Package) -> Vec<Diagnostic> {
    let Some(value) = package.metadata.get(manifest::KEY) else { return Vec::new() };
    let (_, findings) = manifest::check(value);
    let prefix = format!("/metadata/{}", manifest::KEY);
    findings
        .into_iter()
        .map(|finding| {
            let pointer = format!("{prefix}{}", finding.pointer.as_deref().unwrap_or_default());
            finding.pointer(pointer)
        })
        .collect()
}
