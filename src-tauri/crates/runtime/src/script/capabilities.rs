//! The capabilities of a script: all of them, unless it declares fewer.

use inklings_core::Artifact;
use inklings_core::sandbox_api::{CAPABILITIES, Capability};
use serde_json::Value;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Capabilities(Vec<Capability>);

impl Capabilities {
    /// The names in `metadata.rights`; all capabilities if the key is absent. An unreadable list
    /// grants none.
    #[must_use]
    pub fn of(artifact: &Artifact) -> Self {
        let granted =
            |name: &Value| CAPABILITIES.iter().find(|(_, known)| name.as_str() == Some(*known)).map(|(capability, _)| *capability);
        match artifact.metadata.get("rights") {
            None => Self(CAPABILITIES.iter().map(|(capability, _)| *capability).collect()),
            Some(list) => Self(list.as_array().into_iter().flatten().filter_map(granted).collect()),
        }
    }

    #[must_use]
    pub fn has(&self, capability: Capability) -> bool {
        self.0.contains(&capability)
    }
}
