//! What a script may do at all: everything that its run can reach, unless it declares that it needs less.

use inklings_core::Artifact;
use inklings_core::sandbox_api::{CAPABILITIES, Capability};
use serde_json::Value;

/// The rights of one script.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Capabilities(Vec<Capability>);

impl Capabilities {
    /// What the artifact declares in `metadata.rights`, a list of names; all rights if it declares nothing. What can't be read
    /// grants nothing.
    #[must_use]
    pub fn of(artifact: &Artifact) -> Self {
        let granted =
            |name: &Value| CAPABILITIES.iter().find(|(_, known)| name.as_str() == Some(*known)).map(|(capability, _)| *capability);
        match artifact.metadata.get("rights") {
            None => Self(CAPABILITIES.iter().map(|(capability, _)| *capability).collect()),
            Some(list) => Self(list.as_array().into_iter().flatten().filter_map(granted).collect()),
        }
    }

    /// Whether it has the right.
    #[must_use]
    pub fn has(&self, capability: Capability) -> bool {
        self.0.contains(&capability)
    }
}
