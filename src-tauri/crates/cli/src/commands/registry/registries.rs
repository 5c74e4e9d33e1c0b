//! The registries that skills are installed from.

use std::io::IsTerminal as _;

use inklings_app::features::registry::{
    AddRegistry, AddRegistryParams, ChangeRegistry, ChangeRegistryParams, InspectRegistry, InspectRegistryParams, ListRegistries,
    RegistryInfo, RegistryRef, RemoveRegistry, SyncOutcome, SyncRegistries, SyncRegistriesParams, WaitReason,
};
use inklings_core::Digest;
use inklings_rpc::{Failure, NoParams};

use crate::args::{AddRegistryArgs, SetRegistryArgs};
use crate::commands::approval::agrees;
use crate::commands::session::Session;
use crate::error::CliError;
use crate::out::{Out, table};
use crate::progress::CallProgress;
use crate::terminal::visible;

pub(super) async fn add(session: &Session, args: AddRegistryArgs, out: &Out) -> Result<(), CliError> {
    let AddRegistryArgs { address, fingerprint, mirror, priority } = args;
    let fingerprint = if let Some(fingerprint) = fingerprint { fingerprint } else { confirmed(session, &address, out).await? };
    let progress = CallProgress::begin("syncing", out);
    let params = AddRegistryParams { address, fingerprint, mirrors: mirror, priority };
    let added = session.call_with_progress::<AddRegistry>(params, &progress).await?;
    progress.end();
    out.result(&added, |added| format!("added {} with {}", added.id, skills(added.skills)))
}

/// The fingerprint that the server states, once the user compared it.
async fn confirmed(session: &Session, address: &str, out: &Out) -> Result<Digest, CliError> {
    let identity = session.call::<InspectRegistry>(InspectRegistryParams { address: address.to_owned() }).await?;
    if out.is_json() || !std::io::stdin().is_terminal() {
        let failure = Failure::invalid(format!("the fingerprint of {} isn't confirmed", identity.id));
        let hint = format!("compare {} with the one that its owner published, then pass it with --fingerprint", identity.fingerprint);
        return Err(failure.hint(hint).into());
    }
    out.exact_error(&visible(&format!("{} ({})\nfingerprint {}\n", identity.title, identity.id, identity.fingerprint)));
    if !agrees("Is this the fingerprint that its owner published?", out)? {
        return Err(CliError::Findings);
    }
    Ok(identity.fingerprint)
}

fn skills(count: usize) -> String {
    if count == 1 { "1 skill".to_owned() } else { format!("{count} skills") }
}

pub(super) async fn list(session: &Session, out: &Out) -> Result<(), CliError> {
    let registries = session.call::<ListRegistries>(NoParams {}).await?;
    out.result(&registries, |registries| {
        if registries.is_empty() {
            return "no registries".to_owned();
        }
        table(&registries.iter().map(row).collect::<Vec<_>>())
    })
}

fn row(registry: &RegistryInfo) -> Vec<String> {
    let state = match (&registry.failure, registry.synced_at) {
        _ if !registry.enabled => "disabled".to_owned(),
        (Some(failure), _) => failure.message.clone(),
        (None, Some(at)) => format!("synced {at}"),
        (None, None) => "never synced".to_owned(),
    };
    vec![registry.id.clone(), registry.address.clone(), format!("priority {}", registry.priority), skills(registry.skills), state]
}

pub(super) async fn set(session: &Session, args: SetRegistryArgs, out: &Out) -> Result<(), CliError> {
    let SetRegistryArgs { registry, address, mirror, priority, enabled, updates_built_in } = args;
    let mirrors = (!mirror.is_empty()).then_some(mirror);
    let params = ChangeRegistryParams { registry, address, mirrors, priority, enabled, updates_built_in };
    let changed = session.call::<ChangeRegistry>(params).await?;
    out.result(&changed, |changed| format!("changed {}", changed.id))
}

pub(super) async fn remove(session: &Session, registry: String, out: &Out) -> Result<(), CliError> {
    let removed = session.call::<RemoveRegistry>(RegistryRef { registry: registry.clone() }).await?;
    out.result(&removed, |_| format!("removed {registry}"))
}

pub(super) async fn sync(session: &Session, registry: Option<String>, out: &Out) -> Result<(), CliError> {
    let progress = CallProgress::begin("syncing", out);
    let outcome = session.call_with_progress::<SyncRegistries>(SyncRegistriesParams { registry }, &progress).await?;
    progress.end();
    let is_done = outcome.registries.iter().all(|registry| registry.failure.is_none());
    out.result(&outcome, synced)?;
    if is_done { Ok(()) } else { Err(CliError::Findings) }
}

fn synced(outcome: &SyncOutcome) -> String {
    let mut lines: Vec<String> = outcome
        .registries
        .iter()
        .map(|registry| match (&registry.failure, registry.changed) {
            (Some(failure), _) => format!("{}: {}", registry.id, failure.message),
            (None, true) => format!("{}: changed", registry.id),
            (None, false) => format!("{}: no changes", registry.id),
        })
        .collect();
    lines.extend(outcome.updated.iter().map(|one| format!("updated {} from {} to {}", one.slug, one.from, one.to)));
    lines.extend(outcome.waiting.iter().map(|one| {
        let why = match one.why {
            WaitReason::Pinned => "it is pinned".to_owned(),
            WaitReason::Permissions => "it needs more permissions".to_owned(),
            WaitReason::Publisher => "its publisher may have changed".to_owned(),
            WaitReason::Manual => "automatic updates are off".to_owned(),
            WaitReason::Failed => one.failure.as_ref().map_or_else(|| "it failed".to_owned(), |failure| failure.message.clone()),
        };
        format!("{} {} waits: {why}", one.slug, one.to)
    }));
    if lines.is_empty() { "no registries to sync".to_owned() } else { lines.join("\n") }
}
