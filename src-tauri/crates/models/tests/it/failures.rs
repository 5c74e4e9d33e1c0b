//! Failures, retries and error messages.

use std::process::Command;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use inklings_core::model::{ModelError, Request};
use inklings_core::provider::{ProviderConfig, ProviderKind};
use inklings_core::{CancellationToken, ProviderRegistry as _};
use inklings_testkit::{Action, Call, PartialReply, Reply, Script, Status, Step};
use serde_json::json;
use tokio::runtime::Runtime;

use crate::support::{KEY, World, question, step, world};

/// One of each format.
const FORMATS: [ProviderKind; 3] = [ProviderKind::Anthropic, ProviderKind::OpenAi, ProviderKind::OpenAiCompatible];

/// A world whose provider has short timeouts.
async fn impatient(kind: ProviderKind, steps: impl IntoIterator<Item = Step>) -> World {
    let world = world(kind, steps).await;
    let config = world.registry.settings().unwrap().providers.remove(0);
    world.registry.put(ProviderConfig { timeout_seconds: Some(1), ..config }).unwrap();
    world
}

#[tokio::test]
async fn too_many_requests_wait_as_long_as_the_server_says() {
    for kind in FORMATS {
        let busy = Status::error(429, "slow down").header("retry-after", "7");
        let world = world(kind, [step(busy).repeat(2), step("at last")]).await;
        let (answer, received) = world.ask(kind, &question("hello")).await;
        assert_eq!((answer.unwrap().text.as_str(), received.as_slice()), ("at last", &["at last".to_owned()][..]), "{kind}");
        assert_eq!(world.waits(), [Duration::from_secs(7); 2], "{kind}");
        assert_eq!(world.server.requests().len(), 3, "{kind}");
    }
}

#[tokio::test]
async fn too_many_requests_for_ever_are_given_up() {
    for kind in FORMATS {
        let world = world(kind, [step(Status::error(429, "slow down").header("retry-after", "2")).repeat(0)]).await;
        let expected = ModelError::RateLimited {
            provider: kind.to_string(),
            retry_after: Some(Duration::from_secs(2)),
            detail: "slow down".to_owned(),
        };
        assert_eq!(world.fail(kind).await, expected);
        assert_eq!((world.server.requests().len(), world.waits().len()), (4, 3), "{kind}");
    }
}

#[tokio::test]
async fn a_wait_of_more_than_a_minute_is_left_to_the_caller() {
    for status in [429, 503] {
        let world = world(ProviderKind::OpenAi, [step(Status::error(status, "later").header("retry-after", "61"))]).await;
        let error = world.fail(ProviderKind::OpenAi).await;
        assert!(
            matches!(error, ModelError::RateLimited { retry_after: Some(wait), .. } if wait == Duration::from_secs(61)),
            "{status}: {error}"
        );
        assert_eq!((world.server.requests().len(), world.waits().len()), (1, 0));
    }
}

#[tokio::test]
async fn no_money_left_is_not_tried_again() {
    let body = json!({"error": {"message": "you exceeded your quota", "type": "insufficient_quota", "code": "insufficient_quota"}});
    let world = world(ProviderKind::OpenAi, [step(Status { body, ..Status::error(429, "") })]).await;
    assert!(matches!(world.fail(ProviderKind::OpenAi).await, ModelError::RateLimited { .. }));
    assert_eq!(world.server.requests().len(), 1);
}

#[tokio::test]
async fn passing_failures_are_tried_again_after_growing_waits() {
    for status in [408, 409, 500, 503, 529] {
        let kind = ProviderKind::Anthropic;
        let world = world(kind, [step(Status::error(status, "overloaded")).repeat(3), step("fine")]).await;
        assert_eq!(world.ask(kind, &question("hello")).await.0.unwrap().text, "fine", "{status}");
        let waits: Vec<f64> = world.waits().iter().map(Duration::as_secs_f64).collect();
        assert!(waits.len() == 3 && (0.25..=0.5).contains(&waits[0]) && (1.0..=2.0).contains(&waits[2]), "{waits:?}");
    }
}

#[tokio::test]
async fn a_server_that_keeps_failing_is_not_called_unreachable() {
    let world = world(ProviderKind::OpenAiCompatible, [step(Status::error(500, "out of order")).repeat(0)]).await;
    let error = world.fail(ProviderKind::OpenAiCompatible).await;
    assert_eq!(error.to_string(), "openai-compatible failed (500): out of order");
    assert_eq!(world.server.requests().len(), 4);
}

#[tokio::test]
async fn a_server_that_says_not_to_try_again_is_heeded() {
    let steps = [step(Status::error(500, "broken").header("x-should-retry", "false"))];
    let world = world(ProviderKind::OpenAi, steps).await;
    world.fail(ProviderKind::OpenAi).await;
    assert_eq!(world.server.requests().len(), 1);
}

#[tokio::test]
async fn nobody_there_is_unavailable_after_the_retries() {
    let world = world(ProviderKind::LmStudio, []).await;
    let closed = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let config = world.registry.settings().unwrap().providers.remove(0);
    world.registry.put(ProviderConfig { base_url: Some(format!("http://{closed}")), ..config }).unwrap();
    let error = world.fail(ProviderKind::LmStudio).await;
    assert!(matches!(&error, ModelError::Unavailable { detail, .. } if detail.contains("refused")), "{error}");
    assert_eq!(world.waits().len(), 3);
}

#[tokio::test]
async fn a_refused_key_is_said_without_the_key() {
    for kind in FORMATS {
        for status in [401, 403] {
            let world = world(kind, [step(Status::error(status, &format!("Incorrect API key provided: {KEY}. Bearer {KEY}")))]).await;
            let error = world.fail(kind).await;
            let detail = "Incorrect API key provided: ***. Bearer ***".to_owned();
            assert_eq!(error, ModelError::Unauthorized { provider: kind.to_string(), detail });
            assert_eq!(world.server.requests().len(), 1);
        }
    }
}

#[tokio::test]
async fn no_error_or_debug_text_has_the_key() {
    for kind in FORMATS {
        let body = format!("<html>{KEY} {}{KEY}</html>", "x".repeat(5000));
        let leak = |status| Status { body: json!(body), ..Status::error(status, "") };
        let in_answer = Action::Garbage(PartialReply::with([format!("{KEY} ").as_str()]));
        let steps = [step(leak(400)), step(leak(401)), step(leak(200)), step(in_answer), step(leak(429).header("retry-after", "99"))];
        let world = world(kind, steps).await;
        for _ in 0..5 {
            let error = world.fail(kind).await;
            assert!(!format!("{error} {error:?}").contains(KEY), "{error:?}");
            assert!(error.to_string().len() < 2300, "{}", error.to_string().len());
        }
        assert!(!format!("{:?} {:?}", world.registry, world.registry.settings().unwrap()).contains(KEY));
    }
}

#[tokio::test]
async fn a_refused_request_is_not_tried_again() {
    for (status, kind) in [400, 404, 413, 422].into_iter().flat_map(|status| FORMATS.map(|kind| (status, kind))) {
        let world = world(kind, [step(Status::error(status, "no such model"))]).await;
        let expected = ModelError::Refused { provider: kind.to_string(), status, detail: "no such model".to_owned() };
        assert_eq!(world.fail(kind).await, expected);
        assert_eq!(world.server.requests().len(), 1);
    }
}

#[tokio::test]
async fn a_redirect_is_not_followed() {
    let elsewhere = inklings_testkit::ScriptedModel::start(Script::default()).await.unwrap();
    for (status, kind) in [301, 302, 307, 308].into_iter().flat_map(|status| FORMATS.map(|kind| (status, kind))) {
        let target = format!("{}/v1/messages", elsewhere.url());
        let world = world(kind, [step(Status { status, ..Status::error(status, "") }.header("location", &target))]).await;
        let error = world.fail(kind).await;
        assert!(matches!(&error, ModelError::Refused { status: said, .. } if *said == status), "{error}");
    }
    assert_eq!(elsewhere.requests(), []);
}

#[tokio::test]
async fn a_cut_answer_is_an_error_and_not_tried_again() {
    for kind in FORMATS {
        let world = world(kind, [step(Action::Cut(PartialReply::with(["half ", "an "]))), step("whole")]).await;
        let (answer, received) = world.ask(kind, &question("hello")).await;
        assert!(matches!(answer, Err(ModelError::Cut { .. })), "{kind}: {answer:?}");
        assert_eq!(received, ["half ", "an "], "{kind}");
        assert_eq!(world.server.requests().len(), 1, "{kind}");
    }
}

#[tokio::test]
async fn an_answer_that_ends_early_without_an_error_is_cut_too() {
    let body = "data: {\"id\":\"1\",\"object\":\"chat.completion.chunk\",\"model\":\"m\",\"choices\":[{\"index\":0,\"delta\":\
                {\"content\":\"half\"},\"finish_reason\":null}]}\n\n";
    let status = Status { body: json!(body), ..Status::error(200, "") }.header("content-type", "text/event-stream");
    let world = world(ProviderKind::OpenAiCompatible, [step(status)]).await;
    let (answer, received) = world.ask(ProviderKind::OpenAiCompatible, &question("hello")).await;
    assert!(matches!(answer, Err(ModelError::Cut { .. })), "{answer:?}");
    assert_eq!(received, ["half"]);
}

#[tokio::test]
async fn what_is_no_answer_is_malformed() {
    for kind in FORMATS {
        let page = Status { body: json!("<html>sign in to the guest network</html>"), ..Status::error(200, "") };
        let steps = [
            step(Action::Garbage(PartialReply::default())),
            step(Action::Garbage(PartialReply::with(["so far so good"]))),
            step(page.header("content-type", "text/html")),
        ];
        let world = world(kind, steps).await;
        for number in 0..3 {
            let error = world.fail(kind).await;
            assert!(matches!(error, ModelError::Malformed { .. }), "{kind} {number}: {error:?}");
        }
    }
}

#[tokio::test]
async fn an_error_inside_an_answer_is_retried_only_before_text() {
    let event =
        |kind: &str| format!("event: error\ndata: {}\n\n", json!({"type": "error", "error": {"type": kind, "message": "too busy"}}));
    let stream = |body: String| Status { body: json!(body), ..Status::error(200, "") }.header("content-type", "text/event-stream");
    let begun = "event: message_start\ndata: {\"type\":\"message_start\",\"message\":{\"id\":\"1\",\"model\":\"m\",\"usage\":{}}}\n\n\
        event: content_block_start\ndata: {\"type\":\"content_block_start\",\"index\":0,\"content_block\":{\"type\":\"text\",\"text\":\"\"}}\n\n\
        event: content_block_delta\ndata: {\"type\":\"content_block_delta\",\"index\":0,\"delta\":{\"type\":\"text_delta\",\"text\":\"hm\"}}\n\n";
    let busy = event("overloaded_error");
    let kind = ProviderKind::Anthropic;
    let world = world(kind, [step(stream(busy.clone())), step("fine")]).await;
    assert_eq!(world.ask(kind, &question("hello")).await.0.unwrap().text, "fine");
    assert_eq!(world.waits().len(), 1);

    world.server.set_script(Script::new([step(stream(format!("{begun}{busy}"))), step("fine")]));
    let (answer, received) = world.ask(kind, &question("hello")).await;
    assert!(matches!(&answer, Err(ModelError::Cut { detail, .. }) if detail == "too busy"), "{answer:?}");
    assert_eq!((received, world.waits().len()), (vec!["hm".to_owned()], 1));

    world.server.set_script(Script::new([step(stream(event("invalid_request_error")))]));
    let error = world.fail(kind).await;
    assert!(matches!(error, ModelError::Refused { .. }), "{error:?}");
}

#[tokio::test]
async fn an_error_inside_an_answer_with_a_status_as_its_code_is_that_of_a_response() {
    let event = |code: u16| {
        let body = format!("data: {}\n\n", json!({"error": {"message": "upstream died", "code": code}}));
        step(Status { body: json!(body), ..Status::error(200, "") }.header("content-type", "text/event-stream"))
    };
    let kind = ProviderKind::OpenAiCompatible;
    let steps = [event(502), step("fine"), event(502).repeat(4), event(429).repeat(4), event(404)];
    let world = world(kind, steps).await;
    assert_eq!(world.ask(kind, &question("hello")).await.0.unwrap().text, "fine");
    assert_eq!(world.fail(kind).await.to_string(), "openai-compatible failed (502): upstream died");
    let (limited, refused) = (world.fail(kind).await, world.fail(kind).await);
    assert!(matches!(limited, ModelError::RateLimited { .. }), "{limited:?}");
    assert!(matches!(refused, ModelError::Refused { status: 404, .. }), "{refused:?}");
}

#[tokio::test]
async fn silence_before_and_in_an_answer_is_a_timeout() {
    let one = async |kind: ProviderKind| {
        let steps = [step(Action::Hang(PartialReply::default())), step(Action::Hang(PartialReply::with(["one"])))];
        let world = impatient(kind, steps).await;
        for _ in 0..2 {
            let error = world.fail(kind).await;
            assert_eq!(error, ModelError::Timeout { provider: kind.to_string(), after: Duration::from_secs(1) });
        }
        assert_eq!(world.server.requests().len(), 2);
        world.server.idle().await;
    };
    // Two timeouts of a second each, with a margin for a busy machine.
    let all = async { tokio::join!(one(FORMATS[0]), one(FORMATS[1]), one(FORMATS[2])) };
    tokio::time::timeout(Duration::from_secs(20), all).await.unwrap();
}

#[tokio::test]
async fn a_slow_answer_is_no_silence() {
    let reply = Reply { delay_ms: 300, ..Reply::chunks(["a", "b", "c", "d", "e"]) };
    let world = impatient(ProviderKind::OpenAi, [step(reply)]).await;
    assert_eq!(world.ask(ProviderKind::OpenAi, &question("hello")).await.0.unwrap().text, "abcde");
}

#[tokio::test]
async fn cancelling_ends_the_request_at_once() {
    for kind in FORMATS {
        let world = world(kind, [step(Action::Hang(PartialReply::with(["one"])))]).await;
        let (model, cancel, stopped) = (world.model(kind).await, CancellationToken::new(), Mutex::new(None));
        let stop = |_: &str| {
            *stopped.lock().unwrap() = Some(Instant::now());
            cancel.cancel();
        };
        let answer = model.complete(&question("hello"), &stop, &cancel).await;
        let took = stopped.lock().unwrap().unwrap().elapsed();
        assert_eq!(answer, Err(ModelError::Cancelled));
        assert!(took < Duration::from_millis(200), "{kind}: {took:?}");
        // The server detects the disconnect.
        world.server.idle().await;
    }
}

#[tokio::test]
async fn cancelling_before_the_answer_begins_works_too() {
    let world = world(ProviderKind::OpenAi, [step(Action::Hang(PartialReply::default()))]).await;
    let (model, cancel) = (world.model(ProviderKind::OpenAi).await, CancellationToken::new());
    let later = cancel.clone();
    let server = &world.server;
    let wait_and_cancel = async move {
        server.wait_for_requests(1).await;
        let now = Instant::now();
        later.cancel();
        now
    };
    let request = question("hello");
    let (answer, cancelled) = tokio::join!(model.complete(&request, &|_| {}, &cancel), wait_and_cancel);
    assert_eq!(answer, Err(ModelError::Cancelled));
    assert!(cancelled.elapsed() < Duration::from_secs(2), "not only when the server's time is over");
    world.server.idle().await;

    let none = model.complete(&request, &|_| {}, &cancel).await;
    assert_eq!((none, world.server.requests().len()), (Err(ModelError::Cancelled), 1), "a cancelled run sends nothing");
}

#[tokio::test]
async fn what_can_t_be_sent_is_not_sent() {
    let world = world(ProviderKind::OpenAi, []).await;
    let (answer, _) = world.ask(ProviderKind::OpenAi, &Request::default()).await;
    assert!(answer.unwrap_err().to_string().contains("wasn't sent"));
    assert_eq!(world.server.requests(), []);
}

#[tokio::test]
async fn a_key_in_an_answer_is_not_passed_on() {
    for kind in FORMATS {
        let (begin, end) = KEY.split_at(7);
        let call = Call { id: None, name: "look".to_owned(), arguments: json!({ "query": [format!("with {KEY}")] }) };
        let reply = Reply { chunks: vec![format!("it is {begin}"), format!("{end}, sk-te")], tool_calls: vec![call], ..Reply::default() };
        let world = world(kind, [step(reply)]).await;
        let (answer, received) = world.ask(kind, &question("what is your key?")).await;
        let answer = answer.unwrap();
        assert_eq!((received.concat().as_str(), answer.text.as_str()), ("it is ***, sk-te", "it is ***, sk-te"), "{kind}");
        assert_eq!(answer.tool_calls[0].arguments, json!({ "query": ["with ***"] }), "{kind}");
    }
}

#[tokio::test]
async fn an_answer_that_calls_tools_without_end_is_refused() {
    for kind in FORMATS {
        let call = Call { id: None, name: "look".to_owned(), arguments: json!({}) };
        let world = world(kind, [step(Reply { tool_calls: vec![call; 2_000], ..Reply::default() })]).await;
        let error = world.fail(kind).await;
        assert!(matches!(&error, ModelError::Malformed { detail, .. } if detail.contains("more than 256 tools")), "{kind}: {error}");
        assert_eq!(world.server.requests().len(), 1);
    }
}

/// Set in a process that finds no certificates.
const ALONE: &str = "INKLINGS_TEST_ALONE";

#[test]
fn a_machine_without_certificates_reaches_servers_without_tls() {
    const NAME: &str = "failures::a_machine_without_certificates_reaches_servers_without_tls";
    if std::env::var_os(ALONE).is_none() {
        let mut process = Command::new(std::env::current_exe().unwrap());
        process.args(["--exact", NAME]).env(ALONE, "1").env("SSL_CERT_FILE", "/nonexistent").env("SSL_CERT_DIR", "/nonexistent");
        let output = process.output().unwrap();
        let said = String::from_utf8_lossy(&output.stdout);
        assert!(output.status.success() && said.contains("1 passed"), "{said}");
        return;
    }
    Runtime::new().unwrap().block_on(async {
        let world = world(ProviderKind::OpenAi, [step("hello")]).await;
        assert_eq!(world.ask(ProviderKind::OpenAi, &question("hello")).await.0.unwrap().text, "hello");
        let secure = world.server.url().replace("http://", "https://");
        let config = world.registry.settings().unwrap().providers.remove(0);
        world.registry.put(ProviderConfig { base_url: Some(secure), ..config }).unwrap();
        let error = world.fail(ProviderKind::OpenAi).await.to_string();
        assert!(error.contains("install the system's CA certificates"), "{error}");
    });
}
