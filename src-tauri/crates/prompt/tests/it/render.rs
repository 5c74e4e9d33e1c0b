use inklings_prompt::engine::{FUEL, OUTPUT_BYTES};
use inklings_prompt::{Problem, PromptEngine, Shape};
use proptest::prelude::*;
use serde_json::json;

use crate::values;

fn render(template: &str, context: serde_json::Value) -> String {
    PromptEngine::new().render_str(template, &values(context)).unwrap_or_else(|error| format!("ERROR {error}"))
}

#[test]
fn a_prompt_is_rendered_with_its_values() {
    let template = "About \"{{ entity_name }}\":\n\n{% for claim in claims %}\
                    {{ loop.index }}. [[{{ claim.page_name }}]] {{ claim.text }}\n{% endfor %}\nCompare.\n";
    let context = json!({ "entity_name": "Ada & <Bob>", "claims": [
        { "page_name": "A", "text": "was born in 1815" }, { "page_name": "B", "text": "{{ was }} born in 1816" }
    ] });
    assert_eq!(
        render(template, context),
        "About \"Ada & <Bob>\":\n\n1. [[A]] was born in 1815\n2. [[B]] {{ was }} born in 1816\n\nCompare.\n"
    );
}

#[test]
fn text_around_is_kept_as_it_is() {
    for text in ["", "\n", "no values\r\n\r\n", "a\n\n", "<b>&amp;</b>", "näïve 技能", "{ not a tag } # x"] {
        assert_eq!(render(text, json!({})), text);
    }
    assert_eq!(render("\u{feff}Hi {{ x }}", json!({ "x": 1 })), "Hi 1");
}

#[test]
fn values_keep_their_json_form() {
    for (template, value, text) in [
        ("{{ x }}", json!(1.5), "1.5"),
        ("{{ x }}", json!(18_446_744_073_709_551_615_u64), "18446744073709551615"),
        ("{{ x | tojson }}", json!({ "b": [1, null], "a": "é\"" }), "{\"b\": [1, null], \"a\": \"é\\\"\"}"),
        ("{{ x.b }}{{ x['a'] }}", json!({ "b": 1, "a": true }), "1True"),
        ("{% for k, v in x | items %}{{ k }}={{ v }};{% endfor %}", json!({ "z": 1, "a": 2 }), "z=1;a=2;"),
    ] {
        assert_eq!(render(template, json!({ "x": value })), text, "{template}");
    }
}

#[test]
fn what_is_not_given_is_an_error_unless_guarded() {
    assert!(render("{{ x }}", json!({})).starts_with("ERROR"));
    assert!(render("{% if x %}{% endif %}", json!({})).starts_with("ERROR"));
    assert!(render("{% for y in x %}{% endfor %}", json!({})).starts_with("ERROR"));
    assert!(render("{{ x.y }}", json!({ "x": {} })).starts_with("ERROR"));
    assert_eq!(render("{{ x | default('-') }}{{ x is defined }}", json!({})), "-False");
}

#[test]
fn loops_and_recursion_end() {
    let engine = PromptEngine::new();
    let problem = |template: &str| engine.render_str(template, &values(json!({}))).unwrap_err().problem;
    let nested = "{% for a in range(9999) %}{% for b in range(9999) %}{% set x = a %}{% endfor %}{% endfor %}";
    assert_eq!(problem(nested), Problem::OutOfFuel(FUEL));
    assert_eq!(problem("{% macro m() %}{{ m() }}{% endmacro %}{{ m() }}"), Problem::TooDeep);
    let long = "{% set s = 'x' * 100000 %}{% for a in range(1000) %}{{ s }}{% endfor %}";
    assert_eq!(problem(long), Problem::OutputTooLong(OUTPUT_BYTES));
}

#[test]
fn what_would_overflow_the_compiler_is_refused() {
    let engine = PromptEngine::new();
    for (start, unit, end) in [
        ("{{ a", " + a", " }}"),
        ("{{ a", ".b", " }}"),
        ("{{ a", "[0]", " }}"),
        ("{{ a", "|e", " }}"),
        ("{{ a", "()", " }}"),
        ("{{ ", "not ", "a }}"),
        ("{{ ", "- ", "1 }}"),
        ("{{ a", " is odd", " }}"),
        ("{{ a", " if a else a", " }}"),
        ("{{ ", "(", ""),
        ("{{ ", "[", ""),
        ("{{ ", "{'a':", ""),
        ("{% if a %}", "{% elif a %}", "{% endif %}"),
        ("", "{% if a %}", ""),
        ("", "{% for a in b %}", ""),
        ("{{ f(1", ",1", ") }}"),
        ("{{ [1", ",1", "] }}"),
    ] {
        let template = format!("{start}{}{end}", unit.repeat(900_000 / unit.len()));
        let rendered = engine.render_str(&template, &values(json!({ "a": 1, "b": [] })));
        let problem = rendered.unwrap_err().problem;
        assert!(matches!(problem, Problem::TooDeep | Problem::Syntax(_)), "{start}{unit}: {problem}");
        assert!(!engine.check(&template).is_empty(), "{start}{unit}");
    }
}

/// Just below the limits: compiled, walked and rendered on the small stack of a test thread.
#[test]
fn what_is_allowed_is_safe() {
    let engine = PromptEngine::new();
    for (start, unit, end, count) in [
        ("{{ 1", " + a", " }}", 400),
        ("{{ a", "|e", " }}", 400),
        ("{{ ", "not ", "a }}", 400),
        ("{{ 1", " and 1 < a", " }}", 200),
        ("{{ a", " if a else a", " }}", 140),
    ] {
        let template = format!("{start}{}{end}", unit.repeat(count));
        engine.render_str(&template, &values(json!({ "a": 1 }))).unwrap();
        assert_eq!(engine.check(&template), [], "{template}");
    }
    let template = format!("{{% if a %}}{}{{% endif %}}", "{% elif a %}".repeat(190));
    assert_eq!(engine.check(&template), []);
    let items = format!("{{{{ [{}] | length }}}}", "1,".repeat(49_000));
    assert_eq!(render(&items, json!({})), "49000");
}

/// Pieces of template syntax, so that random templates get past the first token.
fn pieces() -> impl Strategy<Value = String> {
    let piece = prop::sample::select(vec![
        "{{",
        "}}",
        "{%",
        "%}",
        "{#",
        "#}",
        "-",
        "+",
        "*",
        "|",
        ".",
        "(",
        ")",
        "[",
        "]",
        "{",
        "}",
        ",",
        ":",
        "=",
        "==",
        "~",
        "'",
        "\"",
        " ",
        "\n",
        "a",
        "b",
        "xs",
        "1",
        "for",
        "in",
        "if",
        "elif",
        "else",
        "endif",
        "endfor",
        "set",
        "endset",
        "macro",
        "endmacro",
        "call",
        "endcall",
        "filter",
        "endfilter",
        "upper",
        "default",
        "is",
        "not",
        "defined",
        "raw",
        "endraw",
        "loop",
        "self",
        "super",
        "block",
        "endblock",
        "include",
        "extends",
        "import",
        "from",
        "as",
        "do",
        "break",
        "continue",
        "with",
        "endwith",
        "autoescape",
        "endautoescape",
        "range",
        "namespace",
        "recursive",
        "caller",
        "true",
        "none",
        "é",
        "技",
        "\u{feff}",
        "\\",
    ]);
    prop::collection::vec(piece, 0..60).prop_map(|pieces| pieces.join(" "))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1500, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_template_harms_the_program(template in prop_oneof![pieces(), ".{0,200}"]) {
        let engine = PromptEngine::new();
        let context = values(json!({ "a": "x", "b": { "a": 1 }, "xs": [1, { "a": 2 }] }));
        let _ = engine.render_str(&template, &context);
        let _ = engine.variables(&template);
        for error in engine.check(&template) {
            let finding = error.to_diagnostic("prompts/x.j2");
            prop_assert!(finding.line != Some(0));
            if let Some(span) = error.span {
                prop_assert!(template.get(span.range.clone()).is_some(), "{:?} in {template:?}", span.range);
            }
        }
    }

    #[test]
    fn a_value_is_never_read_as_a_template(value in prop_oneof![pieces(), ".{0,80}"]) {
        let context = values(json!({ "x": value, "xs": [value] }));
        let rendered = PromptEngine::new().render_str("<{{ x }}|{% for y in xs %}{{ y }}{% endfor %}>", &context);
        prop_assert_eq!(rendered.unwrap(), format!("<{value}|{value}>"));
    }

    #[test]
    fn plain_text_is_its_own_rendering(text in "[^{}#]{0,200}") {
        prop_assert_eq!(render(&text, json!({})), text.strip_prefix('\u{feff}').unwrap_or(&text));
    }

    /// The required variables are sufficient to render.
    #[test]
    fn the_variables_asked_for_are_the_ones_needed(template in statements()) {
        let engine = PromptEngine::new();
        let missing = engine.missing(&template, &values(json!({}))).unwrap();
        let given = missing.into_iter().map(|variable| {
            let value = match variable.shape {
                Shape::Text => json!("x"),
                Shape::List => json!([{ "f": 1 }]),
                Shape::Object => json!({ "f": 1 }),
            };
            (variable.name, value)
        });
        match engine.render_str(&template, &given.collect()).map_err(|error| error.problem) {
            Err(Problem::Undefined(detail)) => prop_assert!(false, "{detail}: {template}"),
            Err(problem) => prop_assert!(matches!(problem, Problem::Failed(_)), "{problem}: {template}"),
            Ok(_) => {}
        }
    }
}

/// Well-formed templates without `set`, whose effect depends on the branch taken.
fn statements() -> impl Strategy<Value = String> {
    let leaf = prop::sample::select(vec![
        "{{ a }}",
        "{{ b | default('x') }}",
        "{{ c.f }}",
        "{{ a is defined and a ~ b is defined }}",
        "{{ xs | join }}",
        "{{ b is undefined or b }}",
        "{{ c.f if c is defined else 1 }}",
        "{{ a | d | upper }}",
        "{{ [a, b | d] }}",
        "text",
    ]);
    let frames = prop::sample::select(vec![
        ("{% if a is defined %}", "{% else %}-{% endif %}"),
        ("{% if b is undefined %}{% else %}", "{% endif %}"),
        ("{% if not (a is defined or b is defined) %}{% else %}", "{% endif %}"),
        ("{% for a in xs %}", "{% else %}{{ a }}{% endfor %}"),
        ("{% for b in ys if b.f %}", "{% endfor %}"),
        ("{% with a = b %}", "{% endwith %}"),
        ("{% filter upper %}", "{% endfilter %}"),
    ]);
    leaf.prop_map(str::to_owned).prop_recursive(4, 24, 4, move |inner| {
        (frames.clone(), prop::collection::vec(inner, 1..4)).prop_map(|((open, close), bodies)| format!("{open}{}{close}", bodies.concat()))
    })
}
