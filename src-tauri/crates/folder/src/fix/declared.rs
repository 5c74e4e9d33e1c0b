//! Quick fixes of `skill.json`.

use inklings_core::Fix;
use inklings_core::check::Diagnostic;
use inklings_core::kind::ArtifactKind;
use inklings_core::manifest::nearest;
use inklings_core::path::SkillPath;

use super::{Subject, json};

pub(super) fn fix(subject: &Subject<'_>, finding: &Diagnostic) -> Option<Fix> {
    let text = subject.text;
    let pointer = finding.pointer.as_deref().unwrap_or_default();
    let (title, new) = match finding.rule.as_str() {
        "skill-json/syntax" => {
            let (title, new) = json::mended(text, subject.start(finding)?).into_iter().next()?;
            (title.to_owned(), Some(new))
        }
        "skill-json/duplicate-key" => ("Remove this duplicate".to_owned(), json::without_property_at(text, subject.start(finding)?)),
        "skill-json/overridden" => (format!("Remove “{}” from skill.json", pointer.trim_start_matches('/')), json::without(text, pointer)),
        "skill-json/id" => {
            let pointer = if pointer.ends_with("/id") { pointer.to_owned() } else { format!("{pointer}/id") };
            ("Remove the id".to_owned(), json::without(text, &pointer))
        }
        "skill-json/duplicate-path" => ("Remove this entry".to_owned(), json::without(text, pointer)),
        "skill-json/kind" => kind(text, pointer)?,
        "skill-json/missing-file" => missing(subject, pointer)?,
        _ => return None,
    };
    Fix::between(title, subject.path, text, &new?)
}

/// The kind that was probably meant; `SKILL.md` is always a description.
fn kind(text: &str, pointer: &str) -> Option<(String, Option<String>)> {
    let (at, meant) = match pointer.strip_suffix("/kind") {
        Some(_) => {
            (pointer.to_owned(), nearest(json::value_at(text, pointer)?.as_str()?, ArtifactKind::ALL.iter().map(|kind| kind.as_str()))?)
        }
        None => (format!("{pointer}/kind"), ArtifactKind::Description.as_str()),
    };
    Some((format!("Change it to “{meant}”"), json::with_value(text, &at, &meant.into())))
}

/// Corrects the spelling of a path, else removes the entry or its state.
fn missing(subject: &Subject<'_>, pointer: &str) -> Option<(String, Option<String>)> {
    let text = subject.text;
    let entry = json::value_at(text, pointer)?;
    let is_missing = |key: &str| {
        let path = SkillPath::parse(entry.get(key)?.as_str()?).ok()?;
        (!subject.tree.contains_key(&path)).then_some(path)
    };
    let (key, path) = ["path", "state"].into_iter().find_map(|key| Some((key, is_missing(key)?)))?;
    let folded = path.folded();
    if let Some(near) = subject.tree.keys().find(|known| known.folded() == folded) {
        let at = format!("{pointer}/{key}");
        return Some((format!("Change it to “{near}”"), json::with_value(text, &at, &near.as_str().into())));
    }
    Some(match key {
        "path" => (format!("Remove the entry for {path}"), json::without(text, pointer)),
        _ => (format!("Remove the state {path}"), json::without(text, &format!("{pointer}/state"))),
    })
}
