//! What a skill is: its portable package and the head that stays with one database.

use std::fmt;
use std::sync::Arc;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::id::{ArtifactId, SkillId};
use crate::kind::ArtifactKind;
use crate::marketplace::InstalledPackage;
use crate::name::Slug;
use crate::path::{SKILL_JSON, SKILL_MD, SkillPath};
use crate::time::Time;
use crate::tree::{Tree, TreeFile};

/// The database that a skill is stored in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Scope {
    /// The user's own database, in every workspace.
    Account,
    /// The open workspace's database. Its skills override those of the account with the same slug.
    Workspace,
}

/// A stored text enum: `as_str`, `FromStr`, `Display`.
macro_rules! text_enum {
    ($(#[$doc:meta])* $name:ident { $($(#[$vdoc:meta])* $variant:ident = $text:literal),+ $(,)? }) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
        pub enum $name { $($(#[$vdoc])* #[serde(rename = $text)] $variant),+ }

        impl $name {
            /// The stored and sent text.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $text),+ }
            }
        }

        impl std::str::FromStr for $name {
            type Err = $crate::skill::UnknownValue;
            fn from_str(text: &str) -> Result<Self, Self::Err> {
                match text {
                    $($text => Ok(Self::$variant),)+
                    _ => Err($crate::skill::UnknownValue { what: stringify!($name), value: text.to_owned(), known: &[$($text),+] }),
                }
            }
        }
    };
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("unknown {what} {value:?}: expected one of {}", known.join(", "))]
pub struct UnknownValue {
    pub what: &'static str,
    pub value: String,
    pub known: &'static [&'static str],
}

impl Scope {
    /// The stored and sent text.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Account => "account",
            Self::Workspace => "workspace",
        }
    }

    #[must_use]
    pub const fn other(self) -> Self {
        match self {
            Self::Account => Self::Workspace,
            Self::Workspace => Self::Account,
        }
    }
}

impl fmt::Display for Scope {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

pub(crate) use text_enum;

text_enum! {
    /// How a skill was added. Never taken from its content.
    Source {
        /// Shipped with the app.
        System = "system",
        /// From a registry.
        Community = "community",
        /// A third-party skill, updated only by importing it again.
        Imported = "imported",
        /// The user's own.
        User = "user",
    }
}

impl Source {
    /// Locked skills can't be edited in place, only duplicated.
    #[must_use]
    pub const fn is_locked(self) -> bool {
        !matches!(self, Self::User)
    }
}

text_enum! {
    Origin {
        /// A person.
        Human = "human",
        /// A model.
        Llm = "llm",
    }
}

text_enum! {
    Lifecycle {
        /// New and untested.
        Candidate = "candidate",
        /// Reviewed.
        Verified = "verified",
        /// In general use.
        Released = "released",
        /// Its quality has dropped.
        Degraded = "degraded",
        /// No longer recommended.
        Deprecated = "deprecated",
        /// Retired.
        Archived = "archived",
    }
}

text_enum! {
    /// How a skill relates to another, named by slug.
    RelationKind {
        /// Needs the other.
        DependsOn = "depends_on",
        /// Must not be used together with the other.
        ConflictsWith = "conflicts_with",
    }
}

/// A relation to another skill.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
pub struct Relation {
    pub kind: RelationKind,
    /// The other skill's slug, as written; it need not exist.
    pub target: String,
}

/// One step of a skill's procedure.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct SkillStep {
    /// Position, from 1.
    pub step: u32,
    /// Short name of the action.
    pub action: String,
    #[serde(default)]
    pub description: String,
    /// Tool to use.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tool: Option<String>,
    /// The tool's parameters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub params: Option<Map<String, Value>>,
}

/// The serialized state of a DSPy module, a file of its own in the folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct State {
    pub path: SkillPath,
    /// JSON, verbatim.
    pub bytes: Arc<[u8]>,
}

/// One artifact: a file of the skill that a handler runs by kind.
#[derive(Debug, Clone, PartialEq)]
pub struct Artifact {
    /// Unique in the database.
    pub id: ArtifactId,
    /// Path in the folder, unique in the skill.
    pub path: SkillPath,
    /// Which handler runs it.
    pub kind: ArtifactKind,
    /// Name; unique in the skill together with `variant`.
    pub name: String,
    /// Display and execution order.
    pub ordinal: i64,
    /// UTF-8 without NUL, verbatim (BOM and CRLF kept). For `SKILL.md`: the body after the frontmatter.
    pub content: Arc<str>,
    /// Model family; `None` for the default variant.
    pub variant: Option<String>,
    /// Kind-specific settings: assertions, `fallback_artifact`, …
    pub metadata: Map<String, Value>,
    /// DSPy state.
    pub state: Option<State>,
    /// The owner's execute bit.
    pub executable: bool,
}

/// A file of the folder that isn't an artifact.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SkillFile {
    /// Path in the folder, unique in the skill.
    pub path: SkillPath,
    pub entry: TreeFile,
}

/// The original text of values, written verbatim as long as it declares the same values.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Sources {
    /// `SKILL.md` up to and including the line end of the closing delimiter. `None` without frontmatter.
    pub frontmatter: Option<Arc<str>>,
    /// `skill.json`; `None` if the skill needs none.
    pub skill_json: Option<Arc<str>>,
}

/// The portable part of a skill: equivalent to its folder, and all that is exported.
///
/// The sources are *in sync* if they state the same values; [`crate::SkillFormat::sync_sources`] makes them so. Whatever is
/// committed is in sync, so [`Package::tree`] needs neither YAML nor JSON.
#[derive(Debug, Clone, PartialEq)]
pub struct Package {
    pub slug: Slug,
    pub name: String,
    /// One paragraph: what it does and when to use it.
    pub description: String,
    /// Semantic version, set by the author. `1.0.0` by default.
    pub version: String,
    /// Display name of the author.
    pub author: Option<String>,
    pub tags: Vec<String>,
    /// `general` by default.
    pub category: String,
    pub triggers: Vec<String>,
    pub intent_patterns: Vec<String>,
    /// When another skill is the better choice.
    pub when_not_to_use: Option<String>,
    /// Whether a user can invoke it by name.
    pub user_invocable: bool,
    pub steps: Vec<SkillStep>,
    pub relations: Vec<Relation>,
    /// Free metadata. The manifest is at `manifest`.
    pub metadata: Map<String, Value>,
    /// Names of the artifacts that a run executes, in order; `None` for the default plan.
    pub run: Option<Vec<String>>,
    /// By ordinal, then path.
    pub artifacts: Vec<Artifact>,
    /// Files that aren't artifacts, by path.
    pub files: Vec<SkillFile>,
    pub sources: Sources,
    /// `SKILL.md` or `skill.md`, as in the folder.
    pub main_path: SkillPath,
}

impl Package {
    /// An empty package with defaults.
    #[must_use]
    pub fn new(slug: Slug, name: impl Into<String>, description: impl Into<String>) -> Self {
        Self {
            slug,
            name: name.into(),
            description: description.into(),
            version: "1.0.0".to_owned(),
            author: None,
            tags: Vec::new(),
            category: "general".to_owned(),
            triggers: Vec::new(),
            intent_patterns: Vec::new(),
            when_not_to_use: None,
            user_invocable: true,
            steps: Vec::new(),
            relations: Vec::new(),
            metadata: Map::new(),
            run: None,
            artifacts: Vec::new(),
            files: Vec::new(),
            sources: Sources::default(),
            main_path: skill_md(),
        }
    }

    /// The artifact in `SKILL.md`, which other tools call `content` or `instructions`.
    #[must_use]
    pub fn main(&self) -> Option<&Artifact> {
        self.artifacts.iter().find(|artifact| artifact.path == self.main_path)
    }

    /// Requires sources in sync.
    #[must_use]
    pub fn tree(&self) -> Tree {
        let mut tree = Tree::new();
        let main = self.main();
        if self.sources.frontmatter.is_some() || main.is_some() {
            let mut text = self.sources.frontmatter.as_deref().unwrap_or_default().to_owned();
            text.push_str(main.map_or("", |artifact| &artifact.content));
            let executable = main.is_some_and(|artifact| artifact.executable);
            tree.insert(self.main_path.clone(), TreeFile { bytes: text.into_bytes().into(), executable });
        }
        if let Some(text) = &self.sources.skill_json {
            tree.insert(skill_json(), TreeFile::new(text.as_bytes()));
        }
        for artifact in self.artifacts.iter().filter(|artifact| artifact.path != self.main_path) {
            let entry = TreeFile { bytes: artifact.content.as_bytes().into(), executable: artifact.executable };
            tree.insert(artifact.path.clone(), entry);
        }
        for state in self.artifacts.iter().filter_map(|artifact| artifact.state.as_ref()) {
            tree.insert(state.path.clone(), TreeFile::new(state.bytes.clone()));
        }
        for file in &self.files {
            tree.insert(file.path.clone(), file.entry.clone());
        }
        tree
    }

    /// Size of all files.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        let texts = [&self.sources.frontmatter, &self.sources.skill_json].into_iter().flatten().map(|text| text.len());
        let artifacts =
            self.artifacts.iter().map(|artifact| artifact.content.len() + artifact.state.as_ref().map_or(0, |state| state.bytes.len()));
        let files = self.files.iter().map(|file| file.entry.bytes.len());
        texts.chain(artifacts).chain(files).map(|len| u64::try_from(len).unwrap_or(u64::MAX)).sum()
    }

    /// Kinds of its artifacts, in display order.
    #[must_use]
    pub fn kinds(&self) -> Vec<ArtifactKind> {
        ArtifactKind::ALL.into_iter().filter(|kind| self.artifacts.iter().any(|artifact| artifact.kind == *kind)).collect()
    }

    pub fn related(&self, kind: RelationKind) -> impl Iterator<Item = &str> {
        self.relations.iter().filter(move |relation| relation.kind == kind).map(|relation| relation.target.as_str())
    }
}

#[expect(clippy::expect_used, reason = "a literal that the path rules accept")]
fn literal(path: &str) -> SkillPath {
    SkillPath::parse(path).expect("a valid literal")
}

#[must_use]
pub fn skill_md() -> SkillPath {
    literal(SKILL_MD)
}

#[must_use]
pub fn skill_json() -> SkillPath {
    literal(SKILL_JSON)
}

/// The part of a skill that belongs to one database and isn't exported.
#[derive(Debug, Clone, PartialEq)]
pub struct Head {
    pub id: SkillId,
    pub scope: Scope,
    /// Number of the current revision, from 1; 0 for a skill that isn't stored yet.
    pub revision: i64,
    /// How it was added.
    pub source: Source,
    pub origin: Origin,
    pub lifecycle: Lifecycle,
    /// 1 (untested model output) to 4 (shipped with the app).
    pub trust_tier: u8,
    /// Whether agents can find and run it.
    pub enabled: bool,
    pub created_by: Option<String>,
    /// The skill that this one was forked from.
    pub parent_skill_id: Option<SkillId>,
    pub deprecated_reason: Option<String>,
    /// The session that it was learned from.
    pub source_session: Option<String>,
    /// Where it was imported or forked from.
    pub provenance: Option<Value>,
    /// The package that it was installed from, of skills of a registry.
    pub package: Option<InstalledPackage>,
    pub created_at: Time,
    /// Time of the current revision.
    pub updated_at: Time,
}

impl Head {
    /// The head of a new skill, with the defaults of its source and origin.
    #[must_use]
    pub fn new(id: SkillId, scope: Scope, source: Source, origin: Origin, now: Time) -> Self {
        let (lifecycle, trust_tier) = Self::defaults(source, origin);
        Self {
            id,
            scope,
            revision: 0,
            source,
            origin,
            lifecycle,
            trust_tier,
            enabled: true,
            created_by: None,
            parent_skill_id: None,
            deprecated_reason: None,
            source_session: None,
            provenance: None,
            package: None,
            created_at: now,
            updated_at: now,
        }
    }

    /// Lifecycle and trust tier of a new skill.
    #[must_use]
    pub const fn defaults(source: Source, origin: Origin) -> (Lifecycle, u8) {
        match (source, origin) {
            (Source::System, _) => (Lifecycle::Released, 4),
            (Source::Community | Source::Imported, _) => (Lifecycle::Verified, 2),
            (Source::User, Origin::Human) => (Lifecycle::Released, 3),
            (Source::User, Origin::Llm) => (Lifecycle::Candidate, 1),
        }
    }
}

/// A stored skill: head and package.
#[derive(Debug, Clone, PartialEq)]
pub struct Skill {
    pub head: Head,
    pub package: Package,
}

/// Metadata of a skill for lists.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct SkillSummary {
    pub id: SkillId,
    pub scope: Scope,
    pub slug: Slug,
    /// Title.
    pub name: String,
    pub description: String,
    /// Semantic version.
    pub version: String,
    pub tags: Vec<String>,
    pub category: String,
    /// How it was added.
    pub source: Source,
    pub origin: Origin,
    pub lifecycle: Lifecycle,
    /// 1 to 4.
    pub trust_tier: u8,
    /// Whether agents can find and run it.
    pub enabled: bool,
    /// Whether a user can invoke it by name.
    pub user_invocable: bool,
    /// Number of the current revision.
    pub revision: i64,
    /// Display name of the author.
    pub author: Option<String>,
    pub created_at: Time,
    /// Time of the current revision.
    pub updated_at: Time,
    /// Locked skills can only be duplicated.
    pub locked: bool,
    /// Whether this workspace skill overrides an account skill of the same slug.
    pub shadows: bool,
    /// Whether the workspace overrides this account skill.
    pub shadowed: bool,
    /// Slug of another visible skill with the same title.
    pub collides_with: Option<Slug>,
    /// Kinds of its artifacts, in display order.
    pub kinds: Vec<ArtifactKind>,
    pub files: u32,
    /// Size of all files.
    pub bytes: u64,
}

impl SkillSummary {
    /// Whether models are told of it: it is enabled, and neither deprecated nor archived.
    #[must_use]
    pub const fn is_current(&self) -> bool {
        self.enabled && self.lifecycle.is_current()
    }
}

impl Lifecycle {
    /// Whether skills in this state are recommended: all but the deprecated and archived ones.
    #[must_use]
    pub const fn is_current(self) -> bool {
        !matches!(self, Self::Deprecated | Self::Archived)
    }
}
