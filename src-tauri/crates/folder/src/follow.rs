//! Values that are read from the body follow it when somebody changes the body alone.

use inklings_core::skill::Package;

use crate::front::Front;
use crate::json;
use crate::prose;
use crate::split;

/// Carries steps and description over from the new body of `after`, where `before` had them from its
/// body and nobody changed them.
pub(crate) fn follow(before: &Package, after: &mut Package) {
    let (old, new) = (body(before), body(after));
    if old == new {
        return;
    }
    let mut odd = Vec::new();
    let json = before.sources.skill_json.as_deref().and_then(|text| json::read(text, &mut odd).ok()).unwrap_or_default();
    if json.steps.is_none() && after.steps == before.steps && before.steps == prose::steps(old) {
        after.steps = prose::steps(new);
    }
    let described = json.description.is_some() || front_describes(before);
    if !described
        && after.description == before.description
        && let Some(description) = prose::first_paragraph(body(after))
    {
        after.description = description;
    }
}

fn body(package: &Package) -> &str {
    package.main().map_or("", |artifact| &artifact.content)
}

fn front_describes(package: &Package) -> bool {
    let text = package.sources.frontmatter.as_deref().unwrap_or_default();
    let Ok(split) = split::split(text) else { return true };
    match Front::read(text, &split, &package.main_path, &mut Vec::new()) {
        Ok(front) => front.is_some_and(|front| front.text(&["description"]).is_some()),
        Err(_) => true,
    }
}
