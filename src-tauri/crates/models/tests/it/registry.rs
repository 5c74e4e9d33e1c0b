//! Providers: settings, model lists, tests, prices, local servers.

use std::sync::Arc;

use inklings_core::model::Price;
use inklings_core::provider::{
    ConfigProblem, KeySource, KeyState, LocalServer, OfferedModels, ProviderConfig, ProviderError, ProviderKind, TestTarget,
};
use inklings_core::{ModelError, Models as _, ProviderRegistry as _, Secret};
use inklings_models::{Options, Registry, Sleeper};
use inklings_testkit::{Reply, Script, ScriptedModel, Status, Tokens};
use serde_json::json;

use crate::support::{KEY, model_ref, options, provider, step, world};

#[tokio::test]
async fn settings_are_read_at_each_use() {
    let world = world(ProviderKind::OpenAi, []).await;
    let other = Registry::new(Arc::clone(&world.user), options(&world.home, Sleeper::none(|_| {})));
    other.put(ProviderConfig::new("second", ProviderKind::Ollama)).unwrap();
    other.set_default(Some(model_ref(ProviderKind::OpenAi, "m-2"))).unwrap();
    let names: Vec<_> = world.registry.settings().unwrap().providers.into_iter().map(|provider| provider.name).collect();
    assert_eq!(names, ["openai", "second"]);
    assert_eq!(world.registry.model(None).await.unwrap().id().to_string(), "openai/m-2");

    assert!(other.remove("openai").unwrap() && !other.remove("openai").unwrap());
    assert_eq!(world.registry.settings().unwrap().default, None, "a default without its provider is no default");
    let error = world.registry.model(Some(&model_ref(ProviderKind::OpenAi, "m"))).await.map(|_| ()).unwrap_err();
    assert_eq!(error, ModelError::UnknownProvider { name: "openai".to_owned() });
    let unknown = world.registry.set_default(Some(model_ref(ProviderKind::OpenAi, "m")));
    assert!(matches!(unknown, Err(ProviderError::Unknown { .. })));
}

#[tokio::test]
async fn what_can_t_be_used_is_refused_also_when_it_was_written_past_us() {
    let world = world(ProviderKind::OpenAi, []).await;
    let before = world.registry.settings().unwrap();
    let open = ProviderConfig { base_url: Some("http://models.example.org/v1".to_owned()), ..before.providers[0].clone() };
    let refused = world.registry.put(open.clone());
    assert!(matches!(refused, Err(ProviderError::Invalid(problems)) if problems == [ConfigProblem::KeyInTheOpen]));
    assert_eq!(world.registry.settings().unwrap(), before);

    let keyless = ProviderConfig { name: "lan".to_owned(), kind: ProviderKind::OpenAiCompatible, key: KeySource::None, ..open.clone() };
    world.registry.put(keyless).unwrap();
    assert!(matches!(world.registry.set_key("lan", Some(Secret::new("k"))), Err(ProviderError::Invalid(_))));

    world.user.put_setting("models", &json!({"providers": [open]}), "someone").unwrap();
    let error = world.registry.model(Some(&model_ref(ProviderKind::OpenAi, "m"))).await.map(|_| ()).unwrap_err();
    assert!(error.to_string().contains("only over https"), "{error}");
    let newer = json!({"name": "newer", "kind": "not-known-yet"});
    world.user.put_setting("models", &json!({"providers": [newer], "default": 5}), "someone").unwrap();
    assert_eq!(world.registry.settings().unwrap().providers, [], "one that can't be read hides no other");
    world.registry.put(ProviderConfig::new("a", ProviderKind::Ollama)).unwrap();
    assert_eq!(world.registry.settings().unwrap().providers.len(), 1);
    assert!(world.user.settings().unwrap()["models"]["providers"].as_array().unwrap().contains(&newer), "and isn't lost");
}

#[tokio::test]
async fn a_provider_that_serves_its_own_models_tells_their_family_whatever_they_are_called() {
    let world = world(ProviderKind::OpenAi, []).await;
    for kind in ProviderKind::ALL {
        world
            .registry
            .put(ProviderConfig { base_url: Some("http://127.0.0.1:9".to_owned()), ..ProviderConfig::new(format!("my-{kind}"), kind) })
            .unwrap();
    }
    for (model, family) in [
        ("my-mistral/magistral-medium", "mistral"),
        ("my-openai/o5-deployment", "openai"),
        ("my-anthropic/house-alias", "anthropic"),
        ("my-gemini/learnlm", "gemini"),
        ("my-openrouter/anthropic/claude-x", "anthropic"),
        ("my-openai-compatible/gpt-oss", "openai"),
        ("my-ollama/llama3.2", "meta"),
        ("nobody/claude-x", "anthropic"),
    ] {
        assert_eq!(world.registry.family(&model.parse().unwrap()), family, "{model}");
    }
}

#[tokio::test]
async fn a_key_comes_from_its_variable() {
    let world = world(ProviderKind::OpenAi, []).await;
    assert_eq!(world.registry.key_state("openai").unwrap(), KeyState::Environment);
    world.registry.put(ProviderConfig::new("unset", ProviderKind::OpenAi)).unwrap();
    assert_eq!(world.registry.key_state("unset").unwrap(), KeyState::Missing);
    let unset = "unset/m".parse().unwrap();
    let error = world.registry.model(Some(&unset)).await.map(|_| ()).unwrap_err();
    assert_eq!(error.to_string(), "no API key for unset: environment variable OPENAI_API_KEY is not set");
    world.registry.put(ProviderConfig::new("local", ProviderKind::LmStudio)).unwrap();
    assert_eq!(world.registry.key_state("local").unwrap(), KeyState::None);
}

#[tokio::test]
async fn models_are_the_listed_ones_then_the_servers() {
    for kind in [ProviderKind::Anthropic, ProviderKind::OpenAi, ProviderKind::Mistral, ProviderKind::Ollama, ProviderKind::OpenAiCompatible]
    {
        let world = world(kind, []).await;
        let listed = vec!["mine".to_owned(), "second".to_owned()];
        world.registry.put(ProviderConfig { models: listed, ..provider(kind, &world.server) }).unwrap();
        assert_eq!(world.registry.models(kind.as_str()).await.unwrap().models, ["mine", "second", "scripted"], "{kind}");
    }
}

#[tokio::test]
async fn without_the_server_models_are_the_listed_ones_then_the_known() {
    let world = world(ProviderKind::Anthropic, []).await;
    let config = ProviderConfig {
        base_url: Some("http://127.0.0.1:1".to_owned()),
        models: vec!["mine".to_owned()],
        ..provider(ProviderKind::Anthropic, &world.server)
    };
    for key in [config.key.clone(), KeySource::None] {
        world.registry.put(ProviderConfig { key, ..config.clone() }).unwrap();
        let OfferedModels { models, error } = world.registry.models("anthropic").await.unwrap();
        assert!(matches!(error, Some(ModelError::Unavailable { .. } | ModelError::NoKey { .. })), "{error:?}");
        assert!(models[0] == "mine" && models.iter().any(|model| model.starts_with("claude-")), "{models:?}");
    }
    assert!(matches!(world.registry.models("nobody").await, Err(ProviderError::Unknown { .. })));
}

#[tokio::test]
async fn a_trial_reports_answer_time_and_cost() {
    let usage = Tokens { input: 1000, output: 500, cached: 0 };
    let ready = Reply { usage: Some(usage), ..Reply::chunks(["rea", "dy"]) };
    let world = world(ProviderKind::OpenAi, [step(ready.clone()), step(ready)]).await;
    let price = Price { input: 2.0, output: 10.0, cached: None };
    let prices = [("scripted".to_owned(), price)].into();
    world.registry.put(ProviderConfig { prices, ..provider(ProviderKind::OpenAi, &world.server) }).unwrap();

    let report = world.registry.test(&TestTarget::Provider("openai".to_owned())).await.unwrap();
    assert_eq!((report.ok, report.reply.as_deref(), report.error), (true, Some("ready"), None));
    assert_eq!(report.model, Some(model_ref(ProviderKind::OpenAi, "scripted")), "the first that the server has");
    assert!((report.cost.unwrap() - 0.007).abs() < 1e-9);

    let report = world.registry.test(&TestTarget::Model(model_ref(ProviderKind::OpenAi, "no-such"))).await.unwrap();
    assert_eq!((report.ok, report.cost), (true, None), "an unknown price is no price");
    world.registry.set_default(Some(model_ref(ProviderKind::OpenAi, "m-9"))).unwrap();
    let report = world.registry.test(&TestTarget::Provider("openai".to_owned())).await.unwrap();
    assert_eq!(report.model, Some(model_ref(ProviderKind::OpenAi, "m-9")), "the default, if it is the provider's");
    assert!(matches!(world.registry.test(&TestTarget::Provider("nobody".to_owned())).await, Err(ProviderError::Unknown { .. })));
}

#[tokio::test]
async fn a_failed_trial_says_why() {
    let world = world(ProviderKind::OpenAi, [step(Status::error(401, &format!("bad key {KEY}")))]).await;
    let report = world.registry.test(&TestTarget::Model(model_ref(ProviderKind::OpenAi, "m"))).await.unwrap();
    assert_eq!((report.ok, report.reply.as_deref()), (false, None));
    assert_eq!(report.error.as_deref(), Some("openai rejected the API key: bad key ***"));
}

#[tokio::test]
async fn a_trial_without_a_model_says_why_none_is_listed() {
    let world = world(ProviderKind::OpenAiCompatible, []).await;
    let config = provider(ProviderKind::OpenAiCompatible, &world.server);
    world.registry.put(ProviderConfig { base_url: Some("http://127.0.0.1:1".to_owned()), ..config }).unwrap();
    let report = world.registry.test(&TestTarget::Provider("openai-compatible".to_owned())).await.unwrap();
    assert_eq!((report.ok, report.model), (false, None));
    assert!(report.error.as_deref().is_some_and(|error| error.contains("can't be reached")), "{:?}", report.error);
}

#[tokio::test]
async fn local_servers_are_found_but_not_used() {
    let (ollama, llama) = (ScriptedModel::start(Script::default()).await.unwrap(), ScriptedModel::start(Script::default()).await.unwrap());
    let silent = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let home = tempfile::tempdir().unwrap();
    let local_servers = vec![
        (ProviderKind::Ollama, ollama.url()),
        (ProviderKind::LlamaCpp, format!("{}/v1", llama.url())),
        // One accepts and never answers, one refuses connections, one isn't on this machine.
        (ProviderKind::LmStudio, format!("http://{}/v1", silent.local_addr().unwrap())),
        (ProviderKind::LmStudio, "http://127.0.0.1:1/v1".to_owned()),
        (ProviderKind::LmStudio, "http://192.0.2.1/v1".to_owned()),
    ];
    let base = options(&home, Sleeper::none(|_| {}));
    let registry = Registry::new(crate::support::database(&home), Options { local_servers, ..base });
    let models = vec!["scripted".to_owned(), "second".to_owned()];
    let expected = [
        LocalServer { kind: ProviderKind::Ollama, base_url: ollama.url(), models: models.clone() },
        // Its models don't have llama.cpp's `owned_by`.
        LocalServer { kind: ProviderKind::OpenAiCompatible, base_url: format!("{}/v1", llama.url()), models },
    ];
    assert_eq!(registry.discover().await, expected);
    assert_eq!(registry.settings().unwrap().providers, []);
    assert!(ollama.requests().iter().chain(&llama.requests()).all(|request| !request.headers.contains_key("authorization")));
}
