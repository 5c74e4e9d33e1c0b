//! Servers on this machine's usual ports: a short look, without any key, at what lists its models there.

use std::time::Duration;

use futures_util::future::join_all;
use inklings_core::provider::{LocalServer, ProviderKind, is_loopback};
use serde_json::Value;
use tokio::time::timeout;
use url::Url;

use crate::transport::Pools;

/// How long a server has to answer.
const PROBE_TIMEOUT: Duration = Duration::from_millis(300);
/// Most bytes of a list of models.
const MAX_BYTES: usize = 1 << 20;

/// Where servers of the local kinds usually are.
pub(crate) fn usual_places() -> Vec<(ProviderKind, String)> {
    let local = ProviderKind::ALL.into_iter().filter(|kind| kind.is_local());
    local.filter_map(|kind| Some((kind, kind.default_base_url()?.to_owned()))).collect()
}

/// Looks at all places at once.
pub(crate) async fn discover(pools: &Pools, places: &[(ProviderKind, String)]) -> Vec<LocalServer> {
    join_all(places.iter().map(|(kind, base)| look(pools, *kind, base))).await.into_iter().flatten().collect()
}

async fn look(pools: &Pools, kind: ProviderKind, base: &str) -> Option<LocalServer> {
    let list = if kind == ProviderKind::Ollama { "/api/tags" } else { "/models" };
    let url = Url::parse(&format!("{base}{list}")).ok().filter(is_loopback)?;
    let bytes = timeout(PROBE_TIMEOUT, pools.transport(&url, PROBE_TIMEOUT).get(&url, MAX_BYTES)).await.ok()?.ok()?;
    let (kind, models) = read(kind, &serde_json::from_slice(&bytes).ok()?)?;
    Some(LocalServer { kind, base_url: base.to_owned(), models })
}

/// The models of a list; none when it is another server's, which these ports have too.
fn read(kind: ProviderKind, list: &Value) -> Option<(ProviderKind, Vec<String>)> {
    let (entries, id) = if kind == ProviderKind::Ollama { (&list["models"], "model") } else { (&list["data"], "id") };
    let entries = entries.as_array()?;
    let models = entries.iter().map(|entry| entry[id].as_str().map(str::to_owned)).collect::<Option<Vec<_>>>()?;
    // Port 8080 is anyone's: only llama.cpp signs its models so.
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
        for strange in [json!({}), json!({"data": [{"name": "x"}]}), json!([]), json!({"data": "x"})] {
            assert_eq!(read(ProviderKind::LmStudio, &strange), None, "{strange}");
        }
    }

    #[test]
    fn the_usual_places_are_on_this_machine() {
        let places = usual_places();
        assert_eq!(places.len(), 3);
        assert!(places.iter().all(|(_, base)| is_loopback(&base.parse().unwrap())));
    }
}
