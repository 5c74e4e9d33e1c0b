//! Queries as typed by people.

use inklings_core::pages::Pages;
use proptest::prelude::*;

use crate::{Workspace, found, refresh};

#[test]
fn operators_and_signs_are_words_like_others() {
    let workspace = Workspace::new(&[("a.md", "the NEAR cat AND dog: c++ isn't \"quoted\""), ("b.md", "bird")]);
    let index = workspace.index();
    for query in ["near", "cat AND", "NEAR(cat", "\"quoted", "title:cat OR a", "isn't", "c++", "ca*", "-cat", "^the", "{the cat}", "cat\0"]
    {
        assert!(found(&index, query).contains(&"a".to_owned()), "{query}");
    }
    for query in ["", "  ", "\"", "***", "()", "birdsong", "bir "] {
        assert_eq!(found(&index, query), Vec::<String>::new(), "{query}");
    }
    assert_eq!(index.search("cat", 0).unwrap(), []);
}

#[test]
fn titles_win_also_among_very_many_pages() {
    let workspace = Workspace::new(&[("first.md", "# Common\nwords"), ("tagged.md", "words #common")]);
    let index = workspace.index();
    refresh(&index);
    for n in 0..1_500 {
        workspace.write(&format!("{n}.md"), "common words");
    }
    refresh(&index);
    assert_eq!(found(&index, "common")[..2], ["first", "tagged"]);
    assert_eq!(found(&index, "comm")[..2], ["first", "tagged"]);
    assert_eq!(found(&index, "co"), ["first", "tagged"]);
    assert_eq!(index.search("words", 1_000).unwrap().len(), 1_000);
}

#[test]
fn scripts_without_blanks_are_found_in_part() {
    let workspace = Workspace::new(&[
        ("ja.md", "吾輩は猫である。名前はまだ無い。Rust言語"),
        ("ko.md", "고양이가 잔다"),
        ("th.md", "แมวนอนหลับ"),
        ("zh.md", "我喜欢猫"),
    ]);
    let index = workspace.index();
    assert_eq!(found(&index, "名前"), ["ja"]);
    assert_eq!(found(&index, "言語"), ["ja"]);
    assert_eq!(found(&index, "rust"), ["ja"]);
    assert_eq!(found(&index, "前名"), Vec::<String>::new());
    assert_eq!(found(&index, "양이"), ["ko"]);
    assert_eq!(found(&index, "นอน"), ["th"]);
    let mut cats = found(&index, "猫");
    cats.sort();
    assert_eq!(cats, ["ja", "zh"]);
    assert_eq!(index.search("名前", 1).unwrap()[0].snippet, "吾輩は猫である。名前はまだ無い。Rust言語");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn any_text_can_be_searched_for(texts in proptest::collection::vec(r#"[\PC\x00-\x20"*():^{}+-]{0,40}"#, 1..24)) {
        let workspace = Workspace::new(&[("a.md", "some words"), ("b.md", "漢字 मराठी e\u{301}")]);
        let index = workspace.index();
        for text in texts {
            prop_assert!(index.search(&text, 10).is_ok(), "{:?}", text);
            // A page is found by its own text.
            workspace.write("c.md", &text);
            let _ = index.page(&text);
        }
    }
}
