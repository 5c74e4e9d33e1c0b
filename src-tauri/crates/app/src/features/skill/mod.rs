//! Skills as wholes: the catalog, their values, history and copies, and import and export.

pub(crate) mod catalog;
pub(crate) mod deletion;
pub(crate) mod duplication;
pub(crate) mod editing;
pub(crate) mod export;
pub(crate) mod history;
pub(crate) mod import;
pub(crate) mod locations;
pub(crate) mod operations;
pub(crate) mod values;

pub(crate) use deletion::delete as delete_skill;
pub(crate) use editing::{WriteError, enable, new_package};

pub use catalog::*;
pub use deletion::*;
pub use duplication::*;
pub use editing::*;
pub use export::*;
pub use history::*;
pub use import::*;
pub use locations::*;
pub use operations::*;
pub use values::*;
