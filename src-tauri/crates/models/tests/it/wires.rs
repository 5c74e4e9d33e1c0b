//! Requests and responses in each wire format.

use inklings_core::model::{Finish, Message, Part, Request, Role, TokenUsage, Tool, ToolCall};
use inklings_core::provider::ProviderKind;
use inklings_testkit::{Call, Finish as Ends, Reply, Tokens};
use serde_json::{Value, json};

use crate::support::{KEY, model_ref, question, step, world};

/// The kinds whose formats the scripted server speaks.
const SPOKEN: [ProviderKind; 8] = [
    ProviderKind::Anthropic,
    ProviderKind::OpenAi,
    ProviderKind::Mistral,
    ProviderKind::OpenRouter,
    ProviderKind::Ollama,
    ProviderKind::LlamaCpp,
    ProviderKind::LmStudio,
    ProviderKind::OpenAiCompatible,
];

fn path(kind: ProviderKind) -> &'static str {
    match kind {
        ProviderKind::Anthropic => "/v1/messages",
        ProviderKind::OpenAi => "/v1/responses",
        ProviderKind::OpenRouter => "/chat/completions",
        _ => "/v1/chat/completions",
    }
}

#[tokio::test]
async fn text_arrives_in_order_with_usage_and_model() {
    for kind in SPOKEN {
        let usage = Tokens { input: 40, output: 7, cached: 30 };
        let reply = Reply { usage: Some(usage), model: Some("m-1-2026".to_owned()), ..Reply::chunks(["Hel", "lo, ", "wörld"]) };
        let world = world(kind, [step(reply)]).await;
        let (answer, received) = world.ask(kind, &Request { system: "be terse".to_owned(), ..question("hello") }).await;
        let answer = answer.unwrap();
        assert_eq!(received, ["Hel", "lo, ", "wörld"], "{kind}");
        assert_eq!((answer.text.as_str(), answer.finish, answer.model.as_str()), ("Hello, wörld", Finish::Stop, "m-1-2026"), "{kind}");
        // These two don't request usage in the stream; their services always send it.
        if !matches!(kind, ProviderKind::Mistral | ProviderKind::OpenRouter) {
            let expected = TokenUsage { input_tokens: Some(40), output_tokens: Some(7), cached_tokens: Some(30) };
            assert_eq!(answer.usage, expected, "{kind}");
        }
        let [request] = world.server.requests().try_into().unwrap();
        assert_eq!((request.method.as_str(), request.path.as_str()), ("POST", path(kind)), "{kind}");
        assert_eq!((&request.body["model"], &request.body["stream"]), (&json!("m-1"), &json!(true)), "{kind}");
        let text = request.body.to_string();
        assert!(text.contains("be terse") && text.contains("hello"), "{kind}: {text}");
    }
}

#[tokio::test]
async fn the_key_is_sent_in_its_header_only() {
    for kind in SPOKEN {
        let world = world(kind, []).await;
        world.ask(kind, &question("hello")).await.0.unwrap();
        let [request] = world.server.requests().try_into().unwrap();
        let (name, value) =
            if kind == ProviderKind::Anthropic { ("x-api-key", KEY.to_owned()) } else { ("authorization", format!("Bearer {KEY}")) };
        assert_eq!(request.headers.get(name), Some(&value), "{kind}");
        let elsewhere = request.headers.iter().filter(|(header, text)| header.as_str() != name && text.contains(KEY)).count();
        assert!(elsewhere == 0 && !request.path.contains(KEY) && !request.body.to_string().contains(KEY), "{kind}");
    }
}

#[tokio::test]
async fn gemini_is_asked_at_its_address_with_the_key_in_a_header() {
    let world = world(ProviderKind::Gemini, []).await;
    // The scripted server doesn't support this format and returns a 404.
    let error = world.fail(ProviderKind::Gemini).await;
    assert!(error.to_string().contains("404"), "{error}");
    let [request] = world.server.requests().try_into().unwrap();
    assert!(request.path.starts_with("/v1beta/models/m-1:streamGenerateContent") && !request.path.contains(KEY), "{}", request.path);
    assert_eq!(request.headers.get("x-goog-api-key").map(String::as_str), Some(KEY));
}

fn weather() -> Tool {
    let parameters = json!({"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]});
    Tool { name: "weather".to_owned(), description: "tells the weather".to_owned(), parameters }
}

#[tokio::test]
async fn tools_are_offered_called_and_answered() {
    for kind in SPOKEN {
        let call = |city: &str, id: &str| Call { id: Some(id.to_owned()), name: "weather".to_owned(), arguments: json!({"city": city}) };
        let reply = Reply { tool_calls: vec![call("Oslo", "call_a1"), call("Bern", "call_b2")], ..Reply::chunks(["Let me look."]) };
        let world = world(kind, [step(reply)]).await;
        let mut request = Request { tools: vec![weather()], ..question("weather?") };
        let answer = world.ask(kind, &request).await.0.unwrap();
        assert_eq!((answer.finish, answer.text.as_str()), (Finish::ToolCalls, "Let me look."), "{kind}");
        let made = |city: &str, id: &str| ToolCall {
            id: id.to_owned(),
            name: "weather".to_owned(),
            arguments: json!({"city": city}),
            invalid_arguments: None,
        };
        assert_eq!(answer.tool_calls, [made("Oslo", "call_a1"), made("Bern", "call_b2")], "{kind}");

        let calls = answer.tool_calls.into_iter().map(Part::ToolCall);
        let results =
            [("call_a1", "rain"), ("call_b2", "sun")].map(|(id, text)| Part::ToolResult { id: id.to_owned(), text: text.to_owned() });
        request.messages.push(Message { role: Role::Assistant, parts: calls.collect() });
        request.messages.push(Message { role: Role::User, parts: results.to_vec() });
        world.ask(kind, &request).await.0.unwrap();
        let [first, second] = world.server.requests().try_into().unwrap();
        assert!(first.body["tools"].to_string().contains(r#""city""#), "{kind}: {}", first.body);
        let sent = second.body.to_string();
        let places: Vec<_> = ["Oslo", "Bern", "rain", "sun"].map(|word| sent.find(word)).into();
        assert!(places.is_sorted() && places.iter().all(Option::is_some), "{kind}: {sent}");
    }
}

#[tokio::test]
async fn arguments_that_are_no_object_are_passed_on_as_text_unless_cut_off_by_the_limit() {
    let kinds = [ProviderKind::Anthropic, ProviderKind::OpenAi, ProviderKind::OpenAiCompatible];
    for (kind, wrong) in kinds.into_iter().flat_map(|kind| ["{\"city\": \"Os", "[1]"].map(|wrong| (kind, wrong))) {
        let call = Call { id: Some("call_a1".to_owned()), name: "weather".to_owned(), arguments: json!(wrong) };
        let broken = Reply { tool_calls: vec![call], ..Reply::default() };
        let cut_off = Reply { finish: Some(Ends::Length), ..broken.clone() };
        let world = world(kind, [step(broken), step("Sorry."), step(cut_off)]).await;
        let mut request = Request { tools: vec![weather()], ..question("weather?") };
        let [made] = world.ask(kind, &request).await.0.unwrap().tool_calls.try_into().unwrap();
        assert_eq!((&made.arguments, made.invalid_arguments.as_deref()), (&json!({}), Some(wrong)), "{kind}");
        let reported = made.check_arguments().unwrap_err();
        assert!(reported.contains("aren't a JSON object") && reported.contains(wrong), "{reported}");

        let result = Part::ToolResult { id: made.id.clone(), text: reported };
        request.messages.push(Message { role: Role::Assistant, parts: vec![Part::ToolCall(made)] });
        request.messages.push(Message { role: Role::User, parts: vec![result] });
        assert_eq!(world.ask(kind, &request).await.0.unwrap().text, "Sorry.", "{kind}");
        let sent = world.server.requests()[1].body.to_string();
        assert!(sent.contains("aren't a JSON object"), "{kind}: {sent}");
        let answer = world.ask(kind, &request).await.0.unwrap();
        assert_eq!((answer.finish, answer.tool_calls.len()), (Finish::Length, 0), "{kind}");
    }
}

#[tokio::test]
async fn a_schema_and_limits_are_in_the_request() {
    let schema = json!({"title": "verdict", "type": "object", "properties": {"good": {"type": "boolean"}}, "required": ["good"],
        "additionalProperties": false});
    let place = |kind: ProviderKind, body: &Value| match kind {
        ProviderKind::Anthropic => body["output_config"]["format"]["schema"].clone(),
        ProviderKind::OpenAi => body["text"]["format"]["schema"].clone(),
        _ => body["response_format"]["json_schema"]["schema"].clone(),
    };
    for kind in SPOKEN {
        let world = world(kind, [step(Reply::chunks(["{\"good\":", "true}"]))]).await;
        let request = Request { schema: Some(schema.clone()), max_tokens: Some(77), temperature: Some(0.25), ..question("good?") };
        let (answer, received) = world.ask(kind, &request).await;
        assert_eq!((answer.unwrap().text.as_str(), received.len()), ("{\"good\":true}", 2), "{kind}");
        let [sent] = world.server.requests().try_into().unwrap();
        let sent_schema = place(kind, &sent.body);
        assert_eq!((&sent_schema["properties"], &sent_schema["required"]), (&schema["properties"], &schema["required"]), "{kind}");
        let limits = [&sent.body["max_tokens"], &sent.body["max_output_tokens"], &sent.body["max_completion_tokens"]];
        assert!(limits.contains(&&json!(77)), "{kind}: {}", sent.body);
        assert_eq!(sent.body["temperature"], json!(0.25), "{kind}");
    }
}

#[tokio::test]
async fn an_unknown_model_of_anthropic_gets_a_limit_since_the_format_demands_one() {
    let world = world(ProviderKind::Anthropic, []).await;
    world.ask(ProviderKind::Anthropic, &question("hello")).await.0.unwrap();
    assert!(world.server.requests()[0].body["max_tokens"].as_u64().is_some_and(|limit| limit >= 4096));
}

#[tokio::test]
async fn openai_is_asked_to_store_nothing() {
    let world = world(ProviderKind::OpenAi, []).await;
    world.ask(ProviderKind::OpenAi, &question("hello")).await.0.unwrap();
    assert_eq!(world.server.requests()[0].body["store"], json!(false));
}

#[tokio::test]
async fn the_finish_reason_is_reported() {
    for kind in [ProviderKind::Anthropic, ProviderKind::OpenAi, ProviderKind::OpenAiCompatible] {
        for (ends, expected) in [(Ends::Stop, Finish::Stop), (Ends::Length, Finish::Length), (Ends::Refused, Finish::Refused)] {
            let reply = Reply { finish: Some(ends), ..Reply::chunks(["well"]) };
            let world = world(kind, [step(reply)]).await;
            let answer = world.ask(kind, &question("hello")).await.0.unwrap();
            assert_eq!((answer.finish, answer.text.as_str()), (expected, "well"), "{kind}");
        }
    }
}

#[tokio::test]
async fn the_default_is_used_when_none_is_asked_for() {
    use inklings_core::{Models as _, ProviderRegistry as _};
    let world = world(ProviderKind::Ollama, []).await;
    assert_eq!(world.registry.model(None).await.map(|_| ()).unwrap_err().to_string(), "no model is configured");
    world.registry.set_default(Some(model_ref(ProviderKind::Ollama, "q:4b"))).unwrap();
    let model = world.registry.model(None).await.unwrap();
    assert_eq!((model.id().to_string().as_str(), model.price().map(|price| price.input)), ("ollama/q:4b", Some(0.0)));
}
