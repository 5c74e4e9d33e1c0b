use std::collections::HashSet;

use inklings_search::{Weights, terms};

use crate::labelled::{GROUPS, Half, Method, Set, model};

#[test]
fn meanings_are_compared() {
    let model = model();
    let skill = model.document("Link Auditor", "Finds broken links between notes.").unwrap();
    let cosine = |text: &str| model.query(text).unwrap().dot(&skill);
    assert!(cosine("Which references lead nowhere?") > cosine("Bake a cake for twelve guests") + 0.1);
    let again = model.query("Which references lead nowhere?").unwrap();
    assert_eq!(model.query("Which references lead nowhere?").unwrap(), again, "the same each time");
    assert!(model.query("").is_ok() && model.query(&"word ".repeat(5_000)).is_ok());
}

#[test]
fn a_single_word_of_several_tokens_has_a_vector() {
    let model = model();
    let longest = "x9".repeat(50);
    for word in ["xlsx", "pptx", "nginx", "k8s", longest.as_str()] {
        let vector = model.query(word).unwrap();
        assert_eq!(model.query(&format!("  {word}")).unwrap(), vector, "blanks aren't tokens: {word}");
        assert!(model.document(word, word).is_ok() && model.document(word, "").is_ok(), "{word}");
    }
    assert!(model.query("Which references lead nowhere?").is_ok(), "the model still answers");
}

#[test]
fn the_first_48_tokens_of_a_message_count() {
    let model = model();
    let query = |words: usize, last: &str| model.query(&format!("{}{last}", "word ".repeat(words))).unwrap();
    // Each of these words is a token, and two more mark the ends of the text.
    let whole = query(46, "");
    assert_eq!(query(46, "music"), whole);
    assert_ne!(query(45, "music"), whole);
}

#[test]
fn the_right_skill_is_found_by_other_words_and_none_if_none_fits() {
    let set = Set::load();
    assert!(set.skills.len() >= 150 && set.requests.len() >= 300);
    let shared = set.requests.iter().filter(|(request, _)| request.group == "paraphrase").filter_map(|(request, _)| {
        let skill = set.skills.iter().find(|skill| Some(&skill.slug) == request.skill.as_ref()).unwrap();
        let of_skill: HashSet<String> = terms(&format!("{} {}", skill.name, skill.description)).into_iter().collect();
        let shared: Vec<_> = terms(&request.query).into_iter().filter(|term| of_skill.contains(term)).collect();
        (!shared.is_empty()).then(|| format!("{:?} shares {shared:?} with {}", request.query, skill.slug))
    });
    assert_eq!(shared.collect::<Vec<_>>(), [""; 0], "a paraphrase has other words than its skill");
    let [words, meaning, both] =
        [Method::Words, Method::Meaning, Method::Both].map(|method| set.evaluate(method, Half::Test, Weights::default()));
    for group in GROUPS {
        let one = 1.0 / f64::from(u32::try_from(both[group].count).unwrap());
        assert!(both[group].at_1 > meaning[group].at_1 - 1.5 * one, "{group}: {:?} beside {:?}", both[group], meaning[group]);
        assert!(both[group].at_1 > words[group].at_1 - 1.5 * one, "{group}: {:?} beside {:?}", both[group], words[group]);
    }
    assert!(both["paraphrase"].at_5 > 0.6 && both["direct"].at_1 > 0.97, "{both:?}");
    let (silent, wrongly) = set.silent(Method::Both, Half::Test, Weights::default());
    assert!(silent >= 0.7 && wrongly <= 0.15, "{silent} {wrongly}");
}
