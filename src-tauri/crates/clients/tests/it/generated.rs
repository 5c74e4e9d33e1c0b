//! Texts that nobody thought of: whatever a configuration looks like, an entry gets in and out without touching the rest.

use inklings_clients::{Client, EntryState, merged, others, removed, state};
use proptest::prelude::*;

use crate::texts::{client, entry};

const SPACES: &[&str] = &["", " ", "\n", "\n  ", " // note\n ", " /* a, \"b\": { */ ", "\n\t", "  "];

fn space(comments: bool) -> impl Strategy<Value = &'static str> {
    proptest::sample::select(SPACES).prop_map(move |space| if comments || !space.contains('/') { space } else { "\n" })
}

fn json_value(comments: bool) -> impl Strategy<Value = String> {
    let leaf = proptest::sample::select(vec!["1", "-2.5e3", "true", "null", "\"a\"", "\"}, // {\"", "\"\\\"\\u00e9\"", "[]", "{}"])
        .prop_map(str::to_owned);
    leaf.prop_recursive(3, 12, 3, move |inner| object(inner, comments, &["a", "b", "inklings", "mcpServers"]))
}

/// An object with some of the keys, in any layout.
fn object(
    value: impl Strategy<Value = String> + Clone + 'static,
    comments: bool,
    keys: &'static [&'static str],
) -> impl Strategy<Value = String> + Clone {
    let prop = (space(comments), space(comments), space(comments), value, space(comments));
    let props = proptest::collection::vec(prop, 0..=keys.len()).prop_shuffle();
    (props, space(comments), any::<bool>())
        .prop_map(move |(props, end, trailing)| {
            let count = props.len();
            let props: Vec<_> =
                props.into_iter().zip(keys).map(|((a, b, c, value, d), key)| format!("{a}\"{key}\"{b}:{c}{value}{d}")).collect();
            let comma = if trailing && comments && count > 0 { "," } else { "" };
            format!("{{{}{comma}{end}}}", props.join(","))
        })
        .boxed()
}

fn json_config(comments: bool) -> impl Strategy<Value = String> {
    let servers = object(json_value(comments).boxed(), comments, &["x", "y", "z"]);
    let root = prop_oneof![
        object(json_value(comments).boxed(), comments, &["a", "b", "inklings"]),
        object(servers.boxed(), comments, &["mcpServers", "b"]),
        object(object(json_value(comments).boxed(), comments, &["x"]).boxed(), comments, &["a", "mcpServers", "b"]),
    ];
    let bom = proptest::sample::select(vec!["", "\u{FEFF}"]);
    (bom, space(comments), root, space(comments), any::<bool>()).prop_map(|(bom, before, root, after, crlf)| {
        let text = format!("{before}{root}{after}");
        format!("{bom}{}", if crlf { text.replace('\n', "\r\n") } else { text })
    })
}

fn toml_config() -> impl Strategy<Value = String> {
    let line = proptest::sample::select(vec![
        "",
        "# note",
        "k%d = 1",
        "k%d = [\n  1, # one\n]",
        "k%d.s = \"x\"",
        "k%d = \"\"\"\n[mcp_servers.inklings]\n\"\"\"",
        "k%d = 1.0 # why",
    ]);
    let body = proptest::collection::vec(line, 0..5);
    let header =
        proptest::sample::select(vec!["[t%d]", "[mcp_servers.s%d] # s", "[mcp_servers.s%d.env]", "[[list]]", "[ mcp_servers . 's%d' ]"]);
    let tables = proptest::collection::vec((header, body.clone()), 0..5);
    (body, tables, any::<bool>(), any::<bool>()).prop_map(|(top, tables, crlf, end)| {
        let mut lines: Vec<String> = top.into_iter().map(str::to_owned).collect();
        for (header, body) in tables {
            lines.push(header.to_owned());
            lines.extend(body.into_iter().map(str::to_owned));
        }
        let numbered = lines.iter().enumerate().map(|(number, line)| line.replace("%d", &number.to_string()));
        let text = numbered.collect::<Vec<_>>().join("\n") + if end { "\n" } else { "" };
        if crlf { text.replace('\n', "\r\n") } else { text }
    })
}

/// Whether `text` is `part` with more in between.
fn has_all_of(text: &str, part: &str) -> bool {
    let mut letters = text.chars();
    part.chars().all(|letter| letters.any(|one| one == letter))
}

fn check(client: &'static Client, before: &str) -> Result<(), TestCaseError> {
    let Ok(EntryState::None) = state(client, before) else { return Ok(()) };
    let after = merged(client, before, &entry()).map_err(|error| TestCaseError::fail(format!("{error}: {before:?}")))?;
    prop_assert_eq!(state(client, &after), Ok(EntryState::Ours(entry())));
    prop_assert!(has_all_of(&after, before), "{:?} -> {:?}", before, after);
    prop_assert_eq!(&merged(client, &after, &entry()).unwrap(), &after);
    let undone = removed(client, &after, Some(before)).unwrap().unwrap();
    prop_assert_eq!(others(client, &undone), others(client, before));
    let squeezed = |text: &str| text.split_whitespace().collect::<String>();
    prop_assert_eq!(squeezed(&undone), squeezed(before), "through {:?}", after);
    prop_assert_eq!(removed(client, &undone, Some(before)), Ok(None));
    Ok(())
}

proptest! {
    #[test]
    fn json_survives(before in json_config(false)) {
        check(client("claude-code"), &before)?;
    }

    #[test]
    fn json_with_comments_survives(before in json_config(true)) {
        check(client("cursor"), &before)?;
    }

    #[test]
    fn toml_survives(before in toml_config()) {
        check(client("codex"), &before)?;
        let after = merged(client("codex"), &before, &entry());
        if let Ok(after) = after {
            prop_assert_eq!(removed(client("codex"), &after, None).unwrap().unwrap(), before, "TOML is restored to the byte");
        }
    }
}
