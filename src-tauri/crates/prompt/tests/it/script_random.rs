//! Random values at random positions: the script contains exactly the value, and its structure doesn't depend on it.

use std::io::Write as _;
use std::process::{Command, Stdio};

use inklings_prompt::PromptEngine;
use proptest::prelude::*;
use proptest::strategy::ValueTree as _;
use proptest::test_runner::TestRunner;
use serde_json::{Value, json};

use crate::values;

/// Positions outside quotes.
const ALONE: &[&str] =
    &["x = {{ v }}", "x = f({{ v }}, [{{ v }}])['a']", "def f(a={{ v }}):\n    return {'k': {{ v }}}\n", "x = {{ v }}.y"];
/// Positions inside quotes.
const QUOTED: &[&str] = &[
    "x = '{{ v }}'",
    "x = \"{{ v }}\"",
    "x = '''{{ v }}'''",
    "x = \"\"\"{{ v }}\"\"\"",
    "x = 'a{{ v }}\\n' 'b{{ v }}'",
    "x = '\\1{{ v }}\\12{{ v }}\\\\{{ v }}\\x41{{ v }}'",
    "x = '''\n'\"{{ v }}\\\n''{{ v }}\n'''",
];

fn nasty() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        Just("\"\"\"".to_owned()),
        Just("'''".to_owned()),
        Just("\\".to_owned()),
        Just("\n".to_owned()),
        Just("\r\n".to_owned()),
        Just("\0".to_owned()),
        Just("{{ v }}".to_owned()),
        Just("{% raw %}".to_owned()),
        Just("{x}".to_owned()),
        Just("#".to_owned()),
        Just("\\N{DASH}".to_owned()),
        Just("\u{2028}\u{202e}\u{feff}".to_owned()),
        Just("7".to_owned()),
        Just("'); __import__('os') #".to_owned()),
        any::<char>().prop_map(String::from),
        "[a-z]{0,4}",
    ];
    proptest::collection::vec(piece, 0..8).prop_map(|pieces| pieces.concat())
}

fn value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<u64>().prop_map(Value::from),
        any::<f64>().prop_filter("a number of JSON", |number| number.is_finite()).prop_map(Value::from),
        nasty().prop_map(Value::from),
    ];
    leaf.prop_recursive(4, 24, 5, |inner| {
        prop_oneof![
            proptest::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            proptest::collection::vec((nasty(), inner), 0..4).prop_map(|pairs| Value::Object(pairs.into_iter().collect())),
        ]
    })
}

fn render(template: &str, value: &Value) -> String {
    let script = PromptEngine::new().render_script(template, &values(json!({ "v": value })));
    script.unwrap_or_else(|error| unreachable!("{template} with {value}: {error}")).source
}

/// The kinds of a script's nodes in order; literals, whatever is in them, are one kind each, as are the brackets around one.
fn shape(source: &str) -> Vec<String> {
    let mut parser = tree_sitter::Parser::new();
    parser.set_language(&tree_sitter_python::LANGUAGE.into()).unwrap();
    let tree = parser.parse(source, None).unwrap();
    let (mut cursor, mut kinds) = (tree.walk(), Vec::new());
    loop {
        let node = cursor.node();
        let literal = literal(node);
        kinds.push(if literal { "literal".to_owned() } else { node.kind().to_owned() });
        if !literal && cursor.goto_first_child() {
            continue;
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                return kinds;
            }
        }
    }
}

fn literal(node: tree_sitter::Node<'_>) -> bool {
    let mut cursor = node.walk();
    let mut children = node.named_children(&mut cursor);
    match node.kind() {
        "string" => children.all(|child| matches!(child.kind(), "string_start" | "string_content" | "string_end")),
        "integer" | "float" | "true" | "false" | "none" => true,
        "unary_operator" | "parenthesized_expression" | "list" | "dictionary" | "pair" => children.all(literal),
        _ => false,
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    #[test]
    fn the_shape_of_a_script_does_not_depend_on_values(value in value(), text in nasty()) {
        for template in ALONE {
            prop_assert_eq!(shape(&render(template, &value)), shape(&render(template, &json!("x"))), "{} {}", template, value);
        }
        for template in QUOTED {
            for value in [&value, &Value::from(text.as_str())] {
                prop_assert_eq!(shape(&render(template, value)), shape(&render(template, &json!("x"))), "{} {}", template, value);
            }
        }
    }
}

/// Reads each line's JSON pair of a script and what `x` must be; a script is a single literal assignment.
const READER: &str = "
import ast, json, sys
count = 0
for line in sys.stdin:
    source, expected = json.loads(line)
    tree = ast.parse(source)
    assert len(tree.body) == 1, source
    found = ast.literal_eval(tree.body[0].value)
    same = found == expected and json.dumps(found) == json.dumps(expected)
    assert same, (source, found, expected)
    count += 1
print(count)
";

#[test]
fn python_reads_what_was_meant() {
    let mut runner = TestRunner::deterministic();
    let mut input = String::new();
    let mut cases = 0;
    let mut add = |source: String, expected: &Value| {
        input.push_str(&json!([source, expected]).to_string());
        input.push('\n');
        cases += 1;
    };
    for _ in 0..400 {
        let value = value().new_tree(&mut runner).unwrap().current();
        add(render("x = {{ v }}", &value), &value);
        let text = nasty().new_tree(&mut runner).unwrap().current();
        for quote in ["'", "\"", "'''", "\"\"\"", "u'"] {
            let close = quote.trim_start_matches('u');
            add(render(&format!("x = {quote}a{{{{ v }}}}b{close}"), &json!(text)), &json!(format!("a{text}b")));
        }
        let octal = render(r"x = '\1{{ v }}\12{{ v }}\\{{ v }}\x41{{ v }}'", &json!(text));
        add(octal, &json!(format!("\u{1}{text}\n{text}\\{text}A{text}")));
    }
    let mut python = Command::new("python3").args(["-c", READER]).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    python.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
    let output = python.wait_with_output().unwrap();
    assert_eq!(String::from_utf8_lossy(&output.stdout).trim(), cases.to_string());
}
