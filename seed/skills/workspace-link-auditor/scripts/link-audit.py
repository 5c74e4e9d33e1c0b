"""Audit the links of the workspace: broken targets, orphan pages, duplicate titles. Needs no model."""

import difflib
import re

import inklings

entry_pages = {name.casefold() for name in params.get("entry_pages") or ["index", "home", "readme", "start"]}
max_pages = int(params.get("max_pages") or 5000)

# There is no call that lists everything, so cast several nets and follow every link from what they catch.
COMMON_WORDS = ["the", "a", "and", "of", "to", "in", "is", "it", "for", "on"]
COMMON_TYPES = [
    "page", "note", "index", "home", "character", "person", "place", "location", "event", "timeline",
    "object", "item", "faction", "organisation", "organization", "concept", "project", "goal", "task",
    "meeting", "reference", "document", "journal",
]
BATCH = 50


def field(item, name, default=None):
    """A value of a page, a search hit or a reference, whichever form the host gives it."""
    if isinstance(item, dict):
        return item.get(name, default)
    if type(item) is str:
        return default
    return getattr(item, name, default)


def slug_of(item):
    slug = field(item, "slug")
    return slug if slug else str(item)


def target_of(item):
    for name in ("target", "text", "slug"):
        value = field(item, name)
        if value:
            return str(value)
    return str(item)


def stem(slug):
    return slug.rsplit("/", 1)[-1].casefold()


def key(name):
    """Names that differ only by case, path, ending or punctuation compare equal."""
    name = re.sub(r"\.(md|markdown)$", "", name.split("#")[0].strip(), flags=re.IGNORECASE)
    return re.sub(r"[\W_]+", "-", name.rsplit("/", 1)[-1].casefold()).strip("-")


def attempt(call, *arguments):
    try:
        return list(call(*arguments))
    except Exception as error:
        inklings.log(f"{call.__name__} {arguments}: {error}")
        return []


titles = {}
types = set(COMMON_TYPES)


def note(items):
    for item in items:
        slug = slug_of(item)
        if slug not in titles or not titles[slug]:
            titles[slug] = field(item, "title") or titles.get(slug) or ""
        if field(item, "type"):
            types.add(field(item, "type"))


inklings.progress(0.0, "Finding pages")
for word in COMMON_WORDS + [tag.lstrip("#") for tag in inklings.get_tags()]:
    note(attempt(inklings.search, word, 500))
for page_type in sorted(types):
    note(attempt(inklings.get_pages_by_type, page_type))

references = {}
queue = sorted(titles)
while queue and len(references) < max_pages:
    slug = queue.pop()
    if slug in references:
        continue
    found = inklings.get_references(slug)
    references[slug] = {
        "out": sorted({slug_of(item) for item in found["out"]}),
        "in": sorted({slug_of(item) for item in found["in"]}),
        "broken": [target_of(item) for item in found["broken"]],
    }
    queue.extend(other for other in references[slug]["out"] + references[slug]["in"] if other not in references)
    if len(references) % 25 == 0:
        inklings.progress(0.7 * len(references) / (len(references) + len(queue)), f"{len(references)} pages followed")
truncated = bool(queue)

slugs = sorted(references)
bodies = {}
for start in range(0, len(slugs), BATCH):
    inklings.progress(0.7 + 0.3 * start / len(slugs), "Reading pages")
    for page in inklings.get_pages(slugs[start:start + BATCH]):
        slug = slug_of(page)
        bodies[slug] = str(page)
        titles[slug] = field(page, "title") or titles.get(slug) or slug

names = {}
for slug in slugs:
    for name in (slug, titles.get(slug) or ""):
        if key(name):
            names.setdefault(key(name), slug)


def line_of(slug, target):
    wanted = target.split("#")[0].casefold()
    for number, line in enumerate(bodies.get(slug, "").splitlines(), 1):
        if wanted in line.casefold() and ("[[" in line or "](" in line):
            return number
    return None


def suggestion(target):
    close = difflib.get_close_matches(key(target), list(names), n=1, cutoff=0.8)
    return names[close[0]] if close else None


broken_links = [
    {"page": slug, "line": line_of(slug, target), "target": target, "suggestion": suggestion(target)}
    for slug in slugs
    for target in references[slug]["broken"]
]
orphans = [
    {"page": slug, "title": titles.get(slug) or slug}
    for slug in slugs
    if not [other for other in references[slug]["in"] if other != slug] and stem(slug) not in entry_pages
]
by_title = {}
for slug in slugs:
    by_title.setdefault((titles.get(slug) or slug).strip().casefold(), []).append(slug)
duplicate_titles = [
    {"title": titles.get(found[0]) or found[0], "pages": found}
    for _, found in sorted(by_title.items())
    if len(found) > 1
]

summary = {
    "pages": len(slugs),
    "links": sum(len(entry["out"]) for entry in references.values()) + len(broken_links),
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
