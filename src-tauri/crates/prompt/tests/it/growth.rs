use inklings_prompt::PromptEngine;
use serde_json::json;

use crate::values;

/// Each ends soon with an error that says what, and leaves the process alone.
#[test]
fn what_would_grow_too_large_is_refused() {
    let chain: Vec<String> = (1..60).map(|n| format!("{{% set x{n} = x{} ~ x{} %}}", n - 1, n - 1)).collect();
    let chain = chain.concat();
    let raw = "raw ".repeat(20_000);
    for template in [
        r#"{{ "%1000000000d"|format(1) }}"#,
        r#"{{ "%*d"|format(1000000000, 1) }}"#,
        r#"{{ "%.1000000000f"|format(1.5) }}"#,
        r#"{{ "x"|indent(2000000000, true) }}"#,
        r#"{{ "x"|indent(width=2000000000, first=true) }}"#,
        r#"{{ ["x"]|map("indent", 2000000000, true)|join }}"#,
        r#"{{ ("a"*100000)|replace("a","b"*100000) }}"#,
        r#"{{ ("a"*100000)|replace("","b"*100000) }}"#,
        r#"{{ "a" * 10000000000 }}"#,
        r#"{{ 10000000000 * "a" }}"#,
        r#"{{ "a" * 100000 * 100000 }}"#,
        r"{{ [0] * 99999999 }}",
        r"{{ range(100000)|join('a' * 100000) }}",
        r"{{ [1]|tojson(2000000000) }}",
        r"{% for i in range(100000) %}{% set x = range(100000)|list|tojson %}{% endfor %}",
        r#"{% set ns = namespace(x="a") %}{% for i in range(60) %}{% set ns.x = ns.x ~ ns.x %}{% endfor %}"#,
        r#"{% set ns = namespace(x="a") %}{% for i in range(60) %}{% set ns.x = ns.x + ns.x %}{% endfor %}"#,
        r#"{% set ns = namespace(x="a") %}{% for i in range(60) %}{% set y = ns.x %}{% set ns.x = y ~ y %}{% endfor %}"#,
        r#"{% set ns = namespace(x="a") %}{% for i in range(60) %}{% set ns.x = ns["x"] ~ ns["x"] %}{% endfor %}"#,
        r#"{% set ns = namespace(x="a") %}{% set m = ns %}{% for i in range(60) %}{% set m.x = ns.x ~ ns.x %}{% endfor %}"#,
        r#"{% set ns = namespace(x="a") %}{% for i in range(60) %}{% for m in [ns] %}{% set m.x = ns.x ~ ns.x %}{% endfor %}{% endfor %}"#,
        r#"{% set ns = namespace(x="a") %}{% macro g(n, m) %}{% set n.x = m.x ~ m.x %}{% endmacro %}{% for i in range(60) %}{{ g(ns, ns) }}{% endfor %}"#,
        r#"{% set ns = namespace(x="a") %}{% for i in range(60) %}{% set t %}{{ ns.x }}{{ ns.x }}{% endset %}{% set ns.x = t %}{% endfor %}"#,
        r#"{% set ns = namespace(x=["a"]) %}{% for i in range(60) %}{% set ns.x = [ns.x, ns.x] %}{% endfor %}{{ ns.x|join }}"#,
        r"{% set ns = namespace(x=[]) %}{% for i in range(100000) %}{% set ns.x = [ns.x] %}{% endfor %}",
        r"{% set ns = namespace(x=[1]) %}{% for i in range(100000) %}{% set ns.x = ns.x|batch(1) %}{% endfor %}",
        r"{% set ns = namespace(x=1) %}{% set ns.y = ns %}{{ ns }}",
        r"{% set ns = namespace(x=1) %}{% set ns.y = [ns] %}{{ ns|string }}",
        r"{% macro m(x) %}{{ x }}{{ x }}{{ m(x ~ x) }}{% endmacro %}{{ m('aaaaaaaa') }}",
        &format!("{{% set x0 = 'a' %}}{chain}{{{{ x59 }}}}"),
        &format!("{{% set t %}}{{% for i in range(100000) %}}{raw}{{% endfor %}}{{% endset %}}"),
    ] {
        let started = std::time::Instant::now();
        let result = PromptEngine::new().render_str(template, &values(json!({})));
        let shown: String = template.chars().take(160).collect();
        assert!(result.is_err(), "{shown}");
        assert!(started.elapsed().as_secs() < 20, "{shown}");
    }
}

#[test]
fn what_templates_do_every_day_works() {
    let context = json!({ "items": [{ "text": "a", "n": 2 }, { "text": "b", "n": 3 }], "title": "Harbour", "price": 2, "count": 4 });
    for (template, expected) in [
        ("{% set ns = namespace(text='') %}{% for item in items %}{% set ns.text = ns.text ~ item.text %}{% endfor %}{{ ns.text }}", "ab"),
        (
            "{% set ns = namespace(text='') %}{% for item in items %}{% set ns.text = ns.text ~ (', ' if ns.text else '') ~ item.text ~ item.text %}{% endfor %}{{ ns.text }}",
            "aa, bb",
        ),
        (
            "{% set ns = namespace(all=[]) %}{% for item in items %}{% set line = item.text ~ '!' %}{% set ns.all = ns.all + [line] %}{% endfor %}{{ ns.all|join(',') }}",
            "a!,b!",
        ),
        ("{% set ns = namespace(n=0) %}{% for item in items %}{% set ns.n = ns.n + item.n * price %}{% endfor %}{{ ns.n }}", "10"),
        ("{% macro add(ns, item) %}{% set ns.n = ns.n + item %}{% endmacro %}{% set t = namespace(n=1) %}{{ add(t, 2) }}{{ t.n }}", "3"),
        ("{% set title = '*' ~ title ~ '*' %}{{ title }}", "*Harbour*"),
        ("{{ '=' * title|length }} {{ '-' * 3 }} {{ price * count }}", "======= --- 8"),
        ("{{ 'a\nb'|indent(2, true) }} {{ '%03d'|format(7) }} {{ 'aXb'|replace('X', '--') }}", "  a\n  b 007 a--b"),
        ("{{ items|map(attribute='text')|join(', ') }} {{ [1, 2]|tojson }} {{ [1, 2, 3]|batch(2)|list }}", "a, b [1, 2] [[1, 2], [3]]"),
        ("{{ items|sum(attribute='n') }} {{ 'a b'|split|join('-') }} {{ items|tojson(indent=2)|length > 10 }}", "5 a-b True"),
        ("{% for i in range(2) recursive %}{{ i }}{% endfor %}", "01"),
    ] {
        let rendered = PromptEngine::new().render_str(template, &values(context.clone()));
        assert_eq!(rendered.as_deref(), Ok(expected), "{template}");
        assert_eq!(PromptEngine::new().check(template), [], "{template}");
    }
}
