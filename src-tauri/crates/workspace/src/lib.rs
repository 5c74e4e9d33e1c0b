//! The pages of a workspace: an index over its Markdown files, stored in `.inklings/cache.db` and rebuilt if it is unusable.
//!
//! [`Index`] implements [`inklings_core::pages::Pages`]. [`parse`] defines what a page consists of, [`names`] how pages are named,
//! `walk` finds the files, `refresh` compares them with the index, `query` and `search` read it, `history` reads git,
//! [`PageWatcher`] detects changes by other programs, and [`Files`] finds and reads other files. Deliberately absent: writing
//! pages, rendering, and links inside frontmatter. To index another part of a page: read it in [`parse`], store it in `rows`, add a
//! migration under `migrations/cache`, and raise `PARSER_VERSION` in `cache`, so that indexed pages are read again.
//!
//! The engine opens an index when pages are first requested. Pages are only read, so none of this requires trust in the workspace.

mod cache;
mod files;
mod history;
mod index;
pub mod names;
pub mod parse;
mod query;
mod refresh;
mod rows;
mod search;
mod walk;
mod watch;

pub use files::Files;
pub use index::Index;
pub use walk::count;
pub use watch::{Change, PageWatcher};
