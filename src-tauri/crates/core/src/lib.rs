//! The domain of Inklings Skill Studio: what a skill is, the pure rules over it, and the ports that adapters implement.
//!
//! Deliberately absent: files, sockets, SQL, threads, async runtimes. Anything that touches the world is behind a trait
//! in [`ports`]. To add a concept, give it a module of its own and re-export its types here.

pub mod catalog;
pub mod change;
pub mod check;
pub mod digest;
pub mod edit;
pub mod id;
pub mod kind;
pub mod limits;
pub mod manifest;
pub mod name;
pub mod path;
pub mod ports;
pub mod skill;
pub mod time;
pub mod tree;
pub mod user;
pub mod variant;

pub use catalog::SkillCatalog;
pub use change::{ChangeSet, Expected, RevisionInfo};
pub use check::{Diagnostic, Severity};
pub use digest::Digest;
pub use id::{ArtifactId, SkillId};
pub use kind::ArtifactKind;
pub use name::{Slug, slugify};
pub use path::SkillPath;
pub use ports::{Clock, DeletedSkill, IdSource, Projection, SkillStorageRepository, StorageError};
pub use skill::{
    Artifact, Head, Lifecycle, Origin, Package, Relation, RelationKind, Scope, Skill, SkillFile, SkillStep, SkillSummary, Source, State,
};
pub use time::Time;
pub use tree::{Entry, Tree};
pub use user::UserData;
