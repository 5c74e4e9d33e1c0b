//! The contents of a request that scripts can match, read from the three wire formats.

use serde_json::Value;

use crate::script::When;

/// The relevant contents of a request.
#[derive(Debug, Default)]
pub(crate) struct RequestSummary {
    pub(crate) model: String,
    pub(crate) system: String,
    pub(crate) user: String,
    /// All texts, joined.
    pub(crate) all: String,
    /// Whether the answer is to be streamed.
    pub(crate) stream: bool,
    /// Whether the stream includes token usage.
    pub(crate) usage_in_stream: bool,
    /// Estimated tokens.
    pub(crate) tokens: u64,
}

impl RequestSummary {
    /// Parses a body.
    pub(crate) fn of(body: &Value) -> Self {
        let messages = body["messages"].as_array().or(body["input"].as_array());
        let by_role = |roles: &'static [&'static str]| {
            let all = messages.into_iter().flatten();
            all.filter(|message| message["role"].as_str().is_some_and(|role| roles.contains(&role))).map(|one| text_of(&one["content"]))
        };
        let mut system = [text_of(&body["system"]), text_of(&body["instructions"])].concat();
        by_role(&["system", "developer"]).for_each(|text| system.push_str(&text));
        let mut all = system.clone();
        by_role(&["user", "assistant"]).for_each(|text| all.push_str(&text));
        Self {
            all,
            model: body["model"].as_str().unwrap_or("scripted").to_owned(),
            system,
            user: by_role(&["user"]).next_back().unwrap_or_else(|| text_of(&body["input"])),
            stream: body["stream"].as_bool().unwrap_or(false),
            usage_in_stream: body["stream_options"]["include_usage"].as_bool().unwrap_or(false),
            tokens: rough_tokens(&body.to_string()),
        }
    }

    /// Whether a step matches.
    pub(crate) fn matches(&self, when: &When) -> bool {
        let holds = |wanted: &Option<String>, test: &dyn Fn(&str) -> bool| wanted.as_deref().is_none_or(test);
        holds(&when.user, &|text| self.user.contains(text))
            && holds(&when.system, &|text| self.system.contains(text))
            && holds(&when.anywhere, &|text| self.all.contains(text))
            && holds(&when.model, &|model| self.model == model)
    }
}

/// Estimates tokens by length.
pub(crate) fn rough_tokens(text: &str) -> u64 {
    u64::try_from(text.len().div_ceil(4)).unwrap_or(u64::MAX)
}

/// The text of a content: a string, or a list of parts.
fn text_of(content: &Value) -> String {
    match content {
        Value::String(text) => text.clone(),
        Value::Array(parts) => parts.iter().filter_map(|part| part["text"].as_str().or(part["content"].as_str())).collect(),
        _ => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn the_formats_are_read_alike() {
        let bodies = [
            json!({"model": "m", "messages": [{"role": "system", "content": "be terse"}, {"role": "user", "content": "old"},
                {"role": "assistant", "content": "x"}, {"role": "user", "content": [{"type": "text", "text": "new"}]}]}),
            json!({"model": "m", "system": [{"type": "text", "text": "be terse"}], "messages": [{"role": "user", "content": "new"}]}),
            json!({"model": "m", "instructions": "be terse", "input": [{"role": "user", "content": [{"type": "input_text", "text": "new"}]}]}),
            json!({"model": "m", "instructions": "be terse", "input": "new"}),
        ];
        for body in bodies {
            let request = RequestSummary::of(&body);
            assert_eq!((request.model.as_str(), request.system.as_str(), request.user.as_str()), ("m", "be terse", "new"), "{body}");
            let when = |user: &str| When { user: Some(user.to_owned()), ..When::default() };
            assert!(request.matches(&when("ne")) && !request.matches(&when("old")) && request.matches(&When::default()));
        }
    }
}
