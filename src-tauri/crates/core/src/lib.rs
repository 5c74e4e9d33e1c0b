//! The domain of Inklings Skill Studio: what a skill is, the pure rules over it, and the ports that adapters implement.
//!
//! Deliberately absent: files, sockets, SQL, threads, async runtimes. All I/O is behind a trait
//! in [`ports`]. To add a concept, give it a module of its own and re-export its types here.

pub mod access;
pub mod action;
pub mod agent;
pub mod artifact_ids;
pub mod binding;
pub mod built;
pub mod cancel;
pub mod catalog;
pub mod change;
pub mod chat;
pub mod check;
mod decorator;
pub mod digest;
pub mod edit;
pub mod eval;
pub mod failpoint;
pub mod files;
pub mod fix;
pub mod frontmatter;
pub mod fuzzy;
pub mod graph;
pub mod id;
pub mod kind;
pub mod lifecycle;
pub mod limits;
pub mod link;
pub mod manifest;
pub mod marketplace;
pub mod model;
pub mod name;
pub mod pages;
pub mod path;
pub mod ports;
pub mod program;
pub mod progress;
pub mod proposal;
pub mod provider;
pub mod reliability;
mod root_cause;
pub mod rule;
pub mod sandbox;
pub mod sandbox_api;
pub mod shape;
pub mod skill;
pub mod skill_list;
pub mod storage_error;
pub mod three_way;
pub mod time;
pub mod trace;
pub mod tree;
pub mod user;
pub mod variant;

pub use action::{Action, Actions};
pub use agent::Agents;
pub use cancel::CancellationToken;
pub use catalog::SkillCatalog;
pub use change::{ChangeSet, Expected, RevisionInfo};
pub use chat::Chats;
pub use check::{Diagnostic, Severity};
pub use decorator::RepositoryDecorator;
pub use digest::Digest;
pub use eval::{EvalStore, ResponseCache};
pub use failpoint::Failpoint;
pub use fix::{Fix, TextEdit};
pub use id::{ArtifactId, BindingId, EvalRunId, MessageId, ProposalId, RunId, SessionId, SkillId, TraceId};
pub use kind::ArtifactKind;
pub use lifecycle::{IllegalTransition, LifecycleAction, LifecycleChange, LifecycleEntry};
pub use link::{LinkBase, LinkedFile, SkillLink, SkillLinks};
pub use marketplace::MarketplaceStore;
pub use model::{LanguageModel, ModelError, ModelRef, Models};
pub use name::{Slug, slugify};
pub use path::SkillPath;
pub use ports::{
    BatchCommit, Clock, DeletedSkill, DeletedSummary, FileName, IdSource, SkillFacts, SkillFormat, SkillNames, SkillStorageRepository,
};
pub use program::{ProgramError, ProgramHost, ProgramRunner};
pub use progress::{Progress, ProgressReporter};
pub use proposal::{Proposal, Proposals};
pub use provider::{ProviderRegistry, Secret};
pub use root_cause::root_cause;
pub use rule::Rule;
pub use sandbox::{
    HostError, HostFunctions, Sandbox, SandboxLimits, Script, ScriptError, ScriptException, ScriptExit, ScriptFile, ScriptOutcome,
    ScriptOutput,
};
pub use skill::{
    Artifact, Head, Lifecycle, Origin, Package, Relation, RelationKind, Scope, Skill, SkillFile, SkillStep, SkillSummary, Source, State,
};
pub use skill_list::{SkillListCursor, SkillListItem};
pub use storage_error::StorageError;
pub use time::Time;
pub use trace::{Trace, TraceStatus, TraceStore};
pub use tree::{Tree, TreeFile, tree_digest};
pub use user::UserData;
