//! Model families and the choice among an artifact's variants.

/// The maker of a model, also behind routers: `openrouter/anthropic/claude-…` and `claude-…` are both `anthropic`.
/// The family of an unknown model is its first path segment, or the whole ID.
#[must_use]
pub fn model_family(model: &str) -> String {
    /// Name prefixes of IDs that don't include the maker.
    const MAKERS: [(&str, &str); 14] = [
        ("claude", "anthropic"),
        ("gpt", "openai"),
        ("chatgpt", "openai"),
        ("o1", "openai"),
        ("o3", "openai"),
        ("o4", "openai"),
        ("gemini", "gemini"),
        ("gemma", "gemini"),
        ("mistral", "mistral"),
        ("mixtral", "mistral"),
        ("codestral", "mistral"),
        ("ministral", "mistral"),
        ("llama", "meta"),
        ("qwen", "qwen"),
    ];
    /// Providers of models of other makers.
    const ROUTERS: [&str; 6] = ["openrouter", "ollama", "llamacpp", "lmstudio", "vertex", "bedrock"];
    const ALIASES: [(&str, &str); 4] = [("google", "gemini"), ("mistralai", "mistral"), ("meta-llama", "meta"), ("azure", "openai")];

    let id = model.trim().to_lowercase();
    let mut segments = id.split(['/', ':']).filter(|part| !part.is_empty());
    let Some(first) = segments.find(|part| !ROUTERS.contains(part)) else {
        return id;
    };
    if let Some((_, maker)) = ALIASES.iter().find(|(alias, _)| *alias == first) {
        return (*maker).to_owned();
    }
    MAKERS.iter().find(|(prefix, _)| first.starts_with(prefix)).map_or_else(|| first.to_owned(), |(_, maker)| (*maker).to_owned())
}

/// `default` means the default variant, which is stored as `None`.
#[must_use]
pub fn normalize_variant(variant: Option<&str>) -> Option<String> {
    variant.map(str::trim).filter(|text| !text.is_empty() && *text != "default").map(str::to_owned)
}

/// Whether `variant` may be stored: `[a-z0-9][a-z0-9._-]{0,63}`.
#[must_use]
pub fn is_valid_variant(variant: &str) -> bool {
    let mut chars = variant.chars();
    chars.next().is_some_and(|first| first.is_ascii_lowercase() || first.is_ascii_digit())
        && variant.len() <= 64
        && chars.all(|ch| ch.is_ascii_lowercase() || ch.is_ascii_digit() || matches!(ch, '.' | '_' | '-'))
}

/// Chooses among variants given as `(variant, ordinal)`: that of the family, the default one, or the first by ordinal.
/// Returns an index; `None` for an empty slice.
#[must_use]
pub fn choose(variants: &[(Option<&str>, i64)], family: Option<&str>) -> Option<usize> {
    let by = |wanted: Option<&str>| variants.iter().position(|(variant, _)| *variant == wanted);
    family.and_then(|family| by(Some(family))).or_else(|| by(None)).or_else(|| (0..variants.len()).min_by_key(|index| variants[*index].1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn families_are_seen_through_routers() {
        for (model, family) in [
            ("claude-sonnet-5", "anthropic"),
            ("anthropic/claude-sonnet-5", "anthropic"),
            ("openrouter/anthropic/claude-sonnet-5", "anthropic"),
            ("gpt-6", "openai"),
            ("openrouter/google/gemini-3", "gemini"),
            ("ollama/llama3.2", "meta"),
            ("ollama:qwen3", "qwen"),
            ("acme-1", "acme-1"),
        ] {
            assert_eq!(model_family(model), family, "{model}");
        }
    }

    #[test]
    fn choice_prefers_family_then_default_then_ordinal() {
        let all = [(Some("openai"), 2), (None, 3), (Some("anthropic"), 1)];
        assert_eq!(choose(&all, Some("anthropic")), Some(2));
        assert_eq!(choose(&all, Some("mistral")), Some(1));
        assert_eq!(choose(&all, None), Some(1));
        assert_eq!(choose(&[(Some("openai"), 2), (Some("gemini"), 1)], Some("anthropic")), Some(1));
        assert_eq!(choose(&[], None), None);
    }

    #[test]
    fn variants_are_plain_names() {
        assert!(is_valid_variant("openai.gpt-6_mini"));
        for bad in ["", "-x", "Open", "a/b", &"x".repeat(65)] {
            assert!(!is_valid_variant(bad), "{bad}");
        }
        assert_eq!(normalize_variant(Some("default")), None);
        assert_eq!(normalize_variant(Some("openai")).as_deref(), Some("openai"));
    }
}
