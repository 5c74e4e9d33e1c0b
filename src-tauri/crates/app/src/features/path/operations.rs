use inklings_rpc::{CallContext, Failure, operations};

use super::api::{CompleteParams, Completions, PathStatusList, PathStatusParams};
use super::service;
use crate::app::App;

fn status(_: &App, _: &CallContext, params: PathStatusParams) -> Result<PathStatusList, Failure> {
    Ok(PathStatusList { items: params.paths.iter().map(|path| service::status(path)).collect() })
}

fn complete(_: &App, _: &CallContext, params: CompleteParams) -> Result<Completions, Failure> {
    Ok(service::complete(&params.prefix, params.packages)?)
}

operations! { App;
    Complete = "path/complete", Local, blocking complete(CompleteParams) -> Completions;
    ReadStatus = "path/status", Local, blocking status(PathStatusParams) -> PathStatusList;
}
