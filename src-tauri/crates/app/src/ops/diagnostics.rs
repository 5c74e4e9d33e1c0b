//! `app/diagnostics`: what to send along with a question about the app. No secret, no text of the person's.

use schemars::JsonSchema;
use serde::Serialize;

use crate::app::App;
use crate::context::{CallContext, Permission};
use crate::diagnostics;
use crate::error::Failure;
use crate::operation::{Blocking, Effect, Entry};
use crate::wire::NoParams;

/// What is known of the app, the machine and the databases.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Diagnostics {
    /// For people to read and to send.
    pub text: String,
}

/// `app/diagnostics`
pub struct Collect;

impl Blocking for Collect {
    const NAME: &'static str = "app/diagnostics";
    const NEEDS: Permission = Permission::Read;
    const EFFECT: Effect = Effect::Reads;
    type Params = NoParams;
    type Output = Diagnostics;

    fn run(app: &App, cx: &CallContext, _: NoParams) -> Result<Diagnostics, Failure> {
        Ok(Diagnostics { text: diagnostics::of(app, cx) })
    }
}

pub(crate) const TABLE: &[Entry] = &[Entry::of::<Collect>()];
