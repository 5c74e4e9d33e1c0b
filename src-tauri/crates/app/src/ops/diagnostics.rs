//! `app/diagnostics`: what to send along with a question about the app. No secret, no text of the person's.

use schemars::JsonSchema;
use serde::Serialize;

use crate::app::App;
use crate::diagnostics;
use inklings_rpc::{CallContext, Failure, NoParams, operations};

/// What is known of the app, the machine and the databases.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Diagnostics {
    /// For people to read and to send.
    pub text: String,
}

fn diagnostics(app: &App, cx: &CallContext, _: NoParams) -> Result<Diagnostics, Failure> {
    Ok(Diagnostics { text: diagnostics::of(app, cx) })
}

operations! { App;
    Collect = "app/diagnostics", Read, blocking diagnostics(NoParams) -> Diagnostics;
}
