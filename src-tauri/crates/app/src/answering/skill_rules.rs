//! What the manifests of the skills that an answer uses enforce: tools that they forbid, and gates before something is written.

use std::collections::BTreeSet;
use std::sync::{Mutex, MutexGuard, PoisonError};

use inklings_agent::used_skill;
use inklings_core::chat::ChatStep;
use inklings_core::manifest::{GateMoment, forbidden_tools, required_gates};
use inklings_core::model::ToolCall;
use inklings_core::{SkillCatalog, StorageError};

#[derive(Default)]
pub(super) struct SkillRules(Mutex<Rules>);

#[derive(Default)]
struct Rules {
    forbidden: BTreeSet<String>,
    /// Labels of gates.
    before_write: BTreeSet<String>,
}

impl SkillRules {
    /// For an answer that has made these steps, to a message for which the user chose a skill.
    pub(super) fn of(catalog: &SkillCatalog, steps: &[ChatStep], chosen: Option<&str>) -> Result<Self, StorageError> {
        let rules = Self::default();
        let used = steps.iter().filter_map(|step| match step {
            ChatStep::Tool { step, .. } => used_skill(&step.call),
            _ => None,
        });
        for skill in used.chain(chosen.map(str::to_owned)) {
            rules.add(catalog, &skill)?;
        }
        Ok(rules)
    }

    /// The call may use a skill, whose rules apply from then on.
    pub(super) fn note(&self, catalog: &SkillCatalog, call: &ToolCall) -> Result<(), StorageError> {
        used_skill(call).map_or(Ok(()), |skill| self.add(catalog, &skill))
    }

    fn add(&self, catalog: &SkillCatalog, skill: &str) -> Result<(), StorageError> {
        let metadata = match catalog.require(skill, None) {
            Ok(skill) => skill.package.metadata,
            // The call says that there is none.
            Err(StorageError::NotFound { .. }) => return Ok(()),
            Err(error) => return Err(error),
        };
        let mut rules = self.lock();
        rules.forbidden.extend(forbidden_tools(&metadata));
        rules.before_write.extend(required_gates(&metadata, GateMoment::BeforeWrite).into_iter().map(|gate| gate.label));
        Ok(())
    }

    pub(super) fn forbids(&self, tool: &str) -> bool {
        self.lock().forbidden.contains(tool)
    }

    /// Labels of the gates before something is written.
    pub(super) fn before_write(&self) -> Vec<String> {
        self.lock().before_write.iter().cloned().collect()
    }

    fn lock(&self) -> MutexGuard<'_, Rules> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
