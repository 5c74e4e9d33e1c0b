//! Where a skill came from, as its head keeps it.

use inklings_core::{Head, ProposalId, Time};
use serde_json::{Value, json};

const PROPOSAL: &str = "proposal";

/// Reads and writes that part of a head.
pub(crate) struct Provenance;

impl Provenance {
    /// Imported from a path; `revision` is the one that is the folder as it came, if one is.
    pub(crate) fn imported(path: &str, at: Time, revision: Option<i64>) -> Value {
        json!({ "imported_from": path, "at": at, "revision": revision })
    }

    /// Notes that accepting a proposal made the skill.
    pub(crate) fn set_proposal(head: &mut Head, proposal: ProposalId) {
        let provenance = head.provenance.get_or_insert_with(|| json!({}));
        if let Some(object) = provenance.as_object_mut() {
            object.insert(PROPOSAL.to_owned(), json!(proposal));
        }
    }

    /// The proposal whose acceptance made the skill.
    pub(crate) fn proposal(head: &Head) -> Option<String> {
        head.provenance.as_ref()?.get(PROPOSAL)?.as_str().map(str::to_owned)
    }

    /// The revision that is what was imported last.
    pub(crate) fn base(head: &Head) -> Option<i64> {
        let provenance = head.provenance.as_ref()?.as_object()?;
        provenance.get("imported_from")?;
        // Before this was kept, only a first import was known to be a revision of its own.
        provenance.get("revision").map_or(Some(1), Value::as_i64)
    }
}
