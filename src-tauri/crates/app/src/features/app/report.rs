//! `app/diagnostics`: what to send along with a question about the app. No secret, no text of the person's.

use inklings_rpc::{CallContext, Failure, NoParams, operations};

use super::api::Diagnostics;
use crate::app::App;
use crate::diagnostics;

fn diagnostics(app: &App, cx: &CallContext, _: NoParams) -> Result<Diagnostics, Failure> {
    Ok(Diagnostics { text: diagnostics::of(app, cx) })
}

operations! { App;
    Collect = "app/diagnostics", Read, blocking diagnostics(NoParams) -> Diagnostics;
}
