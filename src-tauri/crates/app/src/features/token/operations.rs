use inklings_core::access::AccessToken;
use inklings_rpc::{CallContext, Failure, NoParams, operations};

use super::api::{CallLog, CreateTokenParams, CreatedToken, ListCallsParams, TokenList, TokenRef};
use super::service;
use crate::app::App;

const DEFAULT_LIMIT: usize = 100;
const MAX_LIMIT: usize = 1_000;

fn list(app: &App, _: &CallContext, _: NoParams) -> Result<TokenList, Failure> {
    Ok(TokenList { tokens: app.access.tokens()? })
}

fn create(app: &App, _: &CallContext, params: CreateTokenParams) -> Result<CreatedToken, Failure> {
    Ok(service::create(app.access.as_ref(), app.clock.as_ref(), params)?)
}

fn revoke(app: &App, _: &CallContext, params: TokenRef) -> Result<AccessToken, Failure> {
    Ok(service::revoke(app.access.as_ref(), &params.token)?)
}

fn calls(app: &App, _: &CallContext, params: ListCallsParams) -> Result<CallLog, Failure> {
    Ok(CallLog { calls: app.access.audit(params.limit.unwrap_or(DEFAULT_LIMIT).min(MAX_LIMIT))? })
}

operations! { App;
    ListTokens = "token/list", Local, blocking list(NoParams) -> TokenList;
    /// Only the person at this machine lets others in.
    CreateToken = "token/create", Local["token"], blocking create(CreateTokenParams) -> CreatedToken;
    /// Ends the access at once. The name stays taken.
    RevokeToken = "token/revoke", Local["token"], blocking revoke(TokenRef) -> AccessToken;
    ListCalls = "token/calls", Local, blocking calls(ListCallsParams) -> CallLog;
}
