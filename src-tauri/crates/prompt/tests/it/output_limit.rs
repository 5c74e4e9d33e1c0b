use std::process::Command;
use std::{env, fs};

use inklings_prompt::{Problem, PromptEngine};
use serde_json::json;

use crate::values;

/// Each ends soon with an error and doesn't affect the process.
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
        r#"{% set a = "%3000000d"|format(1) %}{% for i in range(90000) %}{% for j in range(90000) %}{% if a == a ~ "" %}{% endif %}{% endfor %}{% endfor %}"#,
        r#"{% set a = "%3000000d"|format(1) %}{% set b = a ~ "" %}{% for i in range(90000) %}{% for j in range(90000) %}{% if a == b %}{% endif %}{% endfor %}{% endfor %}"#,
        r#"{% set a = "%3000000d"|format(1) %}{% for i in range(90000) %}{% for j in range(90000) %}{% if "x" in a or a is endingwith("x") %}{% endif %}{% endfor %}{% endfor %}"#,
        r#"{% set a = "%3000000d"|format(1) %}{% for i in range(90000) %}{% for j in range(90000) %}{% if a|length == 3 %}{% endif %}{% endfor %}{% endfor %}"#,
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
        ("{{ '-' * count }}{{ count * '=' }} {{ [1, 2] * price }} {{ (1, 2) + (3,) }}", "----==== [1, 2, 1, 2] (1, 2, 3)"),
        (
            "{{ 1 + 2.5 }} {{ 'a' + 'b' }} {{ 1 ~ none }} {{ 2 in [1, 2] }} {{ 1 < 2 < 3 }} {{ 'b' not in 'abc' }}",
            "3.5 ab 1None True True False",
        ),
        ("{% macro m(a, b=2) %}{{ a }}{{ b }}{% endmacro %}{{ m(*[1], **{'b': 3}) }}{{ m(*[4, 5]) }}", "1345"),
        ("{% for k, v in {'a': 1, 'b': 2}|items %}{{ k }}{{ v }}{% if not loop.last %},{% endif %}{% else %}none{% endfor %}", "a1,b2"),
        (
            "{{ title[1:3] }} {{ title[::-1] }} {{ [1, 2, 3][::2] }} {{ [1, 2, 3][1:] | list }} {{ (1, 2, 3)[:2] }}",
            "ar ruobraH [1, 3] [2, 3] (1, 2)",
        ),
        (
            "{% block head %}{{ title }}{% endblock %}{% set t %}x{{ price }}{% endset %}{{ t }}{% filter upper %}y{% endfilter %}",
            "Harbourx2Y",
        ),
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

#[test]
fn a_step_that_makes_too_much_is_named_with_its_place() {
    let template = "{% set a = '%3000000d'|format(1) %}\n{% for i in range(90000) %}{% set b = a ~ i %}{% endfor %}";
    let error = PromptEngine::new().render_str(template, &values(json!({}))).unwrap_err();
    assert_eq!(error.span.map(|span| span.line), Some(2));
    assert!(error.problem.to_string().contains("`~`"), "{}", error.problem);
}

#[test]
fn a_slice_with_any_bounds_is_a_slice() {
    let render = |template: &str| PromptEngine::new().render_str(template, &values(json!({})));
    for (slice, expected) in [
        ("'abc'[-9223372036854775808:9223372036854775807:-1]", ""),
        ("'abc'[:9223372036854775807]", "abc"),
        ("'abc'[9223372036854775807::-1]", "cba"),
        ("'abc'[::-9223372036854775807]", "c"),
        ("'abc'[0:5:-1]", ""),
        ("''[::-1]", ""),
        ("[][::-1]", "[]"),
        ("[1, 2, 3][0:5:-1]|list", "[]"),
        ("[1, 2, 3][::-2]|list", "[3, 1]"),
        ("()[::-1]", "()"),
    ] {
        assert_eq!(render(&format!("{{{{ {slice} }}}}")).as_deref(), Ok(expected), "{slice}");
    }
    let bounds = ["", "-9223372036854775808", "-4", "-1", "0", "1", "2", "4", "9223372036854775807"];
    for value in ["''", "'abc'", "[]", "[1, 2]", "(1, 2)", "range(3)", "{'a': 1}"] {
        for (start, stop) in bounds.iter().flat_map(|start| bounds.iter().map(move |stop| (start, stop))) {
            for step in bounds {
                let slice = format!("{{{{ {value}[{start}:{stop}:{step}]|list }}}}");
                let fault = render(&slice).err().filter(|error| error.problem == Problem::EngineFault);
                assert_eq!(fault, None, "{slice}");
            }
        }
    }
}

/// Set in a process that runs only one test.
const ALONE: &str = "INKLINGS_TEST_ALONE";
/// Maximum memory of a rendering in MiB.
const MEMORY: f64 = 100.0;

/// Of this process in mebibytes: `VmRSS` now, `VmHWM` at its highest.
fn memory(what: &str) -> f64 {
    let status = fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix(what)?.strip_prefix(':')).unwrap();
    line.trim().trim_end_matches(" kB").parse::<f64>().unwrap() / 1024.0
}

/// Each template is rendered in a separate process, to measure only its own memory.
#[test]
fn whatever_a_template_does_takes_a_bounded_amount_of_memory() {
    let three = r#"{% set a = "%3000000d"|format(1) %}{% set ns = namespace(l=[], s="", t=()) %}"#;
    let each =
        |inner: &str| format!("{three}{{% for i in range(90000) %}}{{% for j in range(90000) %}}{inner}{{% endfor %}}{{% endfor %}}");
    let splats = "*l, ".repeat(2_000);
    let raw = "raw ".repeat(20_000);
    let templates = [
        each("{% set ns.l = ns.l + [a ~ i] %}"),
        each("{% set ns.l = ns.l + [a + 'x'] %}"),
        each("{% set ns.l = ns.l + [a[1:]] %}"),
        each("{% set ns.l = ns.l + [a[::-1]] %}"),
        each("{% set ns.l = ns.l + [a * 2] %}"),
        each("{% set ns.l = ns.l + [a|replace(' ', 'x ')] %}"),
        each("{% set ns.l = ns.l + [a|upper] %}"),
        each("{% set ns.l = ns.l + [a|list] %}"),
        each("{% set ns.l = ns.l + [a|split(' ')] %}"),
        each("{% set ns.l = ns.l + [(a|replace(' ', 'x\n'))|lines] %}"),
        each("{% set ns.l = ns.l + [(a|replace(' ', '<'))|e] %}"),
        each("{% set ns.l = ns.l + [[a|replace(' ', '<')]|tojson] %}"),
        each("{% set ns.l = ns.l + [range(100000)|zip(range(100000))|list] %}"),
        each("{% set ns.l = ns.l + [range(100000)|batch(1)|list] %}"),
        each("{% set ns.l = ns.l + [[1] * 100000 + []] %}"),
        each("{% set ns.t = ns.t + (i, j) %}{% set ns.l = ns.l + [ns.t] %}"),
        each("{% set t %}{{ a }}{% endset %}{% set ns.l = ns.l + [t] %}"),
        each("{% set ns.s = ns.s ~ a %}"),
        each("{% set ns.l = ns.l + [i] %}"),
        each("{% set ns.l = ns.l + [namespace(a=1)] %}"),
        each("{% set ns.l = ns.l + [{'a': 1, 'b': 2}] %}"),
        each("{% set ns.l = ns.l + [{'a': 1}|items|list] %}"),
        each("{% set ns.l = ns.l + [[i, j]] %}"),
        each("{% set ns.l = ns.l + [dict(a=i)] %}"),
        each("{% macro m() %}{{ i }}{% endmacro %}{% set ns.l = ns.l + [m] %}"),
        each("{% macro m() %}{{ a }}{% endmacro %}{% set ns.l = ns.l + [m()] %}"),
        each("{{ a }}"),
        format!("{{% set l = [1] * 600000 %}}{{% macro m(x) %}}{{% endmacro %}}{{{{ m({splats}1) }}}}"),
        format!(
            "{{% set ns = namespace(l=[]) %}}{{% macro m() %}}{raw}{{% endmacro %}}{{% for i in range(90000) %}}{{% set ns.l = ns.l + [m()] %}}{{% endfor %}}"
        ),
        format!("{{% for i in range(90000) %}}{{% set t %}}{raw}{{% endset %}}{{{{ t|length }}}}{{% endfor %}}"),
    ];
    match env::var(ALONE) {
        Ok(number) => {
            let template = &templates[number.parse::<usize>().unwrap()];
            let engine = PromptEngine::new();
            engine.render_str("{{ 1 }}", &values(json!({}))).unwrap();
            let before = memory("VmRSS");
            assert!(engine.render_str(template, &values(json!({}))).is_err());
            // Scripts print and escape differently.
            if template.contains("|e]") || template.contains("{{ a }}") {
                assert!(engine.render_script(template, &values(json!({}))).is_err());
            }
            let taken = memory("VmHWM") - before;
            assert!(taken < MEMORY, "{taken} MiB: {template:.300}");
        }
        Err(_) => {
            for number in 0..templates.len() {
                let arguments = ["--exact", "output_limit::whatever_a_template_does_takes_a_bounded_amount_of_memory"];
                let output = Command::new(env::current_exe().unwrap()).args(arguments).env(ALONE, number.to_string()).output().unwrap();
                let said = String::from_utf8_lossy(&output.stdout);
                assert!(output.status.success() && said.contains("1 passed"), "{said}{}", String::from_utf8_lossy(&output.stderr));
            }
        }
    }
}
