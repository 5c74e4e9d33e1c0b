//! Reads the files of a `dspy_module`: the program and its compiled state.

use inklings_core::program::Program;
use inklings_core::{Artifact, ProgramError};
use inklings_lint::signature::{self, Signature};
use serde_json::Value;

#[derive(Debug, Clone)]
pub struct Content {
    pub program: Program,
    pub signature: Signature,
}

impl Content {
    /// Unknown keys are ignored: another app may use them.
    pub fn of(artifact: &Artifact) -> Result<Self, ProgramError> {
        let program: Program = serde_json::from_str(&artifact.content)
            .map_err(|error| ProgramError::Invalid(format!("invalid JSON in {}: {error}", artifact.path)))?;
        let signature = signature::parse(&program.signature)
            .map_err(|(fault, _)| ProgramError::Invalid(format!("{}: {fault} in {:?}", artifact.path, program.signature)))?;
        Ok(Self { program, signature })
    }

    /// Names of the input fields.
    pub fn inputs(&self) -> impl Iterator<Item = &str> {
        self.signature.inputs.iter().map(|field| field.name.as_str())
    }
}

/// None without a state file. The `folder` crate has checked that it is JSON.
#[must_use]
pub fn state_of(artifact: &Artifact) -> Option<Value> {
    serde_json::from_slice(&artifact.state.as_ref()?.bytes).ok()
}
