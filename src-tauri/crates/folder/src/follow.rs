//! Updates values that are derived from the body when only the body changes.

use inklings_core::frontmatter;
use inklings_core::skill::Package;

use crate::front::Front;
use crate::json::{self, Json};
use crate::prose;

/// Updates steps and description from the new body of `after`, if those of `before` were derived from its
/// body and weren't set explicitly.
pub(crate) fn follow(before: &Package, after: &mut Package) {
    let (old, new) = (body(before), body(after));
    if old == new {
        return;
    }
    let json = json_of(before);
    if json.steps.is_none() && after.steps == before.steps && before.steps == prose::steps(old) {
        after.steps = prose::steps(new);
    }
    if !states_description(before)
        && after.description == before.description
        && let Some(description) = prose::first_paragraph(body(after))
    {
        after.description = description;
    }
}

pub(crate) fn states_description(package: &Package) -> bool {
    json_of(package).description.is_some() || front_describes(package)
}

fn json_of(package: &Package) -> Json {
    let text = package.sources.skill_json.as_deref();
    text.and_then(|text| json::read(text, &mut Vec::new()).ok()).unwrap_or_default()
}

fn body(package: &Package) -> &str {
    package.main().map_or("", |artifact| &artifact.content)
}

fn front_describes(package: &Package) -> bool {
    let text = package.sources.frontmatter.as_deref().unwrap_or_default();
    let Ok(split) = frontmatter::split(text, frontmatter::SKILL) else { return true };
    match Front::read(text, &split, &package.main_path, &mut Vec::new()) {
        Ok(front) => front.is_some_and(|front| front.text(&["description"]).is_some()),
        Err(_) => true,
    }
}
