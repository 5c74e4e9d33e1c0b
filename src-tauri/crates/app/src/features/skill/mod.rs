//! Skills as wholes: the catalog, their values, history and copies, and import and export.

pub(crate) mod catalog;
pub(crate) mod deletion;
pub(crate) mod duplication;
pub(crate) mod editing;
pub(crate) mod export;
pub(crate) mod history;
pub(crate) mod import;
pub(crate) mod lifecycle;
pub(crate) mod locations;
pub(crate) mod merging;
pub(crate) mod operations;
pub(crate) mod relations;
pub(crate) mod values;

pub(crate) use deletion::delete as delete_skill;
pub(crate) use editing::{WriteError, enable, new_package};
pub(crate) use lifecycle::{LifecycleError, change_lifecycle, plan as plan_lifecycle};
pub(crate) use merging::{MergeError, PlannedMerge, merge as merge_skills, plan as plan_merge};
pub(crate) use relations::{dependencies_of, dependents_of};

pub use catalog::*;
pub use deletion::*;
pub use duplication::*;
pub use editing::*;
pub use export::*;
pub use history::*;
pub use import::*;
pub use lifecycle::*;
pub use locations::*;
pub use merging::*;
pub use operations::*;
pub use relations::*;
pub use values::*;
