//! What holds for the table of operations and for the files of their families.

#![expect(clippy::unwrap_used, reason = "a test may stop at what it did not expect")]

mod layout;
