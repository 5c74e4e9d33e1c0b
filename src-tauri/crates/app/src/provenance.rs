//! The origin of a skill, as stored in its head.

use std::path::Path;

use inklings_core::{Digest, Head, ProposalId, Scope, Skill, SkillId, Slug, Time, Tree, tree_digest};
use inklings_git::{FetchedRepository, RepositorySource};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

const PROPOSAL: &str = "proposal";
const IMPORTED_FROM: &str = "imported_from";
const REPOSITORY: &str = "repository";
const FORKED_FROM: &str = "forked_from";

/// Where imported files are from.
pub(crate) struct ImportOrigin {
    /// For people: a path, or a repository with the folder in it.
    pub(crate) name: String,
    pub(crate) repository: Option<RepositorySource>,
}

impl ImportOrigin {
    /// `label` names the skill as in the import report.
    pub(crate) fn of(label: &str, repositories: &[FetchedRepository]) -> Self {
        let repository = repositories.iter().find_map(|repository| repository.source_of(Path::new(label)));
        let name = match &repository {
            Some(source) if source.folder.is_empty() => source.url.clone(),
            Some(source) => format!("{} ({})", source.url, source.folder),
            None => label.to_owned(),
        };
        Self { name, repository }
    }
}

/// The revision of a skill that another one is a copy of, or has the changes of.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct ForkOrigin {
    pub(crate) id: SkillId,
    pub(crate) slug: Slug,
    pub(crate) scope: Scope,
    pub(crate) revision: i64,
    pub(crate) version: String,
    /// Hash of its files. `None` if an older version stored it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) files: Option<Digest>,
}

impl ForkOrigin {
    pub(crate) fn of(parent: &Skill) -> Self {
        let (id, scope, revision) = (parent.head.id, parent.head.scope, parent.head.revision);
        let files = Some(tree_digest(&parent.package.tree()));
        Self { id, slug: parent.package.slug.clone(), scope, revision, version: parent.package.version.clone(), files }
    }

    /// Whether these are the files of the revision: another database may have replaced the skill's, with others under the same number.
    pub(crate) fn has_files(&self, tree: &Tree) -> bool {
        self.files.is_none_or(|files| files == tree_digest(tree))
    }
}

pub(crate) struct Provenance;

impl Provenance {
    /// `revision` is the one with the files as they were imported, if there is one.
    pub(crate) fn imported(origin: &ImportOrigin, at: Time, revision: Option<i64>) -> Value {
        let mut value = json!({ IMPORTED_FROM: origin.name, "at": at, "revision": revision });
        if let (Some(object), Some(repository)) = (value.as_object_mut(), &origin.repository) {
            object.insert(REPOSITORY.to_owned(), json!(repository));
        }
        value
    }

    /// A path, or the name of a folder in a repository.
    pub(crate) fn imported_from(head: &Head) -> Option<&str> {
        head.provenance.as_ref()?.get(IMPORTED_FROM)?.as_str()
    }

    pub(crate) fn repository(head: &Head) -> Option<RepositorySource> {
        RepositorySource::deserialize(head.provenance.as_ref()?.get(REPOSITORY)?).ok()
    }

    pub(crate) fn forked(origin: &ForkOrigin) -> Value {
        json!({ FORKED_FROM: origin })
    }

    pub(crate) fn fork_origin(head: &Head) -> Option<ForkOrigin> {
        ForkOrigin::deserialize(head.provenance.as_ref()?.get(FORKED_FROM)?).ok()
    }

    pub(crate) fn set_fork_origin(head: &mut Head, origin: &ForkOrigin) {
        let provenance = head.provenance.get_or_insert_with(|| json!({}));
        if let Some(object) = provenance.as_object_mut() {
            object.insert(FORKED_FROM.to_owned(), json!(origin));
        }
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

    /// Of a copy, whose revisions are other ones: `revision` is the one with the files as they were imported, if the copy has it.
    pub(crate) fn set_base(head: &mut Head, revision: Option<i64>) {
        let provenance = head.provenance.as_mut().and_then(Value::as_object_mut);
        if let Some(object) = provenance.filter(|object| object.contains_key(IMPORTED_FROM)) {
            object.insert("revision".to_owned(), json!(revision));
        }
    }

    /// The revision with the files as they were last imported.
    pub(crate) fn base(head: &Head) -> Option<i64> {
        let provenance = head.provenance.as_ref()?.as_object()?;
        provenance.get(IMPORTED_FROM)?;
        // Older versions didn't store the revision, which is the first one unless the skill was imported again.
        provenance.get("revision").map_or(Some(1), Value::as_i64)
    }
}
