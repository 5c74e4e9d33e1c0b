use inklings_rpc::{CallContext, Failure, operations};

use super::api::{CompleteParams, Completions, LookParams, LookResult};
use super::service;
use crate::app::App;

fn look(_: &App, _: &CallContext, params: LookParams) -> Result<LookResult, Failure> {
    Ok(LookResult { items: params.paths.iter().map(|path| service::look(path)).collect() })
}

fn complete(_: &App, _: &CallContext, params: CompleteParams) -> Result<Completions, Failure> {
    Ok(service::complete(&params.prefix, params.packages)?)
}

operations! { App;
    Complete = "path/complete", Read, blocking complete(CompleteParams) -> Completions;
    Look = "path/look", Read, blocking look(LookParams) -> LookResult;
}
