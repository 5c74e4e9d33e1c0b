use inklings_prompt::PromptEngine;
use serde_json::{Value, json};

use crate::values;

/// The rendered script, or `line:column message` of the error.
fn render(template: &str, params: Value) -> String {
    match PromptEngine::new().render_script(template, &values(params)) {
        Ok(script) => script.source,
        Err(error) => {
            let at = error.span.as_ref().map_or_else(|| "-".to_owned(), |span| format!("{}:{}", span.line, span.column));
            format!("{at} {}", error.problem)
        }
    }
}

fn check(template: &str, params: Value, expected: &str) {
    assert_eq!(render(template, params), expected, "{template}");
}

#[test]
fn a_value_alone_is_a_literal() {
    let params = json!({"t": "it's", "n": 3, "m": -2, "f": 0.5, "yes": true, "no": null, "l": [1, "a"], "o": {"k": {"x": []}}});
    for (template, expected) in [
        ("x = {{ t }}", r#"x = "it's""#),
        ("f({{ n }}, k={{ f }}, *{{ l }}, **{{ o }})", r#"f(3, k=0.5, *[1, "a"], **{"k": {"x": []}})"#),
        ("x = {{ m }} ** 2", "x = (-2) ** 2"),
        ("x = {{ n }}.bit_length()", "x = (3).bit_length()"),
        ("x = {{ o }}['k']", r#"x = ({"k": {"x": []}})['k']"#),
        ("x = [{{ yes }}, {{ no }}]", "x = [True, None]"),
        ("x: int = {{ n }}", "x: int = 3"),
        ("x, y = {{ n }}, {{ t }}", r#"x, y = 3, "it's""#),
        ("x = {1: {{ n }}, {{ n }}: 2}", "x = {1: 3, 3: 2}"),
        ("def f(a={{ n }}, b: int = {{ m }}):\n    return {{ n }}", "def f(a=3, b: int = (-2)):\n    return 3"),
        ("f = lambda a={{ n }}: {{ t }}", r#"f = lambda a=3: "it's""#),
        ("if (y := {{ n }}) and not {{ yes }}:\n  pass", "if (y := 3) and not True:\n  pass"),
        ("for a in {{ l }}:\n  print(a)", "for a in [1, \"a\"]:\n  print(a)"),
        ("x = [a for a in {{ l }} if a != {{ n }}]", r#"x = [a for a in [1, "a"] if a != 3]"#),
        ("match {{ t }}:\n  case 1:\n    pass", "match \"it's\":\n  case 1:\n    pass"),
        ("x = f'{ {{ o }} } {d[\"{{ t }}\"]}'", r#"x = f'{ ({"k": {"x": []}}) } {d["it's"]}'"#),
        ("{{ t }}", r#""it's""#),
        ("x = \\\n  {{ n }}", "x = \\\n  3"),
        ("x = l[{{ n }}:{{ m }}]", "x = l[3:(-2)]"),
        ("@retry({{ n }})\ndef f():\n  pass", "@retry(3)\ndef f():\n  pass"),
        ("x = 'a' if {{ yes }} else {{ n }}", "x = 'a' if True else 3"),
        ("x = {{ t | upper }} + {{ l | length }}", r#"x = "IT'S" + 2"#),
        ("x = {{ 'a' if no }}", "x = None"),
        ("é = {{ n }}; x = {{ n + 0.5 }}", "é = 3; x = 3.5"),
    ] {
        check(template, params.clone(), expected);
    }
}

#[test]
fn a_value_in_quotes_is_text() {
    let nasty = "\"'\\\n\r\t\0{x} {{ y }} %s # é\u{2028}";
    let double = r#"\"'\\\n\r\t\x00{x} {{ y }} %s # é\u2028"#;
    let single = r#""\'\\\n\r\t\x00{x} {{ y }} %s # é\u2028"#;
    for (before, text, after) in [
        ("x = \"", double, "\""),
        ("x = '", single, "'"),
        ("x = \"\"\"", double, "\"\"\""),
        ("x = '''a\n", single, "\n'''"),
        ("x = u'", single, "'"),
        ("x = ('a' '", single, "' \"b\")"),
        ("x = f'{d[\"", double, "\"]}'"),
        ("\"\"\"Doc ", double, "\"\"\"\n"),
        ("x = 'a\\\n", single, "'"),
        ("x = '\\\\", single, "'"),
        ("x = '\\x41", single, "'"),
        ("x = '\\N{DASH}", single, "'"),
    ] {
        check(&format!("{before}{{{{ v }}}}{after}"), json!({ "v": nasty }), &format!("{before}{text}{after}"));
    }
    check("x = '{{ a }}{{ b }}'", json!({"a": true, "b": [1, "x"]}), r"x = 'True[1, \'x\']'");
    check("x = '{{ a }} {{ 'x' if b }}'", json!({"a": null, "b": false}), "x = 'None '");
    // Digits would become part of the escape before them.
    check(r"x = '\1{{ v }}\12{{ v }}\123{{ v }}'", json!({"v": "7z"}), r"x = '\1\x37z\12\x37z\1237z'");
    check(r"x = '\1{{ v }}'", json!({"v": "9"}), r"x = '\19'");
}

#[test]
fn elsewhere_it_is_refused_and_named() {
    let params = json!({"v": "os", "n": 1});
    let format = "values aren't allowed in an f-string: braces in a value would be read as code";
    let raw = "values aren't allowed in a raw string: quotes in a value can't be escaped";
    let bytes = "values aren't allowed in a bytes literal";
    let comment = "values aren't allowed in a comment: a line break in a value would end it";
    let glued = "values can't be part of a name or a number";
    let escape = "values can't follow a backslash";
    let name = "values aren't allowed in place of a name or code";
    let pattern = "values aren't allowed in a pattern";
    let annotation = "values aren't allowed in a type annotation";
    let unsure = "can't insert a value here: the surrounding script isn't valid Python";
    for (template, at, message) in [
        ("y = 1\nx = f'a {{ v }}'", "2:12", format),
        ("x = t'a {{ v }}'", "1:12", format),
        ("x = f'{a:{{ v }}}'", "1:13", format),
        ("x = Rf'''{{ v }}'''", "1:13", format),
        ("x = r'{{ v }}'", "1:10", raw),
        ("x = b'{{ v }}'", "1:10", bytes),
        ("x = rb'{{ v }}'", "1:11", bytes),
        ("x = 1 # {{ v }}", "1:12", comment),
        ("x = y_{{ v }}", "1:10", glued),
        ("x = {{ v }}_y", "1:8", glued),
        ("x = {{ v }}{{ n }}", "1:8", glued),
        ("x = é{{ v }}", "1:9", glued),
        ("x = f{{ v }}", "1:9", glued),
        ("x = 1{{ v }}", "1:9", glued),
        (r"x = '\{{ v }}'", "1:10", escape),
        (r"x = '\x{{ v }}'", "1:11", escape),
        (r"x = '\x4{{ v }}'", "1:12", escape),
        (r"x = '\u004{{ v }}'", "1:14", escape),
        (r"x = '\N{ {{- v }}}'", "1:14", escape),
        ("import {{ v }}", "1:11", name),
        ("from {{ v }} import x", "1:9", name),
        ("from x import y as {{ v }}", "1:23", name),
        ("x.{{ v }} = 1", "1:6", name),
        ("x = y.{{ v }}", "1:10", name),
        ("f({{ v }}=1)", "1:6", name),
        ("def {{ v }}():\n  pass", "1:8", name),
        ("def f({{ v }}):\n  pass", "1:10", name),
        ("def f(*{{ v }}, a=1):\n  pass", "1:11", name),
        ("class {{ v }}:\n  pass", "1:10", name),
        ("class A({{ v }}):\n  pass", "1:12", name),
        ("{{ v }} = 1", "1:4", name),
        ("{{ v }} += 1", "1:4", name),
        ("x, {{ v }} = 1, 2", "1:7", name),
        ("x = {{ v }} = 1", "1:8", name),
        ("({{ v }} := 1)", "1:5", name),
        ("for {{ v }} in x:\n  pass", "1:8", name),
        ("x = [a for {{ v }} in x]", "1:15", name),
        ("def f():\n  global {{ v }}", "2:13", name),
        ("del {{ v }}", "1:8", name),
        ("del ({{ v }})", "1:9", name),
        ("@{{ v }}\ndef f():\n  pass", "1:5", name),
        ("with a as {{ v }}:\n  pass", "1:14", name),
        ("try:\n  pass\nexcept {{ v }}:\n  pass", "3:11", name),
        ("f = lambda {{ v }}: 1", "1:15", name),
        ("x = {{ v }}(1)", "1:8", "values can't be called"),
        ("x: {{ v }} = 1", "1:7", annotation),
        ("def f(a: list[{{ v }}]):\n  pass", "1:18", annotation),
        ("def f() -> {{ v }}:\n  pass", "1:15", annotation),
        ("x: '{{ v }}' = 1", "1:8", annotation),
        ("match x:\n  case {{ v }}:\n    pass", "2:11", pattern),
        ("match x:\n  case [1, {{ v }}]:\n    pass", "2:15", pattern),
        ("match x:\n  case A(k={{ v }}):\n    pass", "2:15", pattern),
        ("x = 'a {{ v }}", "1:11", unsure),
        ("x = 'a\n{{ v }}", "2:4", unsure),
        ("x = 'a' {{ v }}", "1:12", unsure),
        ("x = {{ v }} 'a'", "1:8", unsure),
        ("x = ({{ v }} 'a')", "1:9", unsure),
        ("x = = {{ v }}", "1:10", unsure),
        ("# a\rx = {{ v }}", "1:12", unsure),
        ("x = 'a\r{{ v }}'", "1:11", unsure),
        ("x = `{{ v }}`", "1:9", unsure),
        ("print {{ v }}", "1:10", name),
        ("x = '\0'\0 + {{ v }}", "1:15", unsure),
    ] {
        check(template, params.clone(), &format!("{at} {message}"));
    }
}

#[test]
fn a_syntax_error_elsewhere_is_pythons_to_report() {
    check("x = {{ v }}\ny = = 1\n", json!({"v": 1}), "x = 1\ny = = 1\n");
    check("y = (\nx = '{{ v }}'\n", json!({"v": "'"}), "y = (\nx = '\\''\n");
}

#[test]
fn errors_of_the_template_are_those_of_every_template() {
    check("x = 1\ny = {{ v.w }}", json!({"v": {}}), "2:8 `v.w` is undefined");
    check("x = {{ v ", json!({}), "1:8 unexpected end of input, expected end of variable block");
    let error = PromptEngine::new()
        .render_script(
            "x = {% for i in range(3) %}{% for j in range(99999) %}{% for k in range(99999) %}\n{% endfor %}{% endfor %}{% endfor %}",
            &values(json!({})),
        )
        .unwrap_err();
    assert_eq!(error.problem.rule(), "template/limit");
}

#[test]
fn text_of_the_template_stays_code_and_values_in_it_stay_values() {
    let params = json!({"v": "'); boom('", "l": ["a'", "b"], "c": "boom()"});
    for (template, expected) in [
        ("{% for x in l %}f({{ x }}, {{ loop.index }})\n{% endfor %}", "f(\"a'\", 1)\nf(\"b\", 2)\n"),
        ("{% if l %}x = '{{ v }}'{% else %}x = 1{% endif %}", r"x = '\'); boom(\''"),
        ("{% macro call(x) %}f({{ x }}){% endmacro %}{{ call(v) }}", r#"f("'); boom('")"#),
        ("{% set t %}f({{ v }}){% endset %}{{ t }}", r#"f("'); boom('")"#),
        ("{% set t %}a {{ v }}{% endset %}x = {{ t | upper }}", r#"x = "A '); BOOM('""#),
        ("{% set t %}a {{ v }}{% endset %}x = {{ t | length }}", "x = 12"),
        ("{% set t %}a {{ v }}{% endset %}x = '{{ t ~ '!' }}'", r"x = 'a \'); boom(\'!'"),
        ("{% set t %}a {{ v }}{% endset %}x = {{ [t, c] }}", r#"x = ["a '); boom('", "boom()"]"#),
        ("{% set t %}a{% endset %}x = {{ [t, c] | join(', ') }}", r#"x = "a, boom()""#),
        ("{% set t %}%s{% endset %}x = {{ t | format(c) }}", r#"x = "boom()""#),
        ("{% set t %}@{% endset %}x = {{ t | replace('@', c) }}", r#"x = "boom()""#),
        ("{% set t %}{{ c }}{% endset %}x = {{ t | lines | first }}", r#"x = "boom()""#),
        ("{% filter upper %}a {{ v }}{% endfilter %}", r#""A '); BOOM('""#),
        ("{{ c | safe }}", r#""boom()""#),
        ("{{ c | escape }} + {{ v | e }}", r#""boom()" + "&#x27;); boom(&#x27;""#),
        ("{% autoescape false %}{% set t %}f({{ c }}){% endset %}{{ t }}{% endautoescape %}", r#""f(boom())""#),
        ("{% set t %}'{{ v }}'{% endset %}{% set u %}f({{ t }}){% endset %}{{ u }}", r"f('\'); boom(\'')"),
        ("{% macro m() %}{{ caller(v) }}{% endmacro %}{% call(x) m() %}f({{ x }}){% endcall %}", r#"f("'); boom('")"#),
        ("{% set t %}{{ v }}{% endset %}x = {{ t[1:] if t == 'x' else [t][0] ~ '' }}", r#"x = "'); boom('""#),
        ("{% set t %}f({{ v }}){% endset %}x = '{{ [t] | map('upper') | join }}'", r"x = 'F(\'); BOOM(\')'"),
        ("{% set t %}f({{ v }}){% endset %}x = {{ [t] | max }}", r#"x = "f('); boom(')""#),
        ("{% for ch in c %}{{ ch }}, {% endfor %}", r#""b", "o", "o", "m", "(", ")", "#),
        ("{% raw %}x = '{{ v }}'{% endraw %}", "x = '{{ v }}'"),
    ] {
        check(template, params.clone(), expected);
    }
}

#[test]
fn json_is_a_value_alone_and_json_in_quotes() {
    let params = json!({"v": {"a": [true, null, "it's"]}});
    check("x = {{ v | tojson }}", params.clone(), r#"x = {"a": [True, None, "it's"]}"#);
    check("x = json.loads('{{ v | tojson }}')", params.clone(), r#"x = json.loads('{"a": [true, null, "it\\u0027s"]}')"#);
    check("x = {{ v | tojson | length }}", params, "x = 32");
}

#[test]
fn what_python_cannot_write_is_refused() {
    check("a = 1\nx = {{ range }}", json!({}), "2:8 this value can't be represented in Python: it is a function or a template object");
    check("x = {{ {[1]: 2} }}", json!({}), "1:8 this value can't be represented in Python: object keys must be strings or numbers");
}

#[test]
fn lines_are_those_of_the_template() {
    for (template, expected) in [
        ("a\nb = {{ v }}\nc\n", "1 2 3 4"),
        ("a\n{% if v %}\nb\n{% endif %}\nc", "1 2 3 4 5"),
        ("a\n{%- if v %}\nb\n{%- endif %}\nc", "1 3 5"),
        ("{% for x in l %}\na = {{ x }}\n{% endfor %}b", "1 2 1 2 3"),
        ("{% for x in l -%}\na = {{ x }}\n{% endfor -%}\nb", "2 2 4"),
        ("{# one\ntwo #}\na\n{{ [1,\n2] }}\nb", "2 3 4 6"),
        ("{% macro m(x) %}f(\n{{ x }})\n{% endmacro -%}\na\n{{ m(1) }}b\n{{ m(2) }}", "4 1 2 5 1 2 3"),
        ("{% set t %}a\n{{ v }}{% endset %}\n{% if t == 'x' %}\n{% endif %}b", "2 4"),
        ("{% set t %}a{% endset %}{% if t == 'a' %}\nb\n\n{% endif %}c", "1 2 3 4"),
    ] {
        let script = PromptEngine::new().render_script(template, &values(json!({"v": "a\nb", "l": [1, 2]}))).unwrap();
        let lines = u32::try_from(script.source.matches('\n').count() + 1).unwrap();
        let found: Vec<_> = (1..=lines).map(|line| script.lines.template_line(line).to_string()).collect();
        assert_eq!(found.join(" "), expected, "{template}\n---\n{}", script.source);
    }
}

#[test]
fn scripts_in_the_form_of_the_first_design_render() {
    let template = "import inklings\n\nfound = inklings.search('{{ kind }}')\nout = []\nfor hit in found:\n body = inklings.get_page(hit['slug'])\n \
                    out.extend(inklings.llm_query(f'List what {kind} is about: {body}'))\ninklings.submit({'kind': '{{ kind }}', 'out': out})";
    let rendered = render(template, json!({"kind": "it's \"x\"\n"}));
    assert_eq!(rendered, template.replace("{{ kind }}", r#"it\'s "x"\n"#));
}

#[test]
fn shipped_scripts_render() {
    let seeds = std::path::PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../seed/skills");
    let mut rendered = 0;
    for skill in std::fs::read_dir(seeds).unwrap() {
        let Ok(scripts) = std::fs::read_dir(skill.unwrap().path().join("scripts")) else { continue };
        for script in scripts.filter(|script| script.as_ref().unwrap().path().extension().is_some_and(|extension| extension == "py")) {
            let text = std::fs::read_to_string(script.unwrap().path()).unwrap();
            let source = render(&text, json!({"entity_type": "person"}));
            assert_eq!(source, text.replace("{{ entity_type }}", "person"));
            let outline = PromptEngine::new().outline(&text);
            assert_eq!(outline.faults, []);
            assert!(outline.submits);
            rendered += 1;
        }
    }
    assert!(rendered >= 3);
}

/// CPU time of this thread.
fn computed() -> std::time::Duration {
    let stats = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap();
    std::time::Duration::from_nanos(stats.split(' ').next().unwrap().parse().unwrap())
}

#[test]
fn hostile_scripts_end_soon() {
    let engine = PromptEngine::new();
    let deep = |open: &str, close: &str| format!("x = {}{{{{ v }}}}{}", open.repeat(20_000), close.repeat(20_000));
    for template in [
        deep("(", ")"),
        deep("[", ""),
        deep("f(a, ", ")"),
        deep("({{ v }}, ", ")"),
        "inklings.x(".repeat(20_000),
        format!("x = {}", "f'{".repeat(20_000)),
        format!("x = {}'{{{{ v }}}}'", "not ".repeat(20_000)),
        format!("{}{{{{ v }}}}", "if x:\n ".repeat(10_000)),
        format!("x = [{}]", "{{ v }}, ".repeat(10_000)),
        format!("x = [{}", "{{ v }} ) ".repeat(10_000)),
        "'{{ v }}' ".repeat(10_000),
        "\\".repeat(100_000),
        "\"\"\"'''".repeat(20_000),
    ] {
        let before = computed();
        let _ = engine.render_script(&template, &values(json!({"v": "x"})));
        let _ = engine.outline(&template);
        let took = computed().saturating_sub(before);
        assert!(took.as_secs() < 10, "{} took {took:?}", &template[..40]);
    }
}

#[test]
fn captured_text_cannot_be_multiplied_without_end() {
    let template = "{% set t %}{{ v }}{{ v }}{{ v }}{{ v }}{% endset %}{% for i in range(100000) %}'{{ t ~ i }}'\n{% endfor %}";
    let error = PromptEngine::new().render_script(template, &values(json!({"v": "x".repeat(1_000_000)}))).unwrap_err();
    assert_eq!(error.problem.rule(), "template/limit");
}
