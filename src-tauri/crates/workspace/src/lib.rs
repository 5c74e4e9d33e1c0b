//! The pages of a workspace: an index over its markdown files, kept in `.inklings/cache.db` and rebuilt whenever in doubt.
//!
//! [`Index`] implements [`inklings_core::pages::Pages`]. [`parse`] says what a page is made of, [`names`] what a page is called,
//! `walk` finds the files, `refresh` compares them with the index, `query` and `search` ask it, `history` asks git,
//! [`PageWatcher`] notices what other programs do to the files, and [`Files`] finds and reads what is no page. Deliberately absent: writing
//! pages, rendering, and links inside frontmatter. To index something more of a page: read it in [`parse`], store it in `rows`, add a
//! migration under `migrations/cache`, and raise `RULES` in `cache`, so that pages which were read by the old rules are read again.

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
