//! `inklings token`

use inklings_app::features::token::{
    CallLog, CreateToken, CreateTokenParams, ListCalls, ListCallsParams, ListTokens, RevokeToken, TokenList, TokenRef,
};
use inklings_core::Time;
use inklings_core::access::AccessToken;
use inklings_rpc::NoParams;

use crate::args::TokenCommand;
use crate::commands::session::Session;
use crate::error::CliError;
use crate::out::{Out, table};

pub(crate) async fn run(session: &Session, command: TokenCommand, out: &Out) -> Result<(), CliError> {
    match command {
        TokenCommand::Create { name, role, external, days } => {
            let created = session.call::<CreateToken>(CreateTokenParams { name, role, external, days }).await?;
            out.result(&created, |created| created.secret.clone())
        }
        TokenCommand::List => out.result(&session.call::<ListTokens>(NoParams {}).await?, list),
        TokenCommand::Revoke { token } => {
            let revoked = session.call::<RevokeToken>(TokenRef { token }).await?;
            out.result(&revoked, |token| format!("revoked {}", token.name))
        }
        TokenCommand::Calls { limit } => out.result(&session.call::<ListCalls>(ListCallsParams { limit }).await?, calls),
    }
}

fn list(list: &TokenList) -> String {
    if list.tokens.is_empty() {
        return "no tokens".to_owned();
    }
    table(&list.tokens.iter().map(row).collect::<Vec<_>>())
}

fn row(token: &AccessToken) -> Vec<String> {
    let day = |time: Time| time.to_string().chars().take(10).collect::<String>();
    let end = match (token.revoked_at, token.expires_at) {
        (Some(time), _) => format!("revoked {}", day(time)),
        (None, Some(time)) => format!("expires {}", day(time)),
        (None, None) => "doesn't expire".to_owned(),
    };
    let used = token.last_used_at.map_or_else(|| "never used".to_owned(), |time| format!("used {}", day(time)));
    let external = if token.external { "external" } else { "" };
    vec![token.id.clone(), token.name.clone(), token.role.as_str().to_owned(), external.to_owned(), end, used]
}

fn calls(log: &CallLog) -> String {
    if log.calls.is_empty() {
        return "no calls".to_owned();
    }
    let row = |call: &inklings_core::access::AuditEntry| {
        let outcome = call.code.clone().unwrap_or_else(|| "ok".to_owned());
        vec![call.at.to_string(), call.actor.clone(), call.role.clone(), call.operation.clone(), outcome]
    };
    table(&log.calls.iter().map(row).collect::<Vec<_>>())
}
