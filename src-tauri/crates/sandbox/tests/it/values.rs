//! Parameters and results.

use inklings_core::sandbox::{SandboxLimits, ScriptError};
use serde_json::json;

use crate::support::{Host, LOW, run, run_on, script};

#[tokio::test]
async fn a_result_comes_back_as_it_was_handed_in() {
    let outcome =
        run("inklings.submit({'a': [1, -2.5, 1e300, None, True, 'ä\\n😀'], 'b': (), 'z': {}, 'y': 2**64 - 1, 'x': -2**63})").await;
    let expected = json!({"a": [1, -2.5, 1e300, null, true, "ä\n😀"], "b": [], "z": {}, "y": u64::MAX, "x": i64::MIN});
    assert_eq!(outcome, Ok(expected));
}

#[tokio::test]
async fn values_are_globals_where_their_name_allows_it_and_all_are_in_params() {
    let mut script = script(
        "inklings.submit({
            'globals': [count, größe, match, ﬁn],
            'params': params,
            'kept': [__name__, callable(inklings.submit), callable(print), isinstance(params, dict), 'class' in globals(), '__doc__' in params],
        })",
    );
    let params = json!({"count": 3, "größe": "L", "match": 1, "fin": 9, "class": 5, "with-dash": 6, "params": 7, "inklings": 8, "__name__": 10, "__doc__": 1, "": 0});
    script.params = params.as_object().unwrap().clone();
    let value = run_on(&Host::deaf(), &script).await.unwrap().value;
    assert_eq!(value["globals"], json!([3, "L", 1, 9]));
    assert_eq!(value["params"], params);
    assert_eq!(value["kept"], json!(["__main__", true, true, true, false, true]));
}

#[tokio::test]
async fn the_standard_library_is_there() {
    let source = "
import collections, csv, dataclasses, datetime, decimal, difflib, enum, fractions, functools, hashlib, html.parser, itertools
import json, math, pickle, random, re, statistics, string, textwrap, tomllib, typing, unicodedata, uuid, xml.etree.ElementTree, zlib

@dataclasses.dataclass
class Point:
    x: int

inklings.submit([
    pickle.loads(pickle.dumps(Point(3))).x,
    hashlib.sha256(b'a').hexdigest()[:8],
    str(decimal.Decimal('0.1') + 1),
    datetime.date(2024, 2, 29).isoformat(),
    unicodedata.name('ä'),
    'ä'.encode('latin-1').hex(),
    xml.etree.ElementTree.fromstring('<a><b/></a>')[0].tag,
    random.random() != random.random(),
    uuid.uuid4() != uuid.uuid4(),
    datetime.datetime.now().year > 2000,
])";
    let expected = json!([3, "ca978112", "1.1", "2024-02-29", "LATIN SMALL LETTER A WITH DIAERESIS", "e4", "b", true, true, true]);
    assert_eq!(run(source).await, Ok(expected));
}

#[tokio::test]
async fn what_is_no_json_is_named_by_its_place() {
    for (value, why) in [
        ("{'a': [1, {2}]}", "result['a'][1] has the type set; use dict, list, str, int, float, bool or None"),
        ("{1: 2}", "result has the key 1 of type int; JSON keys must be strings"),
        ("[float('inf')]", "result[0] is inf, which isn't valid JSON"),
        ("2**64", "result is larger than 64 bits; convert it to a string"),
        ("'\\ud800'", "result contains a lone surrogate at index 0"),
    ] {
        let expected = ScriptError::BadResult { message: why.to_owned(), line: Some(2) };
        assert_eq!(expected.to_string(), format!("line 2: invalid result: {why}"));
        assert_eq!(run(&format!("value = {value}\ninklings.submit(value)")).await, Err(expected));
    }
}

#[tokio::test]
async fn a_result_is_held_to_its_bytes() {
    let mut script = script("inklings.submit('ä' * 49)");
    script.limits = SandboxLimits { result_bytes: 100, ..LOW };
    assert!(run_on(&Host::deaf(), &script).await.is_ok());
    script.source = "inklings.submit('ä' * 50)".to_owned();
    assert_eq!(run_on(&Host::deaf(), &script).await, Err(ScriptError::ResultTooLarge { bytes: 102, limit: 100 }));
}

#[tokio::test]
async fn what_is_printed_is_the_log_in_its_order() {
    let host = Host::deaf();
    let source = "
import sys, logging
print('one', 2, end='')
inklings.log('tw\\ud800o')
print(' and')
print('three', file=sys.stderr)
logging.warning('four')
print('five', end='')
inklings.submit(0)";
    run_on(&host, &script(source)).await.unwrap();
    assert_eq!(host.log(), "tw\\ud800o\none 2 and\nthree\nWARNING:root:four\nfive");
}

#[tokio::test]
async fn a_log_that_is_too_long_says_so_and_what_it_keeps_is_the_beginning() {
    let host = Host::deaf();
    run_on(&host, &script("for n in range(100_000): print('line', n)\ninklings.submit(0)")).await.unwrap();
    let log = host.log();
    assert!(log.starts_with("line 0\nline 1\n") && log.ends_with("\n[log truncated at 65536 bytes]\n"));
    assert!(log.len() <= 65536 && log.len() > 65500);
}

#[tokio::test]
async fn a_script_may_log_more_than_its_memory_holds() {
    for line in ["print('x' * 100_000)", "inklings.log('x' * 100_000)"] {
        let host = Host::deaf();
        let source = format!("for i in range(3_000):\n    {line}\ninklings.submit(0)");
        assert_eq!(run_on(&host, &script(&source)).await.map(|output| output.value), Ok(0.into()), "{line}");
        assert!(host.log().ends_with("[log truncated at 65536 bytes]\n"), "{line}");
    }
}
