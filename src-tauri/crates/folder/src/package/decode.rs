//! JSON to folders: parsed within limits, checked against the schema, then synced like a package built from values.

use base64::Engine;
use base64::alphabet::STANDARD;
use base64::engine::DecodePaddingMode;
use base64::engine::general_purpose::{GeneralPurpose, GeneralPurposeConfig};
use inklings_core::check::Diagnostic;
use inklings_core::id::ArtifactId;
use inklings_core::kind::ArtifactKind;
use inklings_core::limits;
use inklings_core::name::Slug;
use inklings_core::path::{SKILL_MD_LOWER, SkillPath};
use inklings_core::shape;
use inklings_core::skill::{Artifact, Package, Relation, RelationKind, SkillFile, Sources, State, skill_md};
use inklings_core::tree::{Tree, TreeFile};
use serde_json::Value;

use super::json::{ARTIFACT_KEYS, JsonArtifact, JsonFile, JsonPackage, PACKAGE_KEYS, package_schema};
use super::paths::{self, ArtifactPaths, StatedPaths};
use super::{PackedSkill, UnpackedFile, amble, bounded, claims};
use crate::locate::JsonText;
use crate::read::no_id;
use crate::skipped::{is_part_of_skill, skipped};
use crate::values::{CATEGORY_DEFAULT, VERSION_DEFAULT};
use crate::{json_edit, prose, rules, sync};

/// With or without padding.
const BASE64: GeneralPurpose =
    GeneralPurpose::new(&STANDARD, GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::Indifferent));

const MAX_BUNDLE_PACKAGES: usize = 5_000;
/// Diagnostics per file that get a line and a column: each needs a pass over the text.
const MAX_LOCATED_FINDINGS: usize = 200;
/// Size up to which `skill.json` is edited in place; larger texts that differ from the values are rewritten.
const MAX_PATCHABLE_BYTES: usize = 64 * 1024;

/// Accepts a package, a list of packages, or `{"skills": [...]}`.
pub(super) fn read(file: &str, folder: &str, text: &str) -> Result<UnpackedFile, Vec<Diagnostic>> {
    let body = text.strip_prefix('\u{feff}').unwrap_or(text);
    let value = bounded::parse(body).map_err(|finding| vec![finding.in_file(file)])?;
    let values = packages(value).map_err(|finding| vec![finding.in_file(file).pointer("")])?;
    let mut located: Option<JsonText<'_>> = None;
    let mut placed = 0;
    let skills = values.into_iter().map(|(location, value)| {
        let slug = value.get("slug").or_else(|| value.get("name")).and_then(Value::as_str).map(|name| match Slug::parse(name) {
            Ok(slug) => slug,
            Err(_) => Slug::of_name(name),
        });
        let mut skill = PackedSkill::new(location, slug.map_or_else(|| folder.to_owned(), |slug| slug.to_string()), skill(&value));
        for finding in &mut skill.findings {
            let pointer = finding.pointer.get_or_insert_default();
            pointer.insert_str(0, &skill.location);
            placed += 1;
            *finding = match placed {
                ..=MAX_LOCATED_FINDINGS => located.get_or_insert_with(|| JsonText::new(text)).locate(file, finding.clone()),
                _ => finding.clone().in_file(file),
            };
        }
        skill
    });
    Ok(UnpackedFile { skills: skills.collect(), findings: Vec::new() })
}

/// With JSON pointers.
fn packages(value: Value) -> Result<Vec<(String, Value)>, Diagnostic> {
    let listed = |prefix: &str, items: Vec<Value>| -> Vec<(String, Value)> {
        items.into_iter().enumerate().map(|(index, item)| (format!("{prefix}/{index}"), item)).collect()
    };
    let packages = match value {
        Value::Array(items) => listed("", items),
        Value::Object(mut object) if !object.contains_key("name") && object.get("skills").is_some_and(Value::is_array) => {
            match object.remove("skills") {
                Some(Value::Array(items)) => listed("/skills", items),
                _ => Vec::new(),
            }
        }
        value => vec![(String::new(), value)],
    };
    if packages.len() > MAX_BUNDLE_PACKAGES {
        let message = format!("too many packages: {} (maximum {MAX_BUNDLE_PACKAGES})", packages.len());
        return Err(Diagnostic::error("package/bundle", message).hint("split the bundle"));
    }
    if packages.is_empty() {
        return Err(Diagnostic::error("package/empty", "the package doesn't contain a skill").hint("add name, description and artifacts"));
    }
    Ok(packages)
}

fn skill(value: &Value) -> Result<(Tree, Vec<Diagnostic>), Vec<Diagnostic>> {
    if amble::is_one(value) {
        return amble::read(value);
    }
    let shape = shape::check(package_schema(), value, "package");
    if !shape.findings.is_empty() {
        return Err(shape.findings);
    }
    let json: JsonPackage = serde::Deserialize::deserialize(value).map_err(|error| vec![unreadable(&error)])?;
    tree(json)
}

/// For values that the schema accepts and the type doesn't, such as a number out of range.
pub(super) fn unreadable(error: &serde_json::Error) -> Diagnostic {
    Diagnostic::error("package/type", format!("invalid package: {error}")).pointer("").hint("fix the reported value")
}

pub(super) fn tree(json: JsonPackage) -> Result<(Tree, Vec<Diagnostic>), Vec<Diagnostic>> {
    let mut decoder = Decoder { findings: Vec::new() };
    let id = json.id.clone();
    let stated_paths: Vec<StatedPaths> =
        json.artifacts.iter().enumerate().map(|(index, artifact)| decoder.stated_paths(index, artifact)).collect();
    let size = decoder.sizes(&json);
    let built = decoder.package(json, &stated_paths);
    let Some((mut package, assigned)) = built.filter(|_| !decoder.failed()) else { return Err(decoder.findings) };
    if size > MAX_PATCHABLE_BYTES && package.sources.skill_json.is_some() && !sync::is_in_sync(&mut package) {
        package.sources = Sources::default();
        let finding = Diagnostic::info("package/texts", "the texts of the folder differ from the values, which take precedence");
        decoder.findings.push(finding.pointer("/texts").hint("check whether comments were lost"));
    }
    for mut finding in sync::sync_sources(&mut package) {
        let index = assigned.iter().position(|assigned| finding.file.as_deref() == Some(assigned.path.as_str()));
        finding.pointer = Some(index.map_or_else(String::new, |index| format!("/artifacts/{index}")));
        decoder.findings.push(finding);
    }
    if decoder.failed() {
        return Err(decoder.findings);
    }
    if let Some(id) = id {
        package.sources.skill_json = json_edit::with_id(package.sources.skill_json.as_deref(), &id).map(Into::into);
    }
    Ok((package.tree(), decoder.findings))
}

/// Size of a value as JSON, pretty-printed with `in_lines`.
fn length(value: &impl serde::Serialize, in_lines: bool) -> usize {
    let text = if in_lines { serde_json::to_string_pretty(value) } else { serde_json::to_string(value) };
    text.map_or(usize::MAX, |text| text.len())
}

struct Decoder {
    findings: Vec<Diagnostic>,
}

impl Decoder {
    fn failed(&self) -> bool {
        self.findings.iter().any(Diagnostic::is_error)
    }

    fn fail(&mut self, rule: &str, pointer: String, message: impl Into<String>, hint: &str) {
        self.findings.push(Diagnostic::error(format!("package/{rule}"), message).hint(hint).pointer(pointer));
    }

    fn path(&mut self, text: &str, pointer: String) -> Option<SkillPath> {
        SkillPath::parse(text).map_err(|error| self.fail("path", pointer, error.to_string(), "use a path inside the folder")).ok()
    }

    fn stated_paths(&mut self, index: usize, artifact: &JsonArtifact) -> StatedPaths {
        let mut path = |text: &Option<String>, key| text.as_ref().and_then(|text| self.path(text, format!("/artifacts/{index}/{key}")));
        StatedPaths { path: path(&artifact.path, "path"), state: path(&artifact.state_path, "state_path") }
    }

    fn package(&mut self, json: JsonPackage, stated_paths: &[StatedPaths]) -> Option<(Package, Vec<ArtifactPaths>)> {
        let slug = match &json.slug {
            Some(slug) => Slug::parse(slug)
                .map_err(|error| self.fail("slug", "/slug".to_owned(), error.to_string(), "remove it to derive it from the name"))
                .ok()?,
            None => Slug::of_name(&json.name),
        };
        let files = self.files(json.files.unwrap_or_default());
        let main = self.main_path(json.main_path.as_deref(), stated_paths);
        if self.failed() {
            return None;
        }
        let assigned = paths::assign(&json.artifacts, stated_paths, &main, files.iter().map(|file| &file.path));
        let body = assigned.iter().position(|assigned| assigned.path == main).map_or("", |index| json.artifacts[index].content.as_str());
        let steps = json.steps.unwrap_or_else(|| prose::steps(body));
        let artifacts = json.artifacts.into_iter().enumerate().zip(&assigned);
        let artifacts = artifacts.map(|((index, artifact), assigned)| self.artifact(index, artifact, assigned, &main)).collect();
        let mut metadata = json.metadata.unwrap_or_default();
        let mut claimed = json.claims;
        if let Some(source) = json.source {
            claimed.shift_insert(0, "source".to_owned(), source);
        }
        claims::keep(claimed, &mut metadata, PACKAGE_KEYS, "", &mut self.findings);
        let relations = json.relations.unwrap_or_default();
        let related = |kind, targets: Vec<String>| targets.into_iter().map(move |target| Relation { kind, target });
        let texts = json.texts.unwrap_or_default();
        let package = Package {
            slug,
            name: json.name,
            description: json.description,
            version: json.version.unwrap_or_else(|| VERSION_DEFAULT.to_owned()),
            author: json.author,
            tags: json.tags.unwrap_or_default(),
            category: json.category.unwrap_or_else(|| CATEGORY_DEFAULT.to_owned()),
            triggers: json.trigger_phrases.unwrap_or_default(),
            intent_patterns: json.intent_patterns.unwrap_or_default(),
            when_not_to_use: json.when_not_to_use,
            user_invocable: json.user_invocable.unwrap_or(true),
            steps,
            relations: related(RelationKind::DependsOn, relations.depends_on)
                .chain(related(RelationKind::ConflictsWith, relations.conflicts_with))
                .collect(),
            metadata,
            run: json.run,
            artifacts,
            files,
            sources: Sources { frontmatter: texts.frontmatter.map(Into::into), skill_json: texts.skill_json.map(Into::into) },
            main_path: main,
        };
        Some((package, assigned))
    }

    /// Size of the future `skill.json`, checked before it is written.
    fn sizes(&mut self, json: &JsonPackage) -> usize {
        let count = json.artifacts.len() + json.files.as_ref().map_or(0, Vec::len);
        if count > limits::FILES {
            let message = format!("too many artifacts and files: {count} (maximum {})", limits::FILES);
            self.fail("files", "/artifacts".to_owned(), message, rules::LIMIT_HINT);
        }
        let text = json.texts.as_ref().and_then(|texts| texts.skill_json.as_ref());
        let lists = [&json.tags, &json.trigger_phrases, &json.intent_patterns, &json.run];
        let own = (&json.metadata, &json.claims, &json.steps, &json.relations, lists);
        let entries = json.artifacts.iter().map(|artifact| length(&(&artifact.metadata, &artifact.claims), text.is_none()));
        let bytes = entries.fold(length(&own, text.is_none()), usize::saturating_add);
        if bytes > limits::ARTIFACT_BYTES {
            let message = format!("the metadata is too large: {bytes} bytes (maximum {})", limits::ARTIFACT_BYTES);
            self.fail("metadata", "/metadata".to_owned(), message, "move long texts into files");
        }
        bytes + text.map_or(0, String::len)
    }

    fn main_path(&mut self, stated: Option<&str>, stated_paths: &[StatedPaths]) -> SkillPath {
        let stated = stated.and_then(|text| self.path(text, "/main_path".to_owned()));
        if let Some(path) = stated.as_ref().filter(|path| !path.is_skill_md()) {
            self.fail("path", "/main_path".to_owned(), format!("{path} can't be the main file"), "use SKILL.md or skill.md");
        }
        let lower = || {
            stated_paths.iter().filter_map(|stated_paths| stated_paths.path.as_ref()).find(|path| path.as_str() == SKILL_MD_LOWER).cloned()
        };
        stated.or_else(lower).unwrap_or_else(skill_md)
    }

    fn files(&mut self, files: Vec<JsonFile>) -> Vec<SkillFile> {
        let files = files.into_iter().enumerate();
        files.filter_map(|(index, file)| self.file(index, file)).collect()
    }

    fn file(&mut self, index: usize, file: JsonFile) -> Option<SkillFile> {
        let pointer = format!("/files/{index}/path");
        let path = self.path(&file.path, pointer.clone())?;
        if !is_part_of_skill(&path) {
            self.findings.push(skipped(path.as_str()).pointer(pointer));
            return None;
        }
        let bytes = match (file.text, file.base64) {
            (Some(text), None) => text.into_bytes(),
            (None, Some(text)) => match decoded(&text) {
                Ok(bytes) => bytes,
                Err(why) => {
                    self.fail(
                        "base64",
                        format!("/files/{index}/base64"),
                        format!("{path} isn't valid base64: {why}"),
                        "encode the file again",
                    );
                    return None;
                }
            },
            _ => {
                self.fail("file", format!("/files/{index}"), format!("missing content of {path}"), "add either text or base64");
                return None;
            }
        };
        Some(SkillFile { path, entry: TreeFile { bytes: bytes.into(), executable: file.executable.unwrap_or_default() } })
    }

    fn artifact(&mut self, index: usize, artifact: JsonArtifact, assigned: &ArtifactPaths, main: &SkillPath) -> Artifact {
        let at = |key: &str| format!("/artifacts/{index}{key}");
        if assigned.path == *main && (artifact.kind != ArtifactKind::Description || assigned.state.is_some()) {
            let message = format!("{main} must be a description without a state");
            self.fail("kind", at(""), message, "change the path of the artifact");
        }
        if artifact.state_path.is_some() && artifact.state_blob.is_none() {
            self.fail("state", at("/state_path"), "state_path is set, but state_blob is missing", "remove it, or add the state");
        }
        let id = artifact.id.as_deref().map(str::parse::<ArtifactId>);
        if matches!(id, Some(Err(_))) {
            let message = format!("the id of {:?} isn't a UUID; it is ignored", artifact.name);
            self.findings.push(Diagnostic::warning("package/id", message).hint("remove it").pointer(at("/id")));
        }
        let variant = paths::variant(&artifact);
        let state = artifact.state_blob.as_deref().zip(assigned.state.clone());
        let state = state
            .and_then(|(text, path)| self.state(&artifact.name, text, at("/state_blob")).map(|bytes| State { path, bytes: bytes.into() }));
        let mut metadata = artifact.metadata.unwrap_or_default();
        claims::keep(artifact.claims, &mut metadata, ARTIFACT_KEYS, &at(""), &mut self.findings);
        Artifact {
            // Without an id, reading the folder assigns one.
            id: id.and_then(Result::ok).unwrap_or_else(no_id),
            path: assigned.path.clone(),
            kind: artifact.kind,
            name: artifact.name,
            ordinal: artifact.ordinal.or_else(|| i64::try_from(index).ok()).unwrap_or_default(),
            content: artifact.content.into(),
            variant,
            metadata,
            state,
            executable: artifact.executable.unwrap_or_default(),
        }
    }

    fn state(&mut self, name: &str, text: &str, pointer: String) -> Option<Vec<u8>> {
        const HINT: &str = "encode the JSON file of the state as base64, or remove state_blob";
        match decoded(text) {
            Ok(bytes) => match serde_json::from_slice::<serde::de::IgnoredAny>(&bytes) {
                Ok(_) => return Some(bytes),
                Err(error) => self.fail("state", pointer, format!("the decoded state of {name:?} isn't valid JSON: {error}"), HINT),
            },
            Err(why) => self.fail("state", pointer, format!("the state of {name:?} isn't valid base64: {why}"), HINT),
        }
        None
    }
}

/// Whitespace is allowed.
fn decoded(text: &str) -> Result<Vec<u8>, base64::DecodeError> {
    if text.contains(|ch: char| ch.is_ascii_whitespace()) {
        return BASE64.decode(text.split_ascii_whitespace().collect::<String>());
    }
    BASE64.decode(text)
}
