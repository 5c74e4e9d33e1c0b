"""Collect every dated statement of the workspace, with page and line. Needs no model."""

import re

import inklings

page_types = params.get("page_types") or []
queries = params.get("queries") or []
max_events = int(params.get("max_events") or 200)

ERA = r"(?:BCE|CE|BC|AD|[A-Z]{2})"
YEAR = re.compile(r"\b(?P<year>\d{1,5})\s?(?P<era>" + ERA + r")\b|\b(?P<plain>1\d{3}|20\d{2})\b")
# A bare number is a year only after a word that announces one.
BARE = re.compile(r"\b(?:in|since|until|by|from|year|winter of|summer of|spring of|autumn of)\s+(?P<bare>\d{3,4})\b(?!\s?(?:%|[A-Z]{2}\b))")
UNITS = {"KB", "MB", "GB", "TB", "MM", "CM", "KM", "KG", "UK", "US", "EU", "AM", "PM"}
TENS = r"(?:twen|thir|for|fif|six|seven|eigh|nine)ty(?:[- ](?:one|two|three|four|five|six|seven|eight|nine))?"
AGE = r"(?:\d{1,3}|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\w+teen|" + TENS + r")"
COUNT = r"(?:an?|one|(?:a|one) hundred|" + AGE + r")"
SPAN = re.compile(
    r"\b" + COUNT + r"\s+(?:years?|months?|weeks?|days?|generations?|centur(?:y|ies))\s+(?:later|earlier|before|after|afterwards|ago|old|since)\b"
    r"|\b(?:aged?|turned|at)\s+" + AGE + r"\b(?!\s+(?:years|months|weeks|days|per\b|%))"
    r"|\b(?:he|she|they)\s+(?:was|were|is|are)\s+(?:only\s+|then\s+)?" + AGE + r"\b"
    r"|\b" + AGE + r"(?:\s+years?\s+(?:of age|old)|-year-old)\b",
    re.IGNORECASE,
)


def sentences(line):
    return [part.strip() for part in re.split(r"(?<=[.!?])\s+(?=[A-Z\"'\[])", line) if part.strip()]


pages = {}
for page_type in page_types:
    for page in inklings.get_pages_by_type(page_type):
        pages[page["slug"]] = page["title"]
for query in queries:
    for hit in inklings.search(query, limit=100):
        pages.setdefault(hit["slug"], hit["title"])
if not page_types and not queries:
    # An empty query lists all pages, up to the limit.
    pages = {page["slug"]: page["title"] for page in inklings.search("", limit=100_000)}
inklings.log(f"{len(pages)} pages to search for dates")

events = []
slugs = sorted(pages)
for start in range(0, len(slugs), 50):
    inklings.progress(start / len(slugs), f"{len(events)} dated statements so far")
    for page in inklings.get_pages(slugs[start:start + 50]):
        for number, line in enumerate(str(page).split("\n"), page["body_line"]):
            for text in sentences(line):
                dated = False
                for match in list(YEAR.finditer(text)) + list(BARE.finditer(text)):
                    found = match.groupdict()
                    if found.get("era") in UNITS:
                        continue
                    year = int(found.get("year") or found.get("plain") or found.get("bare"))
                    era = found.get("era") or ""
                    before = era in ("BC", "BCE")
                    entry = {
                        "page": page["title"],
                        "slug": page["slug"],
                        "line": number,
                        "kind": "absolute",
                        "when": f"{year} {era}".strip(),
                        "sort": -year if before else year,
                        "text": text[:300],
                    }
                    if entry not in events:
                        events.append(entry)
                    dated = True
                if not dated and SPAN.search(text):
                    events.append({
                        "page": page["title"],
                        "slug": page["slug"],
                        "line": number,
                        "kind": "relative",
                        "when": "no year given",
                        "sort": None,
                        "text": text[:300],
                    })

absolute = sorted((entry for entry in events if entry["kind"] == "absolute"), key=lambda entry: (entry["sort"], entry["slug"], entry["line"]))
relative = [entry for entry in events if entry["kind"] == "relative"]
ordered = absolute + relative
if len(ordered) > max_events:
    inklings.log(f"{len(ordered)} statements, only the first {max_events} are used; set page_types or raise max_events")

inklings.progress(1.0, f"{len(absolute)} dates, {len(relative)} relative statements")
inklings.submit({
    "events": ordered[:max_events],
    "absolute": len(absolute),
    "relative": len(relative),
    "left_out": max(0, len(ordered) - max_events),
    "pages_searched": len(slugs),
})
