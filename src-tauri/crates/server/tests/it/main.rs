//! The server beside the product as the engine puts it together.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a test may stop at what it did not expect")]

mod background;
mod contract;
#[path = "../../../../../tests/system/serve/http.rs"]
mod http;
mod reads;
