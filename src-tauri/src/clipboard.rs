//! The system clipboard. Both functions must be called on the main thread.

pub(crate) fn put(text: &str) {
    gtk::Clipboard::get(&gtk::gdk::SELECTION_CLIPBOARD).set_text(text);
}

/// Passes the clipboard's text to `done`; None if it has no text or its owner doesn't answer.
pub(crate) fn get(done: impl FnOnce(Option<String>) + 'static) {
    gtk::Clipboard::get(&gtk::gdk::SELECTION_CLIPBOARD).request_text(move |_, text| done(text.map(str::to_owned)));
}
