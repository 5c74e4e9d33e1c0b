//! The system's clipboard. Both functions are for the thread of the windows.

pub(crate) fn put(text: &str) {
    gtk::Clipboard::get(&gtk::gdk::SELECTION_CLIPBOARD).set_text(text);
}

/// Gives `done` the text on it; none when it holds something else, or when the program that has it doesn't answer.
pub(crate) fn get(done: impl FnOnce(Option<String>) + 'static) {
    gtk::Clipboard::get(&gtk::gdk::SELECTION_CLIPBOARD).request_text(move |_, text| done(text.map(str::to_owned)));
}
