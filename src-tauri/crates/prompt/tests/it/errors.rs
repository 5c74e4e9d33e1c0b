use inklings_prompt::PromptEngine;
use serde_json::json;

use crate::values;

/// `rule line:column-line:column message` of each error, with the text of its range.
fn check(template: &str, expected: &[&str]) {
    let found: Vec<String> = PromptEngine::new()
        .check(template)
        .iter()
        .map(|error| {
            let finding = error.to_diagnostic("prompts/p.j2");
            let range = error.span.as_ref().map(|span| &template[span.range.clone()]).unwrap_or_default();
            let at = |line: Option<u32>, column: Option<u32>| format!("{}:{}", line.unwrap_or(0), column.unwrap_or(0));
            format!("{} {} {range:?} {}", finding.rule, at(finding.line, finding.column), finding.message)
        })
        .collect();
    assert_eq!(found, expected, "{template}");
}

#[test]
fn syntax_errors_have_a_place() {
    check("a\nb {{ x", &[r#"template/syntax 2:6 "x" unexpected end of input, expected end of variable block"#]);
    check("{% if x %}é", &[r#"template/syntax 1:11 "é" unexpected end of input, expected end of block"#]);
    check("{% for x %}{% endfor %}", &[r#"template/syntax 1:10 "%}" unexpected end of block, expected `in`"#]);
    check("{{ }}", &[r#"template/syntax 1:4 "}}" unexpected end of variable block"#]);
    check("é {% fro x in y %}", &[r#"template/syntax 1:6 "fro" unknown statement fro"#]);
    check("\u{feff}é {% fro x %}", &[r#"template/syntax 1:7 "fro" unknown statement fro"#]);
}

#[test]
fn unknown_names_have_a_place_each() {
    check(
        "{{ x | uper }} {{ x|trim|lwer }}",
        &[r#"template/unknown-filter 1:8 "uper" unknown filter "uper""#, r#"template/unknown-filter 1:26 "lwer" unknown filter "lwer""#],
    );
    check("{% if x is defned %}{% endif %}", &[r#"template/unknown-test 1:12 "defned" unknown test "defned""#]);
    check("{{ x is not od }}", &[r#"template/unknown-test 1:13 "od" unknown test "od""#]);
    check("{{ rnage(3) }}", &[r#"template/unknown-function 1:4 "rnage" unknown function "rnage""#]);
    check("{{ x.strip() }}", &[r#"template/unknown-method 1:6 "strip" values have no methods: can't call `strip()`"#]);
    check(
        "{{ xs | map('uper') | select(\"od\") | join }}",
        &[r#"template/unknown-filter 1:13 "'uper'" unknown filter "uper""#, r#"template/unknown-test 1:30 "\"od\"" unknown test "od""#],
    );
    check("{% filter uper %}x{% endfilter %}", &[r#"template/unknown-filter 1:11 "uper" unknown filter "uper""#]);
}

#[test]
fn other_templates_are_refused() {
    check(
        "{% include 'a.j2' %}",
        &[r#"template/other-template 1:4 "include 'a.j2'" `include` isn't supported: a template can't load another one"#],
    );
    for template in ["{% extends 'a' %}", "{% import 'a' as b %}", "{% from 'a' import b %}"] {
        assert_eq!(PromptEngine::new().check(template).len(), 1, "{template}");
    }
}

#[test]
fn what_is_fine_is_fine() {
    for template in [
        "{{ xs | map('upper') | join(', ') }}",
        "{{ xs | selectattr('age', '>', 3) | list | length }}",
        "{% macro m(x) %}{{ x }}{{ caller() }}{% endmacro %}{% call m(1) %}a{% endcall %}",
        "{% for x in xs recursive %}{{ loop(x.children) }}{{ loop.cycle('a', 'b') }}{% endfor %}",
        "{% set ns = namespace(a=1) %}{% set ns.a = 2 %}{{ ns.a }}",
        "{% block b %}{{ self.b() }}{% endblock %}",
        "{{ x is eq 3 }}{{ dict(a=1) }}{{ debug() }}",
        "{% raw %}{{ x | nothing }}{% endraw %}{# {{ y | nothing }} #}",
    ] {
        check(template, &[]);
    }
}

#[test]
fn hints_say_what_was_meant() {
    for (template, hint) in [
        ("{{ x | uper }}", "did you mean \"upper\"?"),
        ("{{ x is defned }}", "did you mean \"defined\"?"),
        ("{{ rnage(3) }}", "did you mean \"range\"?"),
        ("{{ x.strip() }}", "use the filter: `| trim`"),
        ("{{ x.upper() }}", "use the filter: `| upper`"),
    ] {
        assert_eq!(PromptEngine::new().check(template)[0].to_diagnostic("x").hint.as_deref(), Some(hint), "{template}");
    }
}

#[test]
fn render_errors_say_what_and_where() {
    let error = |template: &str, context| PromptEngine::new().render_str(template, &values(context)).unwrap_err().to_string();
    assert_eq!(error("a\n{{ nobody }}", json!({})), "`nobody` is undefined (line 2, column 4)");
    assert_eq!(
        error("{% for c in xs %}{{ c.txet }}{% endfor %}", json!({ "xs": [{ "text": 1 }] })),
        "`c.txet` is undefined (line 1, column 21)"
    );
    assert_eq!(error("é {{ 1 + [] }}", json!({})), "tried to use + operator on unsupported types number and sequence (line 1, column 6)");
    assert_eq!(error("{{ x | uper }}", json!({ "x": 1 })), "unknown filter \"uper\" (line 1, column 8)");
}

/// The tables of names must match the engine.
#[test]
fn every_listed_name_exists() {
    use inklings_prompt::names;
    let engine = PromptEngine::new();
    let known = |test: &str, name: &str| engine.render_str(&format!("{{{{ '{name}' is {test} }}}}"), &values(json!({}))).unwrap();
    for name in names::FILTERS {
        assert_eq!(known("filter", name), "True", "{name}");
    }
    for name in names::TESTS {
        assert_eq!(known("test", name), "True", "{name}");
    }
    for name in names::FUNCTIONS {
        let rendered = engine.render_str(&format!("{{{{ {name} is defined }}}}"), &values(json!({})));
        assert_eq!(rendered.unwrap(), "True", "{name}");
    }
}
