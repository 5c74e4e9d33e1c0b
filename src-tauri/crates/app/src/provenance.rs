//! The origin of a skill, as stored in its head.

use inklings_core::{Head, ProposalId, Time};
use serde_json::{Value, json};

const PROPOSAL: &str = "proposal";

pub(crate) struct Provenance;

impl Provenance {
    /// `revision` is the one with the files as they were imported, if there is one.
    pub(crate) fn imported(path: &str, at: Time, revision: Option<i64>) -> Value {
        json!({ "imported_from": path, "at": at, "revision": revision })
    }

    pub(crate) fn set_proposal(head: &mut Head, proposal: ProposalId) {
        let provenance = head.provenance.get_or_insert_with(|| json!({}));
        if let Some(object) = provenance.as_object_mut() {
            object.insert(PROPOSAL.to_owned(), json!(proposal));
        }
    }

    pub(crate) fn proposal(head: &Head) -> Option<String> {
        head.provenance.as_ref()?.get(PROPOSAL)?.as_str().map(str::to_owned)
    }

    /// The revision with the files as they were last imported.
    pub(crate) fn base(head: &Head) -> Option<i64> {
        let provenance = head.provenance.as_ref()?.as_object()?;
        provenance.get("imported_from")?;
        // Older versions didn't store the revision, which is the first one unless the skill was imported again.
        provenance.get("revision").map_or(Some(1), Value::as_i64)
    }
}
