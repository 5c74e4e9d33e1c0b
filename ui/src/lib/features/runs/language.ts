// The chart library formats numbers in `navigator.language` as soon as it is loaded, and throws when that isn't a language: in
// the C locale the web view says "C". This must be imported before it.
try {
  Intl.getCanonicalLocales(navigator.language);
} catch {
  Object.defineProperty(navigator, 'language', { value: 'en', configurable: true });
}
