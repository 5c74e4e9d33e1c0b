use super::*;

/// The zone of each `@` in a text.
fn zones(text: &str) -> Vec<Zone> {
    let spans: Vec<_> = text.match_indices('@').map(|(at, _)| at..at + 1).collect();
    lex(text, &spans).zones
}

fn word(zone: Zone) -> &'static str {
    match zone {
        Zone::Code { interpolated: false } => "code",
        Zone::Code { interpolated: true } => "braces",
        Zone::Comment => "comment",
        Zone::Broken => "broken",
        Zone::Text(text) => match (text.kind, text.before) {
            (Kind::Plain, Before::Nothing) => "text",
            (Kind::Plain, Before::OpenEscape) => "open",
            (Kind::Plain, Before::Octal) => "octal",
            (Kind::Raw, _) => "raw",
            (Kind::Bytes, _) => "bytes",
            (Kind::Format, _) => "format",
        },
    }
}

#[test]
fn zones_are_those_of_python() {
    for (text, expected) in [
        ("@ '@' \"@\" '''@''' \"\"\"@\"\"\" @", "code text text text text code"),
        ("r'@' R\"@\" b'@' rb'@' Br'@' f'@' Rf'@' t'@' u'@' @", "raw raw bytes bytes bytes format format format text code"),
        ("'it\\'s @' @", "text code"),
        ("r'\\' @' @", "raw code"),
        ("'\\\\' @", "code"),
        ("'''a\n'b' \"@\" ''@''' @", "text text code"),
        ("# '@\n@ # \" @\r@", "comment code comment code"),
        ("'a\n@", "broken"),
        ("'a\\\n@' @", "text code"),
        ("'a\\\r\n@' @", "text code"),
        ("'''a @", "text"),
        ("'\\@' '\\x@' '\\x4@' '\\x41@' '\\u004@' '\\N{@}' '\\N{DASH}@' '\\N@' @", "open open open text open open text open code"),
        ("'\\1@' '\\12@' '\\123@' '\\8@' '\\0@'", "octal octal text text octal"),
        ("f'{@}' @", "braces code"),
        ("f'{{@}}' @", "format code"),
        ("f'{d['@']}' @", "text code"),
        ("f'{d[\"@\"]:@}@' @", "text format format code"),
        ("f'{a:{@}@}@' @", "braces format format code"),
        ("f'{a:{b:{@}}@}@' @", "braces format format code"),
        ("f'{(lambda: @)}' @", "braces code"),
        ("f'{x!r:@}' @", "format code"),
        ("f'\\{@}' f'\\N{@}' f'\\N{DASH}{@}'", "braces format braces"),
        ("f'{f'{@}@'}@' @", "braces format format code"),
        ("f'{ {1: @} }' @", "braces code"),
        ("f'''{\n@ # }' @\n}''' @", "braces comment code"),
        ("fb'@' @", "text code"),
        ("1f'@' @", "text code"),
        ("x.f'@'", "format"),
        ("''@''", "code"),
        ("'''''' @ ''", "code"),
    ] {
        let found: Vec<_> = zones(text).into_iter().map(word).collect();
        assert_eq!(found.join(" "), expected, "{text}");
    }
}

#[test]
fn faults_of_quotes_and_brackets() {
    for (text, expected) in [
        ("a = (1, [2])", None),
        ("a = (1, [2)", Some(Fault::Unmatched { bracket: ')', at: 10, open: Some('[') })),
        ("a)", Some(Fault::Unmatched { bracket: ')', at: 1, open: None })),
        ("a = ('(', {1}", Some(Fault::Unclosed { bracket: '(', at: 4 })),
        ("a = 'x\nb", Some(Fault::OpenString { range: 4..5, triple: false })),
        ("a = f'{x", Some(Fault::OpenString { range: 4..6, triple: false })),
        ("f'{a[1]}' # (", None),
    ] {
        assert_eq!(lex(text, &[]).fault, expected, "{text}");
    }
}
