use inklings_prompt::variables::describe;
use inklings_prompt::{PromptEngine, Shape};
use serde_json::json;

use crate::values;

/// `name`, `name?` when optional, with `[fields]` for a list, `{fields}` for an object and `=default`.
fn check(template: &str, expected: &str) {
    let found: Vec<String> = PromptEngine::new()
        .variables(template)
        .unwrap()
        .into_iter()
        .map(|variable| {
            let fields = variable.fields.join(" ");
            let shape = match variable.shape {
                Shape::Text => String::new(),
                Shape::List => format!("[{fields}]"),
                Shape::Object => format!("{{{fields}}}"),
            };
            let default = variable.default.map(|default| format!("={default}")).unwrap_or_default();
            format!("{}{shape}{}{default}", variable.name, if variable.optional { "?" } else { "" })
        })
        .collect();
    assert_eq!(found.join(", "), expected, "{template}");
}

#[test]
fn shapes_follow_from_use() {
    check("{{ a }} {{ b | upper }} {{ a }}", "a, b");
    check("{% for claim in claims %}{{ claim.text }}{{ claim.page_name }}{% endfor %}", "claims[text page_name]");
    check("{{ x.y }}{{ x['z'] }}{{ x.y.deep }}", "x{y z}");
    check("{{ xs[0].name }}{{ ys | first }}{{ zs | map(attribute='a.b') | join }}", "xs[name], ys[], zs[a]");
    check("{% for k, v in x | items %}{{ v.a }}{% endfor %}", "x{}");
    check("{% for c in xs | selectattr('ok') | sort(attribute='year') %}{{ c.text }}{% endfor %}", "xs[ok year text]");
    check("{% for c in xs[:3] %}{{ c.a }}{% endfor %}", "xs[a]");
    check("{% set ys = xs %}{% for c in ys %}{{ c.a }}{% endfor %}", "xs[a]");
    check("{% with c = x %}{{ c.a }}{% endwith %}", "x{a}");
    check("{% for c in page.claims %}{{ c.text }}{% endfor %}", "page{claims}");
    check("{{ a[b] }}", "a, b");
}

#[test]
fn what_the_template_makes_itself_is_not_asked_for() {
    check("{% set a = b %}{{ a }}", "b");
    check("{{ a }}{% set a = 1 %}", "a");
    check("{% set a = a | default(1) %}{{ a }}", "a?=1");
    check("{% for a in xs %}{{ a }}{{ loop.index }}{% else %}{{ a }}{% endfor %}{{ a }}", "xs[], a");
    check("{% macro m(x, y=z) %}{{ x }}{{ y }}{{ w }}{% endmacro %}{{ m(v) }}", "z, w, v");
    check("{% set s %}{{ a }}{% endset %}{{ s }}", "a");
    check("{{ range(3) }}{{ dict(a=b) }}{{ namespace() }}{{ debug() }}{{ true }}{{ none }}", "b");
    check("{% call(x) m() %}{{ x }}{{ y }}{% endcall %}", "y");
    check("{% filter upper %}{{ a }}{% endfilter %}{% block b %}{{ c }}{% endblock %}", "a, c");
    check("{% set ns = namespace(n=a) %}{% set ns.n = b %}{{ ns.n }}", "a, b");
    check("{% raw %}{{ a }}{% endraw %}{# {{ b }} #}", "");
}

#[test]
fn guards_make_optional() {
    check("{{ a | default('x') }}{{ b | d }}{{ c | default({'k': [1]}) }}", r#"a?="x", b?, c?={"k":[1]}"#);
    check("{% if a is defined %}{{ a.b }}{% endif %}", "a{b}?");
    check("{% if a is defined %}{% else %}{{ a }}{% endif %}", "a");
    check("{% if a is undefined %}{% else %}{{ a }}{% endif %}", "a?");
    check("{% if a is not defined %}-{% else %}{{ a }}{% endif %}", "a?");
    check("{% if a is defined and b is defined and a > 1 %}{{ a }}{{ b }}{% endif %}", "a?, b?");
    check("{% if a is defined or b %}{{ a }}{% endif %}", "a, b");
    check("{% if a is undefined or a > 1 %}{% endif %}", "a?");
    check("{{ a if a is defined else 'x' }}", "a?");
    check("{% if a %}{{ a }}{% endif %}", "a");
    check("{{ a | default('x') }}{{ a }}", r#"a="x""#);
    check("{% if a is undefined %}{% set a = 1 %}{% endif %}{{ a }}", "a?");
    check("{% for c in xs | default([]) %}{{ c.t }}{% endfor %}", "xs[t]?=[]");
}

#[test]
fn missing_is_what_has_no_value_and_no_guard() {
    let engine = PromptEngine::new();
    let missing = engine.missing("{{ a }}{{ b }}{{ c | default(1) }}", &values(json!({ "a": null }))).unwrap();
    assert_eq!(missing.into_iter().map(|variable| variable.name).collect::<Vec<_>>(), ["b"]);
    assert!(engine.missing("{{", &values(json!({}))).is_err());
}

#[test]
fn a_schema_describes_the_form() {
    let mut variables = PromptEngine::new().variables("{{ a }}{{ b }}{{ c.x }}").unwrap();
    describe(
        &mut variables,
        &json!({ "properties": {
            "a": { "type": "array", "description": "the list", "items": { "properties": { "p": {} } } },
            "b": { "title": "B", "default": 3 }
        } }),
    );
    assert_eq!((variables[0].shape, variables[0].fields.as_slice()), (Shape::List, ["p".to_owned()].as_slice()));
    assert_eq!(variables[0].description.as_deref(), Some("the list"));
    assert_eq!((variables[1].description.as_deref(), &variables[1].default), (Some("B"), &Some(json!(3))));
    assert_eq!((variables[2].shape, variables[2].fields.len()), (Shape::Object, 1));
}

#[test]
fn every_place_that_names_a_value_is_known() {
    let text = "\u{feff}é {{ a }}{% for a in a %}{{ a.b }}{{ c[a] | default(c) }}{% endfor %}\n{{ a is defined and loop }}{# a #}{% raw %}{{ a }}{% endraw %}";
    let uses = PromptEngine::new().uses(text).unwrap();
    let found: Vec<_> = uses.iter().map(|(name, span)| (name.as_str(), span.line, span.column)).collect();
    assert_eq!(found, [("a", 1, 7), ("a", 1, 23), ("c", 1, 39), ("c", 1, 54), ("a", 2, 4)]);
    for (name, span) in &uses {
        assert_eq!(&text[span.range.clone()], name);
    }
}

#[test]
fn a_value_is_renamed_where_it_is_named_and_nowhere_else() {
    let engine = PromptEngine::new();
    let renamed = |text: &str, to: &str| engine.renamed(text, "a", to).unwrap();
    let text = "{{ a }} a {{ x.a }} {{ dict(a=a) }}{% set b = a %}{{ \"a\" }}{% for a in b %}{{ a }}{% endfor %}";
    let after = "{{ z }} a {{ x.a }} {{ dict(a=z) }}{% set b = z %}{{ \"a\" }}{% for a in b %}{{ a }}{% endfor %}";
    assert_eq!(renamed(text, "z").as_deref(), Some(after));
    assert_eq!(renamed("{{ b }}", "z").as_deref(), Some("{{ b }}"));
    // It would refer to the loop variable, or to a function.
    assert_eq!(renamed("{% for z in x %}{{ a }}{% endfor %}", "z"), None);
    assert_eq!(renamed("{{ a }}", "range"), None);
    assert!(engine.renamed("{{ a", "a", "b").is_err());
    for (name, is) in
        [("a_1", true), ("_", true), ("1a", false), ("", false), ("a b", false), ("loop", false), ("true", false), ("é", false)]
    {
        assert_eq!(engine.is_name(name), is, "{name}");
    }
}
