//! The files of a `dspy_module`: what it is, and what an optimisation found.

use inklings_core::program::Program;
use inklings_core::{Artifact, ProgramError};
use inklings_lint::signature::{self, Signature};
use serde_json::Value;

/// An artifact's content, read.
#[derive(Debug, Clone)]
pub struct Content {
    /// What the process is given.
    pub program: Program,
    /// Its inputs and outputs.
    pub signature: Signature,
}

impl Content {
    /// Reads it. Keys that nobody knows are left alone: another app may have put them there.
    pub fn of(artifact: &Artifact) -> Result<Self, ProgramError> {
        let program: Program = serde_json::from_str(&artifact.content)
            .map_err(|error| ProgramError::Invalid(format!("{} can't be read: {error}", artifact.path)))?;
        let signature = signature::parse(&program.signature)
            .map_err(|(fault, _)| ProgramError::Invalid(format!("{}: {fault} in {:?}", artifact.path, program.signature)))?;
        Ok(Self { program, signature })
    }

    /// The names of its inputs.
    pub fn inputs(&self) -> impl Iterator<Item = &str> {
        self.signature.inputs.iter().map(|field| field.name.as_str())
    }
}

/// The state beside an artifact; none without one. What is stored is JSON: the folder takes nothing else.
#[must_use]
pub fn state_of(artifact: &Artifact) -> Option<Value> {
    serde_json::from_slice(&artifact.state.as_ref()?.bytes).ok()
}
