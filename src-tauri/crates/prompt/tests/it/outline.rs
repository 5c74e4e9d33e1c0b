use inklings_prompt::PromptEngine;

/// `line:column-column message` of each error.
fn faults(template: &str) -> Vec<String> {
    let outline = PromptEngine::new().outline(template);
    let shown = outline.faults.iter().map(|fault| {
        let span = fault.span.clone().unwrap();
        assert!(template.is_char_boundary(span.range.start) && template.is_char_boundary(span.range.end));
        format!("{}:{}-{} {}", span.line, span.column, span.end_column, fault.problem)
    });
    shown.collect()
}

#[test]
fn syntax_errors_are_named_where_they_are() {
    for (template, expected) in [
        ("x = 1\ny = (1, [2]\n", "2:5-6 unclosed `(`"),
        ("x = 1]\n", "1:6-7 unmatched `]`"),
        ("x = (1]\n", "1:7-8 `]` doesn't match `(`"),
        ("x = 'a\ny = 1\n", "1:5-6 unclosed string on this line"),
        ("x = f'''a\ny = 1\n", "1:5-9 unclosed string"),
        ("if x\n  y = 1\n", "1:4-5 expected `:` after `if`"),
        ("def f(a)\n  return a\n", "1:8-9 expected `:` after `def`"),
        ("x = = 1\n", "1:5-6 invalid Python: `=`"),
        ("{{ a }} = '{{ b }}\n", "1:11-12 unclosed string on this line"),
        ("{{ a }}; x = {{ b }} {{ c }}\n", "1:14-21 invalid Python: `{{ … }}`"),
        ("{# a\nb #}x = (\n", "2:9-10 unclosed `(`"),
        ("{% if a %}\nx = 1\n{% endif %}\ny = (\n", "4:5-6 unclosed `(`"),
    ] {
        assert_eq!(faults(template), [expected], "{template}");
    }
}

#[test]
fn what_may_be_right_is_no_fault() {
    for template in [
        "x = (\n{% if a %}\n  1)\n{% else %}\n  2)\n{% endif %}\n",
        "{% if a %}if x:{% else %}while x:{% endif %}\n  pass\n",
        "if x:\n{% for i in l %}\n  f({{ i }})\n{% endfor %}\n",
        "{% macro f(x) %}{{ x }}{% endmacro %}def {{ f('a') }}():\n  pass\n",
        "{% set name %}a{% endset %}\n{{ name }} = 1\n",
        "x = [{% for i in l %}{{ i }}{% if not loop.last %}, {% endif %}{% endfor %}]\n",
        "{%- set n = 1 -%}\nx = {{ n }}\n",
        "x = {{ a\n }}\ny = 2\n",
        "{# a comment #}\n{# another\n#}\nx = 1\n",
        "x = t'{a}'\nwith (open(a) as b, c as d):\n  pass\nprint(f'{x['a']!r:>{w}}', *a, sep='')\n",
        "try:\n  pass\nexcept* (A, B) as e:\n  pass\nmatch x:\n  case {'a': [1, *_]} | A(b=2) if c:\n    pass\n",
        "type A[T] = list[T]\nasync def f[T: int](a, /, b, *, c=1, **d) -> T:\n  async for x in y:\n    await z\n",
        "",
        "# only a comment",
    ] {
        assert_eq!(faults(template), [""; 0], "{template}");
    }
}

#[test]
fn misplaced_values_are_named_as_in_a_run() {
    let engine = PromptEngine::new();
    for template in [
        "x = f'a {{ v }}'\n",
        "x = 1 # {{ v }}\n",
        "x = r'{{ v }}'\n",
        "x = y_{{ v }}\n",
        "import {{ v }}\n",
        "x = {{ v }}(1)\n",
        "x = '\\{{ v }}'\n",
        "{% if v %}\nx = f'{{ v }}'\n{% endif %}\n",
    ] {
        let run = engine.render_script(template, &crate::values(serde_json::json!({"v": "a"}))).unwrap_err();
        let typed = engine.outline(template).faults;
        assert_eq!(typed.iter().map(|fault| &fault.problem).collect::<Vec<_>>(), [&run.problem], "{template}");
        let (typed, run) = (typed[0].span.clone().unwrap(), run.span.unwrap());
        assert!(typed.range.start <= run.range.start && run.range.end <= typed.range.end, "{template}");
    }
    assert_eq!(faults("y = 1\n  # é {{ v }}"), ["2:7-14 values aren't allowed in a comment: a line break in a value would end it"]);
}

#[test]
fn imports_and_uses_are_seen() {
    let outline = |template: &str| PromptEngine::new().outline(template);
    let found = outline(
        "import os.path, inklings as ink, json as j\nfrom inklings import search, submit as s\nfrom . import x\ntry:\n  import numpy\nexcept \
         ImportError:\n  pass\nink.skills.list()\ninklings.get_page('{{ a }}').title\n",
    );
    let imports: Vec<_> = found.imports.iter().map(|one| (one.module.as_str(), one.guarded, one.span.line)).collect();
    assert_eq!(imports, [("os.path", false, 1), ("json", false, 1), (".", false, 3), ("numpy", true, 5)]);
    let uses: Vec<_> = found.uses.iter().map(|one| (one.name.as_str(), one.span.line, one.span.column)).collect();
    assert_eq!(uses, [("search", 2, 22), ("submit", 2, 30), ("skills.list", 8, 5), ("get_page", 9, 10)]);
    for (template, submits) in [
        ("import inklings\ninklings.submit(1)", true),
        ("import inklings\nf = inklings.submit\nf(1)", true),
        ("from inklings import *\nsubmit(1)", true),
        ("import inklings\ngetattr(inklings, 'submit')(1)", true),
        ("import inklings as i\nx = i", true),
        ("import inklings\ninklings.search('a')", false),
        ("from inklings import search\nsearch('a')", false),
        ("x = 'inklings.submit'", false),
        ("{% if %}", true),
    ] {
        assert_eq!(outline(template).submits, submits, "{template}");
    }
}
