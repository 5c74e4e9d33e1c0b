//! Shapes that several operations share, as they travel.

use inklings_core::path::SKILL_JSON;
use inklings_core::skill::{Artifact, RelationKind, Scope, Skill, SkillSummary};
use inklings_core::{ArtifactId, ArtifactKind, Diagnostic, Digest, SkillCatalog, SkillPath, StorageError, Time, Tree};
use inklings_rpc::Failure;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// Names a skill.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SkillRef {
    /// Id, slug or title.
    pub skill: String,
    /// Scope to look in; the merged winner without one.
    #[serde(default)]
    pub scope: Option<Scope>,
}

/// Names a file of a skill.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FileRef {
    /// Id, slug or title.
    pub skill: String,
    /// Scope to look in; the merged winner without one.
    #[serde(default)]
    pub scope: Option<Scope>,
    /// Path in the skill.
    pub path: SkillPath,
}

/// What a file is in its skill.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum FileRole {
    /// `SKILL.md`.
    Main,
    /// `skill.json`.
    Manifest,
    /// A declared artifact.
    Artifact,
    /// A DSPy module's state.
    State,
    /// Anything else.
    File,
}

/// The artifact that a file is.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ArtifactInfo {
    /// Id.
    pub id: ArtifactId,
    /// Kind.
    pub kind: ArtifactKind,
    /// Name.
    pub name: String,
    /// Order.
    pub ordinal: i64,
    /// Model family that it is for; none is the default.
    pub variant: Option<String>,
    /// Kind-specific settings.
    pub metadata: Map<String, Value>,
}

impl From<&Artifact> for ArtifactInfo {
    fn from(artifact: &Artifact) -> Self {
        Self {
            id: artifact.id,
            kind: artifact.kind,
            name: artifact.name.clone(),
            ordinal: artifact.ordinal,
            variant: artifact.variant.clone(),
            metadata: artifact.metadata.clone(),
        }
    }
}

/// One file of a skill, without its content.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct FileEntry {
    /// Path in the skill.
    pub path: SkillPath,
    /// Bytes.
    pub size: u64,
    /// Content hash.
    pub sha256: Digest,
    /// The owner's execute bit.
    pub executable: bool,
    /// Whether it can be edited as text (UTF-8 without NUL).
    pub text: bool,
    /// What it is.
    pub role: FileRole,
    /// The artifact that it is.
    pub artifact: Option<ArtifactInfo>,
    /// Whether there is unsaved typing.
    pub draft: bool,
}

/// A skill with its files' list.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct SkillDetail {
    /// What lists show.
    #[serde(flatten)]
    pub summary: SkillSummary,
    /// Its files, by path.
    pub entries: Vec<FileEntry>,
    /// When another skill is the better choice.
    pub when_not_to_use: Option<String>,
    /// Trigger phrases.
    pub triggers: Vec<String>,
    /// Intent patterns.
    pub intent_patterns: Vec<String>,
    /// Slugs of skills that it needs.
    pub depends_on: Vec<String>,
    /// Slugs of skills that it must not be used with.
    pub conflicts_with: Vec<String>,
    /// The skill it was forked from.
    pub parent_skill_id: Option<inklings_core::SkillId>,
    /// Where it was imported or forked from.
    pub provenance: Option<Value>,
    /// Which scope wins and what it hides, in one line.
    pub resolved: String,
    /// What the validator says of it as stored.
    pub diagnostics: Vec<Diagnostic>,
}

/// A skill after a write.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct EditResult {
    /// The skill.
    pub skill: SkillDetail,
    /// Its present revision.
    pub revision: i64,
    /// The revision that the edits were applied to; `revision` itself when they changed nothing. Going back from one to the other
    /// takes these edits back and nothing else.
    pub before: i64,
    /// Whether the edits were carried onto a revision newer than expected.
    pub rebased: bool,
    /// What the validator remarked.
    pub diagnostics: Vec<Diagnostic>,
}

/// A file's content at a revision.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct RevisionFile {
    /// The text; null for binary content or a file that wasn't there.
    pub text: Option<String>,
    /// Content hash; null if it wasn't there.
    pub sha256: Option<Digest>,
    /// Bytes; null if it wasn't there.
    pub size: Option<u64>,
}

impl RevisionFile {
    /// A file of a folder, or that there is none.
    #[must_use]
    pub fn of(entry: Option<&inklings_core::TreeFile>) -> Self {
        Self {
            text: entry.and_then(inklings_core::TreeFile::text).filter(|text| !text.contains('\0')).map(str::to_owned),
            sha256: entry.map(inklings_core::TreeFile::digest),
            size: entry.map(|entry| entry.bytes.len() as u64),
        }
    }
}

/// What couldn't be done after the first half of something was.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Left {
    /// What is the case.
    pub message: String,
    /// What to do.
    pub hint: Option<String>,
}

impl From<Failure> for Left {
    fn from(failure: Failure) -> Self {
        Self { message: failure.message, hint: failure.hint }
    }
}

/// An unsaved text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Draft {
    /// The skill.
    pub skill_id: inklings_core::SkillId,
    /// Its scope.
    pub scope: Scope,
    /// The file.
    pub path: SkillPath,
    /// The revision that the typing began on.
    pub base_revision: i64,
    /// The file's content at that revision; none if it is new.
    pub base_sha256: Option<Digest>,
    /// The text.
    pub text: String,
    /// When it was typed.
    pub updated_at: Time,
}

/// That a file has an unsaved text, which reading the file gives.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct DraftMark {
    /// The skill.
    pub skill_id: inklings_core::SkillId,
    /// Its scope.
    pub scope: Scope,
    /// The file.
    pub path: SkillPath,
    /// When it was typed.
    pub updated_at: Time,
}

/// One entry of the change feed: what to look at again. It carries no state.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ChangeEvent {
    /// Position in the scope's feed; 0 for pages, which have none.
    pub seq: i64,
    /// `skill`, `draft`, `input`, `setting`, `workspace`, `proposal`, `reference` or `page`; `database` when another file took the
    /// database's place.
    pub kind: String,
    /// What changed; none if it is too much to name.
    pub ids: Vec<String>,
    /// Mark of the writer; empty if it isn't known.
    pub origin: String,
    /// The scope.
    pub scope: Scope,
    /// Folder of the workspace whose feed it is; null for the account.
    pub workspace: Option<String>,
}

/// A file's list entry.
#[must_use]
pub fn file_entry(skill: &Skill, tree: &Tree, path: &SkillPath, draft: bool) -> Option<FileEntry> {
    let entry = tree.get(path)?;
    let package = &skill.package;
    let artifact = package.artifacts.iter().find(|artifact| artifact.path == *path);
    let is_state = || package.artifacts.iter().filter_map(|artifact| artifact.state.as_ref()).any(|state| state.path == *path);
    let role = if *path == package.main_path {
        FileRole::Main
    } else if path.as_str() == SKILL_JSON {
        FileRole::Manifest
    } else if artifact.is_some() {
        FileRole::Artifact
    } else if is_state() {
        FileRole::State
    } else {
        FileRole::File
    };
    Some(FileEntry {
        path: path.clone(),
        size: u64::try_from(entry.bytes.len()).unwrap_or(u64::MAX),
        sha256: entry.digest(),
        executable: entry.executable,
        text: entry.text().is_some_and(|text| !text.contains('\0')),
        role,
        artifact: artifact.map(ArtifactInfo::from),
        draft,
    })
}

/// Whether the other scope has a skill of the same slug: one of the two overrides the other.
pub fn is_in_both_scopes(catalog: &SkillCatalog, skill: &Skill) -> Result<bool, StorageError> {
    let other = catalog.repository(skill.head.scope.other());
    other.map_or(Ok(false), |other| other.has_slug(&skill.package.slug))
}

/// A stored skill as a summary. `in_both`: [`is_in_both_scopes`].
#[must_use]
pub fn summary(skill: &Skill, in_both: bool) -> SkillSummary {
    let (head, package) = (&skill.head, &skill.package);
    let tree = package.tree();
    SkillSummary {
        id: head.id,
        scope: head.scope,
        slug: package.slug.clone(),
        name: package.name.clone(),
        description: package.description.clone(),
        version: package.version.clone(),
        tags: package.tags.clone(),
        category: package.category.clone(),
        source: head.source,
        origin: head.origin,
        lifecycle: head.lifecycle,
        trust_tier: head.trust_tier,
        enabled: head.enabled,
        user_invocable: package.user_invocable,
        revision: head.revision,
        author: package.author.clone(),
        created_at: head.created_at,
        updated_at: head.updated_at,
        locked: head.source.is_locked(),
        shadows: in_both && head.scope == Scope::Workspace,
        shadowed: in_both && head.scope == Scope::Account,
        collides_with: None,
        kinds: package.kinds(),
        files: u32::try_from(tree.len()).unwrap_or(u32::MAX),
        bytes: package.bytes(),
    }
}

/// A stored skill with its files' list. `in_both`: [`is_in_both_scopes`]; `drafts` are the paths with unsaved typing.
#[must_use]
pub fn detail(skill: &Skill, in_both: bool, drafts: &[SkillPath], diagnostics: Vec<Diagnostic>) -> SkillDetail {
    let summary = summary(skill, in_both);
    let (tree, package) = (skill.package.tree(), &skill.package);
    let related = |kind| package.related(kind).map(str::to_owned).collect();
    SkillDetail {
        entries: tree.keys().filter_map(|path| file_entry(skill, &tree, path, drafts.contains(path))).collect(),
        when_not_to_use: package.when_not_to_use.clone(),
        triggers: package.triggers.clone(),
        intent_patterns: package.intent_patterns.clone(),
        depends_on: related(RelationKind::DependsOn),
        conflicts_with: related(RelationKind::ConflictsWith),
        parent_skill_id: skill.head.parent_skill_id,
        provenance: skill.head.provenance.clone(),
        resolved: scope_words(summary.scope, in_both, summary.enabled),
        diagnostics,
        summary,
    }
}

/// Which scope's skill is meant, what it hides or is hidden by (`other`: there is one of its name in the other scope), and whether it
/// is on.
pub(crate) fn scope_words(scope: Scope, other: bool, enabled: bool) -> String {
    let place = match (scope, other) {
        (Scope::Workspace, true) => "workspace overrides account",
        (Scope::Workspace, false) => "workspace only",
        (Scope::Account, true) => "account, overridden by the workspace",
        (Scope::Account, false) => "account, in every workspace",
    };
    if enabled { place.to_owned() } else { format!("{place}, switched off") }
}
