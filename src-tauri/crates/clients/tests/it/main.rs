//! Changing the texts and the files of clients.

#![expect(clippy::unwrap_used, reason = "a test may stop at what it did not expect")]

mod files;
mod generated;
mod texts;
