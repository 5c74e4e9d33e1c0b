//! Runs skills: a plan, one handler per kind of artifact, assertions on each output, and a trace of each step.
//!
//! [`run::Runner`] executes a run: plan, then each step through [`handler::ArtifactDispatcher`], which is all that it knows about
//! kinds. Models, traces and the clock are ports. Deliberately absent: SQL, HTTP, windows, and execution modes: the kind of an
//! artifact decides how it runs. To add a kind: a module under [`handlers`] and a line in [`handlers::all`].

pub mod assertions;
mod budget;
mod context;
mod error;
mod event;
pub mod exec;
pub mod handler;
pub mod handlers;
pub mod instructions;
pub mod optimize;
mod output;
mod params;
pub mod plan;
pub mod program;
pub mod record;
mod redact;
mod request;
mod request_text;
mod resources;
pub mod run;
pub mod script;

pub use budget::{Budget, Limits};
pub use context::{Conversation, Example, ExecutionContext, metered};
pub use error::{MissingInput, SkillError};
pub use event::{NoopListener, RunEvent, RunEventKind, RunEvents};
pub use handler::{ArtifactDispatcher, ArtifactHandler, OutputSpec};
pub use output::{ArtifactOutput, RunReport, ScriptResult};
pub use redact::{KnownSecrets, NoSecrets, Redactor, Secrets};
pub use request::RunRequest;
pub use request_text::{request_text, request_tokens};
pub use resources::{RunResources, SkillSource};
pub use run::{RunPart, Runner};
