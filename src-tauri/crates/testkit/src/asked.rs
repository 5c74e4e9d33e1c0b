//! What a request asks, as far as a script can tell requests apart. Reads the three wire formats alike.

use serde_json::Value;

use crate::script::When;

/// The gist of a request.
#[derive(Debug, Default)]
pub(crate) struct Asked {
    pub(crate) model: String,
    /// The system prompt.
    pub(crate) system: String,
    /// The last user message.
    pub(crate) user: String,
    /// Everything that is said, one text after the other.
    pub(crate) all: String,
    /// Whether it wants the answer streamed.
    pub(crate) stream: bool,
    /// Whether it wants token counts in the stream.
    pub(crate) usage_in_stream: bool,
    /// Tokens that it is roughly.
    pub(crate) tokens: u64,
}

impl Asked {
    /// Reads a body.
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

    /// Whether a step is for it.
    pub(crate) fn matches(&self, when: &When) -> bool {
        let holds = |wanted: &Option<String>, test: &dyn Fn(&str) -> bool| wanted.as_deref().is_none_or(test);
        holds(&when.user, &|text| self.user.contains(text))
            && holds(&when.system, &|text| self.system.contains(text))
            && holds(&when.anywhere, &|text| self.all.contains(text))
            && holds(&when.model, &|model| self.model == model)
    }
}

/// Tokens of a text, by its length.
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
            let asked = Asked::of(&body);
            assert_eq!((asked.model.as_str(), asked.system.as_str(), asked.user.as_str()), ("m", "be terse", "new"), "{body}");
            let when = |user: &str| When { user: Some(user.to_owned()), ..When::default() };
            assert!(asked.matches(&when("ne")) && !asked.matches(&when("old")) && asked.matches(&When::default()));
        }
    }
}
