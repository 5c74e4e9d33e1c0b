use inklings_core::{SkillPath, Slug, StorageError};
use inklings_rpc::{Code, Failure, NextStep};

#[derive(Debug, thiserror::Error)]
pub(crate) enum ResourceError {
    /// There is none, or it isn't exposed: which of the two is nobody's business.
    #[error("skill {:?} not found", .0.as_str())]
    NoSkill(Slug),
    #[error("the skill {slug} has no file {path}")]
    NoFile { slug: Slug, path: SkillPath },
    #[error(transparent)]
    Storage(#[from] StorageError),
}

impl From<ResourceError> for Failure {
    fn from(error: ResourceError) -> Self {
        let message = error.to_string();
        match error {
            ResourceError::NoSkill(_) => Self::new(Code::NotFound, message).hint("list the skills"),
            ResourceError::NoFile { .. } => Self::new(Code::NotFound, message).next_step(NextStep::FindFile),
            ResourceError::Storage(error) => error.into(),
        }
    }
}
