//! Detects local model servers: asks the default ports of this machine for a list of models, without a key.

use std::time::Duration;

use futures_util::future::join_all;
use inklings_core::provider::{LocalServer, ProviderKind, is_loopback};
use serde_json::Value;
use tokio::time::timeout;
use url::Url;

use crate::transport::Pools;

const PROBE_TIMEOUT: Duration = Duration::from_millis(300);
const MAX_LIST_BYTES: usize = 1 << 20;

/// The default addresses of the local kinds.
pub(crate) fn default_addresses() -> Vec<(ProviderKind, String)> {
    let local = ProviderKind::ALL.into_iter().filter(|kind| kind.is_local());
    local.filter_map(|kind| Some((kind, kind.default_base_url()?.to_owned()))).collect()
}

/// Probes all addresses concurrently.
pub(crate) async fn discover(pools: &Pools, addresses: &[(ProviderKind, String)]) -> Vec<LocalServer> {
    join_all(addresses.iter().map(|(kind, base)| probe(pools, *kind, base))).await.into_iter().flatten().collect()
}

async fn probe(pools: &Pools, kind: ProviderKind, base: &str) -> Option<LocalServer> {
    let list = if kind == ProviderKind::Ollama { "/api/tags" } else { "/models" };
    let url = Url::parse(&format!("{base}{list}")).ok().filter(is_loopback)?;
    let bytes = timeout(PROBE_TIMEOUT, pools.transport(&url, PROBE_TIMEOUT).get(&url, MAX_LIST_BYTES)).await.ok()?.ok()?;
    let (kind, models) = read(kind, &serde_json::from_slice(&bytes).ok()?)?;
    Some(LocalServer { kind, base_url: base.to_owned(), models })
}

/// The models of a list. None if another kind of server answered on this port.
fn read(kind: ProviderKind, list: &Value) -> Option<(ProviderKind, Vec<String>)> {
    let (entries, id) = if kind == ProviderKind::Ollama { (&list["models"], "model") } else { (&list["data"], "id") };
    let entries = entries.as_array()?;
    let models = entries.iter().map(|entry| entry[id].as_str().map(str::to_owned)).collect::<Option<Vec<_>>>()?;
    // Port 8080 is common; `owned_by` identifies llama.cpp.
    let other = kind == ProviderKind::LlamaCpp && !entries.iter().any(|entry| entry["owned_by"] == "llamacpp");
    Some((if other { ProviderKind::OpenAiCompatible } else { kind }, models))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn only_lists_of_models_count() {
        let llama = json!({"data": [{"id": "m", "owned_by": "llamacpp"}]});
        assert_eq!(read(ProviderKind::LlamaCpp, &llama), Some((ProviderKind::LlamaCpp, vec!["m".to_owned()])));
        let other = json!({"data": [{"id": "m", "owned_by": "me"}]});
        assert_eq!(read(ProviderKind::LlamaCpp, &other), Some((ProviderKind::OpenAiCompatible, vec!["m".to_owned()])));
        let ollama = json!({"models": [{"name": "q", "model": "q:4b"}]});
        assert_eq!(read(ProviderKind::Ollama, &ollama), Some((ProviderKind::Ollama, vec!["q:4b".to_owned()])));
        for invalid in [json!({}), json!({"data": [{"name": "x"}]}), json!([]), json!({"data": "x"})] {
            assert_eq!(read(ProviderKind::LmStudio, &invalid), None, "{invalid}");
        }
    }

    #[test]
    fn default_addresses_are_on_this_machine() {
        let addresses = default_addresses();
        assert_eq!(addresses.len(), 3);
        assert!(addresses.iter().all(|(_, base)| is_loopback(&base.parse().unwrap())));
    }
}
