//! What filters, tests and functions do, in a sentence each, for completion and hover texts.

const FILTERS: &[(&str, &str)] = &[
    ("abs", "The number without its sign."),
    ("attr", "A field by its name: user|attr(\"name\")."),
    ("batch", "Groups the items: batch(3, fill) gives lists of three."),
    ("bool", "Whether the value counts as true."),
    ("capitalize", "The first letter large, the others small."),
    ("chain", "Puts several lists or objects one after the other."),
    ("count", "The number of items or characters."),
    ("d", "Another name of default."),
    ("default", "A value to take where none is given: default(\"none\")."),
    ("dictsort", "Pairs of an object by key; by=\"value\", reverse=true, case_sensitive=true."),
    ("e", "Another name of escape. Prompts are text: nothing needs it."),
    ("escape", "Writes <, > and & as HTML does. Prompts are text: nothing needs it."),
    ("first", "The first item or character."),
    ("float", "The value as a number with decimals."),
    ("format", "Fills in a text: \"%s of %d\"|format(name, count)."),
    ("groupby", "Groups the items by a field, as pairs of value and list."),
    ("indent", "Moves every line but the first in: indent(4, first=true) the first too."),
    ("int", "The value as a whole number."),
    ("items", "Pairs of key and value, in order."),
    ("join", "Puts the items into one text: join(\", \", attribute=\"name\")."),
    ("last", "The last item or character."),
    ("length", "The number of items or characters."),
    ("lines", "The lines of a text."),
    ("list", "The items as a list."),
    ("lower", "In small letters."),
    ("map", "A field of each item, or a filter over each: map(attribute=\"name\"), map(\"upper\")."),
    ("max", "The largest item."),
    ("min", "The smallest item."),
    ("pprint", "The value as a person reads it, with its structure."),
    ("reject", "The items for which a test doesn't hold: reject(\"none\")."),
    ("rejectattr", "The items of whose field a test doesn't hold: rejectattr(\"done\")."),
    ("replace", "One text in place of another: replace(\"old\", \"new\")."),
    ("reverse", "The other way round."),
    ("round", "The number with so many decimals: round(2)."),
    ("safe", "Says that a text needs no escaping. Changes nothing in a prompt."),
    ("select", "The items for which a test holds: select(\"odd\")."),
    ("selectattr", "The items of whose field a test holds: selectattr(\"age\", \"gt\", 3)."),
    ("slice", "Deals the items into so many lists: slice(3)."),
    ("sort", "In order: sort(attribute=\"name\", reverse=true)."),
    ("split", "The parts of a text between separators: split(\",\")."),
    ("string", "The value as text."),
    ("sum", "The sum of the items: sum(attribute=\"price\")."),
    ("title", "Every word with a large first letter."),
    ("tojson", "The value as JSON: tojson(indent=2)."),
    ("trim", "Without blanks around it, or without the given characters."),
    ("unique", "Each item once: unique(attribute=\"name\")."),
    ("upper", "In large letters."),
    ("zip", "Pairs the items of several lists: names|zip(ages)."),
];

const TESTS: &[(&str, &str)] = &[
    ("boolean", "It is true or false."),
    ("defined", "It is given."),
    ("divisibleby", "The number can be divided: is divisibleby(3)."),
    ("endingwith", "The text ends so: is endingwith(\".md\")."),
    ("eq", "It equals this."),
    ("equalto", "It equals this."),
    ("escaped", "It is marked as safe."),
    ("even", "The number is even."),
    ("false", "It is false."),
    ("filter", "A filter has this name."),
    ("float", "It is a number with decimals."),
    ("ge", "It is greater or equal."),
    ("greaterthan", "It is greater."),
    ("gt", "It is greater."),
    ("in", "It is an item of the list, a key of the object or a part of the text."),
    ("int", "It is a whole number."),
    ("integer", "It is a whole number."),
    ("iterable", "It has items to go through."),
    ("le", "It is less or equal."),
    ("lessthan", "It is less."),
    ("lower", "All its letters are small."),
    ("lt", "It is less."),
    ("mapping", "It is an object."),
    ("ne", "It doesn't equal this."),
    ("none", "It is none."),
    ("number", "It is a number."),
    ("odd", "The number is odd."),
    ("safe", "It is marked as safe."),
    ("sameas", "It is the very same value, of the same type."),
    ("sequence", "It is a list."),
    ("startingwith", "The text starts so: is startingwith(\"#\")."),
    ("string", "It is a text."),
    ("test", "A test has this name."),
    ("true", "It is true."),
    ("undefined", "It is not given."),
    ("upper", "All its letters are large."),
];

const FUNCTIONS: &[(&str, &str)] = &[
    ("debug", "All values that the template sees, as text."),
    ("dict", "An object of its arguments: dict(a=1, b=2)."),
    ("namespace", "An object whose fields a loop may set: {% set ns = namespace(found=false) %}."),
    ("range", "Whole numbers: range(3) is 0, 1, 2; range(1, 10, 2) goes by two."),
];

fn of(table: &'static [(&'static str, &'static str)], name: &str) -> &'static str {
    table.iter().find(|(known, _)| *known == name).map_or("", |(_, text)| text)
}

/// What a filter does; empty when there is none of the name.
#[must_use]
pub fn filter(name: &str) -> &'static str {
    of(FILTERS, name)
}

/// When a test holds; empty when there is none of the name.
#[must_use]
pub fn test(name: &str) -> &'static str {
    of(TESTS, name)
}

/// What a function gives; empty when there is none of the name.
#[must_use]
pub fn function(name: &str) -> &'static str {
    of(FUNCTIONS, name)
}

#[cfg(test)]
mod tests {
    use crate::names;

    #[test]
    fn all_that_the_engine_has_is_explained_and_nothing_else() {
        let rows = |table: &[(&'static str, &str)]| table.iter().map(|(name, _)| *name).collect::<Vec<_>>();
        assert_eq!(rows(super::FILTERS), names::FILTERS);
        assert_eq!(rows(super::TESTS), names::TESTS);
        assert_eq!(rows(super::FUNCTIONS), names::FUNCTIONS);
        for (name, text) in super::FILTERS.iter().chain(super::TESTS).chain(super::FUNCTIONS) {
            assert!(text.ends_with('.') || text.ends_with(").") || text.ends_with("%}."), "{name}");
        }
    }
}
