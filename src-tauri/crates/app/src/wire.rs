//! Wire types that several families share.

use inklings_core::path::SKILL_JSON;
use inklings_core::skill::{Artifact, RelationKind, Scope, Skill, SkillSummary};
use inklings_core::{ArtifactId, ArtifactKind, Diagnostic, Digest, SkillCatalog, SkillPath, StorageError, Time, Tree};
use inklings_rpc::{Code, Failure};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SkillRef {
    /// ID, slug or title.
    pub skill: String,
    /// Scope of the skill. [default: workspace, then account]
    #[serde(default)]
    pub scope: Option<Scope>,
}

#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FileRef {
    /// ID, slug or title.
    pub skill: String,
    /// Scope of the skill. [default: workspace, then account]
    #[serde(default)]
    pub scope: Option<Scope>,
    pub path: SkillPath,
}

/// The unsaved text of a file.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct UnsavedText {
    pub path: SkillPath,
    pub text: String,
}

/// Role of a file in its skill.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum FileRole {
    /// `SKILL.md`.
    Main,
    /// `skill.json`.
    Manifest,
    Artifact,
    /// Compiled state of a DSPy module.
    State,
    File,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ArtifactInfo {
    pub id: ArtifactId,
    pub kind: ArtifactKind,
    pub name: String,
    pub ordinal: i64,
    /// Model family. Null for the default variant.
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

/// A file of a skill, without its content.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct FileEntry {
    pub path: SkillPath,
    /// In bytes.
    pub size: u64,
    pub sha256: Digest,
    /// The owner's execute bit.
    pub executable: bool,
    /// Whether it is editable as text: UTF-8 without NUL.
    pub text: bool,
    pub role: FileRole,
    pub artifact: Option<ArtifactInfo>,
    /// Whether it has unsaved text.
    pub draft: bool,
}

/// A skill with its list of files.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct SkillDetail {
    #[serde(flatten)]
    pub summary: SkillSummary,
    /// By path.
    pub entries: Vec<FileEntry>,
    /// When another skill is the better choice.
    pub when_not_to_use: Option<String>,
    /// Trigger phrases.
    pub triggers: Vec<String>,
    pub intent_patterns: Vec<String>,
    /// Slugs of required skills.
    pub depends_on: Vec<String>,
    /// Slugs of skills that it must not be used with.
    pub conflicts_with: Vec<String>,
    /// The skill that it was forked from.
    pub parent_skill_id: Option<inklings_core::SkillId>,
    /// Where it was imported or forked from.
    pub provenance: Option<Value>,
    /// One line that says which scope wins and what it overrides.
    pub resolved: String,
    /// Problems of the saved files.
    pub diagnostics: Vec<Diagnostic>,
}

#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct EditResult {
    pub skill: SkillDetail,
    /// Current revision.
    pub revision: i64,
    /// The revision that the edits were applied to; `revision` itself if nothing changed. Reverting from `revision` to it undoes these
    /// edits only.
    pub before: i64,
    /// Whether the edits were applied to a newer revision than expected.
    pub rebased: bool,
    pub diagnostics: Vec<Diagnostic>,
}

/// A file's content at a revision.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct RevisionFile {
    /// Null if the content is binary or the file doesn't exist.
    pub text: Option<String>,
    /// Null if the file doesn't exist.
    pub sha256: Option<Digest>,
    /// In bytes. Null if the file doesn't exist.
    pub size: Option<u64>,
}

impl RevisionFile {
    #[must_use]
    pub fn of(entry: Option<&inklings_core::TreeFile>) -> Self {
        Self {
            text: entry.and_then(inklings_core::TreeFile::editable_text).map(str::to_owned),
            sha256: entry.map(inklings_core::TreeFile::digest),
            size: entry.map(|entry| entry.bytes.len() as u64),
        }
    }
}

/// A file in the three versions of a merge.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct MergeVersions {
    /// At the common base. Empty if there is none.
    pub base: RevisionFile,
    /// As stored.
    pub ours: RevisionFile,
    /// As imported, or in the copy.
    pub theirs: RevisionFile,
}

/// Why the last part of an operation failed. Its first part is stored.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct PartialFailure {
    pub code: Code,
    pub message: String,
    pub hint: Option<String>,
}

impl PartialFailure {
    /// The failure of a call whose result says what was stored. `what` is what was not done.
    #[must_use]
    pub fn into_failure(self, what: &str) -> Failure {
        let failure = Failure::new(self.code, format!("{what}: {}", self.message));
        self.hint.into_iter().fold(failure, Failure::hint)
    }
}

impl From<Failure> for PartialFailure {
    fn from(failure: Failure) -> Self {
        Self { code: failure.code, message: failure.message, hint: failure.hint }
    }
}

/// The unsaved text of a file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Draft {
    pub skill_id: inklings_core::SkillId,
    pub scope: Scope,
    pub path: SkillPath,
    /// The revision that the text is based on.
    pub base_revision: i64,
    /// Hash of the file at that revision. Null for a new file.
    pub base_sha256: Option<Digest>,
    pub text: String,
    pub updated_at: Time,
}

/// A file with unsaved text. Reading the file returns the text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct DraftMark {
    pub skill_id: inklings_core::SkillId,
    pub scope: Scope,
    pub path: SkillPath,
    pub updated_at: Time,
}

/// An entry of the change feed. It says what to read again and has no data itself.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ChangeEvent {
    /// Position in the scope's feed. 0 for pages and the status of the search, which have no feed.
    pub seq: i64,
    /// `skill`, `draft`, `input`, `setting`, `workspace`, `proposal`, `reference`, `chat`, `action`, `agent`, `note`, `page` or `search`;
    /// `database` if the database was replaced.
    pub kind: String,
    /// IDs of what changed. Empty if there are too many.
    pub ids: Vec<String>,
    /// Origin of the write. Empty if unknown.
    pub origin: String,
    pub scope: Scope,
    /// Folder of the workspace. Null for the account.
    pub workspace: Option<String>,
}

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
        text: entry.editable_text().is_some(),
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

/// `in_both`: [`is_in_both_scopes`].
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

/// `in_both`: [`is_in_both_scopes`]; `drafts` are the paths with unsaved text.
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
        resolved: scope_summary(summary.scope, in_both, summary.enabled),
        diagnostics,
        summary,
    }
}

/// Which scope wins and whether the skill is enabled. `other`: the other scope has a skill of the same name.
pub(crate) fn scope_summary(scope: Scope, other: bool, enabled: bool) -> String {
    let summary = match (scope, other) {
        (Scope::Workspace, true) => "workspace overrides account",
        (Scope::Workspace, false) => "workspace only",
        (Scope::Account, true) => "account, overridden by the workspace",
        (Scope::Account, false) => "account, in every workspace",
    };
    if enabled { summary.to_owned() } else { format!("{summary}, disabled") }
}
