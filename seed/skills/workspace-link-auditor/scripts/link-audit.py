"""Audit the links of the workspace: broken targets, orphan pages, duplicate titles. Needs no model."""

import difflib
import re
from functools import cache

import inklings

entry_pages = params.get("entry_pages")
if entry_pages is None:
    entry_pages = ["index", "home", "readme", "start"]
entry_pages = {name.casefold() for name in entry_pages}
max_pages = int(params.get("max_pages") or 5000)

# Names compared per suggestion. Comparing all names takes too long in a large workspace.
CANDIDATES = 150


def stem(slug):
    return slug.rsplit("/", 1)[-1].casefold()


def key(name):
    """Names that differ only by case, path, ending or punctuation compare equal."""
    name = re.sub(r"\.(md|markdown)$", "", name.split("#")[0].strip(), flags=re.IGNORECASE)
    return re.sub(r"[\W_]+", "-", name.rsplit("/", 1)[-1].casefold()).strip("-")


def pieces(name):
    """Trigrams. Names that differ by one or two letters share some."""
    name = f"-{name}-"
    return {name[at:at + 3] for at in range(len(name) - 2)}


inklings.progress(0.0, "Listing pages")
# An empty query lists all pages. One more than the limit shows whether there are more.
listed = inklings.search("", max_pages + 1)
truncated = len(listed) > max_pages
titles = {page["slug"]: page["title"] for page in listed[:max_pages]}

references = {}
for slug in titles:
    if len(references) % 25 == 0:
        inklings.progress(0.9 * len(references) / len(titles), f"{len(references)} of {len(titles)} pages checked")
    try:
        references[slug] = inklings.get_references(slug)
    except LookupError as error:
        inklings.log(f"page removed during the audit: {error}")

slugs = sorted(references)
names = {}
for slug in slugs:
    for name in (slug, titles[slug]):
        if key(name):
            names.setdefault(key(name), slug)
with_piece = {}
for name in names:
    for piece in pieces(name):
        with_piece.setdefault(piece, []).append(name)


@cache
def suggestion(wanted):
    """The page with the closest name, of those that share its rarest pieces."""
    shared = {}
    for piece in sorted(pieces(wanted), key=lambda piece: (len(with_piece.get(piece, ())), piece)):
        for name in with_piece.get(piece, ())[:CANDIDATES - len(shared)]:
            shared[name] = True
    close = difflib.get_close_matches(wanted, shared, n=1, cutoff=0.8)
    return names[close[0]] if close else None


inklings.progress(0.9, "Finding suggestions for broken links")
broken_links = [
    {"page": slug, "line": link["line"], "target": link["target"], "suggestion": suggestion(key(link["target"]))}
    for slug in slugs
    for link in references[slug]["broken"]
]
orphans = [
    {"page": slug, "title": titles[slug]}
    for slug in slugs
    if all(link["slug"] == slug for link in references[slug]["in"]) and stem(slug) not in entry_pages
]
by_title = {}
for slug in slugs:
    by_title.setdefault(titles[slug].strip().casefold(), []).append(slug)
duplicate_titles = [
    {"title": titles[found[0]], "pages": found}
    for _, found in sorted(by_title.items())
    if len(found) > 1
]

summary = {
    "pages": len(slugs),
    "links": sum(len(found["out"]) + len(found["broken"]) for found in references.values()),
    "broken_links": len(broken_links),
    "orphans": len(orphans),
    "duplicate_titles": len(duplicate_titles),
    "truncated": truncated,
}
inklings.progress(1.0, f"{summary['pages']} pages, {summary['broken_links']} broken links, {summary['orphans']} orphans")
inklings.submit({
    "summary": summary,
    "broken_links": broken_links,
    "orphans": orphans,
    "duplicate_titles": duplicate_titles,
})
