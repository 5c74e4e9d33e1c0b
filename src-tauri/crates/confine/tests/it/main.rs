//! What a confined program can do, tried out from inside by a Python that means harm.

#![expect(clippy::unwrap_used, reason = "a test may stop at what it did not expect")]

mod support;

mod inside;
mod launch;
mod old_kernel;
mod parent;
