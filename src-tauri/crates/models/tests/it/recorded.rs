//! Documented response formats that the scripted server doesn't support.

use inklings_core::model::{Finish, ModelError, Request, TokenUsage, Tool};
use inklings_core::provider::ProviderKind;
use inklings_testkit::{Status, Step};
use serde_json::{Value, json};

use crate::support::{KEY, question, step, world};

/// A stream of events.
fn stream(text: &str) -> Step {
    let status = Status { status: 200, headers: [("content-type".to_owned(), "text/event-stream".to_owned())].into(), body: text.into() };
    step(status)
}

fn failure(status: u16, body: Value) -> Step {
    step(Status { status, headers: [("x-should-retry".to_owned(), "false".to_owned())].into(), body })
}

#[tokio::test]
async fn text_and_usage_of_gemini_are_read() {
    let world = world(ProviderKind::Gemini, [stream(include_str!("../recorded/gemini-text.sse"))]).await;
    let request = Request { system: "be terse".to_owned(), max_tokens: Some(77), temperature: Some(0.25), ..question("hello") };
    let (answer, received) = world.ask(ProviderKind::Gemini, &request).await;
    let answer = answer.unwrap();
    assert_eq!(received, ["Hel", "lo, wörld"]);
    assert_eq!((answer.text.as_str(), answer.finish, answer.model.as_str()), ("Hello, wörld", Finish::Stop, "gemini-2.5-flash"));
    assert_eq!(answer.usage, TokenUsage { input_tokens: Some(40), output_tokens: Some(7), cached_tokens: Some(30) });
    let [sent] = world.server.requests().try_into().unwrap();
    assert_eq!(sent.path, "/v1beta/models/m-1:streamGenerateContent?alt=sse");
    assert_eq!(sent.headers.get("x-goog-api-key").map(String::as_str), Some(KEY));
    assert_eq!(sent.body["contents"][0]["parts"][0]["text"], "hello");
    assert!(sent.body.to_string().contains("be terse"), "{}", sent.body);
    let limits = &sent.body["generationConfig"];
    assert_eq!((&limits["maxOutputTokens"], &limits["temperature"]), (&json!(77), &json!(0.25)), "{}", sent.body);
}

#[tokio::test]
async fn tool_calls_of_gemini_are_read() {
    let world = world(ProviderKind::Gemini, [stream(include_str!("../recorded/gemini-tools.sse"))]).await;
    let parameters = json!({"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]});
    let tool = Tool { name: "weather".to_owned(), description: "tells the weather".to_owned(), parameters };
    let answer = world.ask(ProviderKind::Gemini, &Request { tools: vec![tool], ..question("weather?") }).await.0.unwrap();
    let calls: Vec<_> = answer.tool_calls.iter().map(|call| (call.name.as_str(), call.arguments.clone())).collect();
    assert_eq!(calls, [("weather", json!({"city": "Oslo"})), ("weather", json!({"city": "Bern"}))]);
    assert_eq!(answer.finish, Finish::ToolCalls);
    let [sent] = world.server.requests().try_into().unwrap();
    assert_eq!(sent.body["tools"][0]["functionDeclarations"][0]["name"], "weather", "{}", sent.body);
}

#[tokio::test]
async fn gemini_is_sent_a_schema_and_tells_when_it_was_cut_off() {
    let world = world(ProviderKind::Gemini, [stream(include_str!("../recorded/gemini-cut.sse"))]).await;
    let schema = json!({"type": "object", "properties": {"good": {"type": "boolean"}}, "required": ["good"]});
    let answer = world.ask(ProviderKind::Gemini, &Request { schema: Some(schema), ..question("good?") }).await.0.unwrap();
    assert_eq!((answer.finish, answer.text.as_str()), (Finish::Length, "Once"));
    let [sent] = world.server.requests().try_into().unwrap();
    let config = sent.body["generationConfig"].to_string();
    assert!(config.contains("application/json") && config.contains(r#""good""#), "{}", sent.body);
}

#[tokio::test]
async fn errors_of_gemini_are_typed() {
    let error =
        |code: u16, status: &str| failure(code, json!({"error": {"code": code, "message": format!("said {status}"), "status": status}}));
    let world = world(
        ProviderKind::Gemini,
        [error(400, "INVALID_ARGUMENT"), error(403, "PERMISSION_DENIED"), error(429, "RESOURCE_EXHAUSTED"), error(503, "UNAVAILABLE")],
    )
    .await;
    let errors = [
        world.fail(ProviderKind::Gemini).await,
        world.fail(ProviderKind::Gemini).await,
        world.fail(ProviderKind::Gemini).await,
        world.fail(ProviderKind::Gemini).await,
    ];
    let [invalid, denied, limited, unavailable] = errors;
    assert!(matches!(&invalid, ModelError::Refused { status: 400, detail, .. } if detail == "said INVALID_ARGUMENT"), "{invalid:?}");
    assert!(matches!(&denied, ModelError::Unauthorized { detail, .. } if detail == "said PERMISSION_DENIED"), "{denied:?}");
    assert!(matches!(&limited, ModelError::RateLimited { detail, .. } if detail == "said RESOURCE_EXHAUSTED"), "{limited:?}");
    assert!(
        matches!(&unavailable, ModelError::Failed { status: Some(503), detail, .. } if detail == "said UNAVAILABLE"),
        "{unavailable:?}"
    );
}

#[tokio::test]
async fn usage_of_mistral_and_openrouter_is_read() {
    for (kind, recorded, text, usage) in [
        (ProviderKind::Mistral, include_str!("../recorded/mistral-text.sse"), "Bonjour", (12, 3)),
        (ProviderKind::OpenRouter, include_str!("../recorded/openrouter-text.sse"), "Hi", (20, 2)),
    ] {
        let world = world(kind, [stream(recorded)]).await;
        let answer = world.ask(kind, &question("hello")).await.0.unwrap();
        assert_eq!((answer.text.as_str(), answer.finish), (text, Finish::Stop), "{kind}");
        assert_eq!((answer.usage.input_tokens, answer.usage.output_tokens), (Some(usage.0), Some(usage.1)), "{kind}");
    }
}

#[tokio::test]
async fn errors_of_mistral_and_openrouter_say_what_the_service_said() {
    for (kind, status, body) in [
        (ProviderKind::Mistral, 401, json!({"message": "Unauthorized", "request_id": "1f"})),
        (ProviderKind::OpenRouter, 402, json!({"error": {"message": "Insufficient credits", "code": 402}})),
    ] {
        let said = body["message"].as_str().or(body["error"]["message"].as_str()).unwrap().to_owned();
        let world = world(kind, [failure(status, body)]).await;
        let error = world.fail(kind).await;
        assert!(error.to_string().contains(&said), "{kind}: {error}");
    }
}
