//! Skills and their files as resources.

use inklings_app::features::resource::{ExposedContent, ExposedFile, ExposedSkill};
use inklings_core::path::SKILL_MD;
use rmcp::model::{
    DIRECTORY_MIME_TYPE, JsonObject, ReadResourceResult, Resource, ResourceContents, Skill, SkillFrontmatter, SkillResource, SkillResources,
};
use serde_json::Value;

use super::uri::SkillUri;

/// The files of a skill, for clients that don't know skills.
pub(super) fn files(skill: &ExposedSkill) -> impl Iterator<Item = Resource> {
    skill.files.iter().map(|file| {
        let is_main = file.path.as_str() == SKILL_MD;
        let name = if is_main { skill.slug.to_string() } else { format!("{}/{}", skill.slug, file.path) };
        let named = Resource::new(uri(skill, file), name);
        let named = named.with_title(format!("{}: {}", skill.title, file.path)).with_size(file.bytes);
        let named = if is_main { named.with_description(skill.description.clone()) } else { named };
        match &file.media_type {
            Some(media_type) => named.with_mime_type(media_type.clone()),
            None => named,
        }
    })
}

/// None for a skill that the protocol doesn't allow to be listed: its frontmatter has another name or no description, its name isn't ASCII, or
/// its metadata isn't text, such as an unquoted version. Some clients refuse the whole list otherwise.
pub(super) fn skill(exposed: &ExposedSkill) -> Option<Skill> {
    let mut fields: JsonObject = exposed.frontmatter.clone().filter(|_| exposed.slug.as_str().is_ascii())?;
    let has_text_only = |metadata: &Value| metadata.as_object().is_some_and(|fields| fields.values().all(Value::is_string));
    if !fields.get("metadata").is_none_or(has_text_only) {
        return None;
    }
    let mut text = |key| match fields.shift_remove(key) {
        Some(Value::String(text)) => Some(text),
        _ => None,
    };
    let mut frontmatter = SkillFrontmatter::new(text("name")?, text("description")?);
    frontmatter.extra = fields;
    let files = exposed.files.iter().map(|file| SkillResource::new(uri(exposed, file), format!("sha256:{}", file.digest), file.bytes));
    let main = SkillUri::of(&exposed.slug, SKILL_MD).to_string();
    let skill = Skill::new(main, frontmatter, SkillResources::Files(files.collect()));
    skill.validate().is_ok().then_some(skill)
}

/// The direct children of a folder in a skill, or of its root. None if there is no such folder.
pub(super) fn children(skill: &ExposedSkill, folder: &str) -> Option<Vec<Resource>> {
    let prefix = if folder.is_empty() { String::new() } else { format!("{folder}/") };
    let mut found: Vec<Resource> = Vec::new();
    for file in &skill.files {
        let Some(rest) = file.path.as_str().strip_prefix(&prefix) else { continue };
        match rest.split_once('/') {
            None => {
                let named = Resource::new(uri(skill, file), rest).with_size(file.bytes);
                found.push(match &file.media_type {
                    Some(media_type) => named.with_mime_type(media_type.clone()),
                    None => named,
                });
            }
            Some((child, _)) => {
                let at = format!("{}/", SkillUri::of(&skill.slug, &format!("{prefix}{child}")));
                // Files of a folder follow each other.
                if found.last().is_none_or(|last| last.uri != at) {
                    found.push(Resource::new(at, child).with_mime_type(DIRECTORY_MIME_TYPE));
                }
            }
        }
    }
    (!found.is_empty()).then_some(found)
}

pub(super) fn contents(uri: &str, content: &ExposedContent) -> ReadResourceResult {
    let contents = match &content.text {
        Some(text) => ResourceContents::text(text.clone(), uri),
        None => ResourceContents::blob(content.base64.clone().unwrap_or_default(), uri),
    };
    let contents = match &content.file.media_type {
        Some(media_type) => contents.with_mime_type(media_type.clone()),
        None => contents,
    };
    ReadResourceResult::new(vec![contents])
}

fn uri(skill: &ExposedSkill, file: &ExposedFile) -> String {
    SkillUri::of(&skill.slug, file.path.as_str()).to_string()
}
