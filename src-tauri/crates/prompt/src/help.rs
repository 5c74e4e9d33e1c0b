//! Descriptions of filters, tests and functions, for completion and hover texts.

const FILTERS: &[(&str, &str)] = &[
    ("abs", "Absolute value of the number."),
    ("attr", "Gets an attribute by name: user|attr(\"name\")."),
    ("batch", "Groups the items: batch(3, fill) returns lists of three."),
    ("bool", "Converts the value to a boolean."),
    ("capitalize", "Converts the first character to uppercase and the rest to lowercase."),
    ("chain", "Concatenates lists or objects."),
    ("count", "Alias of length."),
    ("d", "Alias of default."),
    ("default", "Fallback for an undefined value: default(\"none\")."),
    ("dictsort", "Sorts an object by key; by=\"value\", reverse=true, case_sensitive=true."),
    ("e", "Alias of escape. Not needed in prompts, which are plain text."),
    ("escape", "Escapes <, > and & for HTML. Not needed in prompts, which are plain text."),
    ("first", "First item or character."),
    ("float", "Converts the value to a floating-point number."),
    ("format", "Formats a string: \"%s of %d\"|format(name, count)."),
    ("groupby", "Groups the items by an attribute, as pairs of value and list."),
    ("indent", "Indents every line except the first: indent(4, first=true) indents all lines."),
    ("int", "Converts the value to an integer."),
    ("items", "Key-value pairs of an object, in order."),
    ("join", "Joins the items into a string: join(\", \", attribute=\"name\")."),
    ("last", "Last item or character."),
    ("length", "Number of items or characters."),
    ("lines", "Splits a string into lines."),
    ("list", "Converts the value to a list."),
    ("lower", "Converts to lowercase."),
    ("map", "Gets an attribute of each item, or applies a filter: map(attribute=\"name\"), map(\"upper\")."),
    ("max", "Largest item."),
    ("min", "Smallest item."),
    ("pprint", "Pretty-prints the value."),
    ("reject", "Removes items that pass a test: reject(\"none\")."),
    ("rejectattr", "Removes items whose attribute passes a test: rejectattr(\"done\")."),
    ("replace", "Replaces a substring: replace(\"old\", \"new\")."),
    ("reverse", "Reverses the order."),
    ("round", "Rounds to a number of decimal places: round(2)."),
    ("safe", "Marks a string as safe. No effect in prompts."),
    ("select", "Keeps items that pass a test: select(\"odd\")."),
    ("selectattr", "Keeps items whose attribute passes a test: selectattr(\"age\", \"gt\", 3)."),
    ("slice", "Distributes the items over a number of lists: slice(3)."),
    ("sort", "Sorts the items: sort(attribute=\"name\", reverse=true)."),
    ("split", "Splits a string at a separator: split(\",\")."),
    ("string", "Converts the value to a string."),
    ("sum", "Sum of the items: sum(attribute=\"price\")."),
    ("title", "Converts to title case."),
    ("tojson", "Serializes the value as JSON: tojson(indent=2)."),
    ("trim", "Removes leading and trailing whitespace, or the given characters."),
    ("unique", "Removes duplicate items: unique(attribute=\"name\")."),
    ("upper", "Converts to uppercase."),
    ("zip", "Pairs the items of several lists: names|zip(ages)."),
];

const TESTS: &[(&str, &str)] = &[
    ("boolean", "True if the value is a boolean."),
    ("defined", "True if the variable is defined."),
    ("divisibleby", "True if the number is divisible: is divisibleby(3)."),
    ("endingwith", "True if the string ends with another: is endingwith(\".md\")."),
    ("eq", "True if the values are equal."),
    ("equalto", "Alias of eq."),
    ("escaped", "True if the string is marked as safe."),
    ("even", "True if the number is even."),
    ("false", "True if the value is false."),
    ("filter", "True if a filter of this name exists."),
    ("float", "True if the value is a floating-point number."),
    ("ge", "True if greater than or equal."),
    ("greaterthan", "Alias of gt."),
    ("gt", "True if greater."),
    ("in", "True if contained in a list, an object or a string."),
    ("int", "True if the value is an integer."),
    ("integer", "Alias of int."),
    ("iterable", "True if the value can be iterated over."),
    ("le", "True if less than or equal."),
    ("lessthan", "Alias of lt."),
    ("lower", "True if the string is lowercase."),
    ("lt", "True if less."),
    ("mapping", "True if the value is an object."),
    ("ne", "True if the values aren't equal."),
    ("none", "True if the value is none."),
    ("number", "True if the value is a number."),
    ("odd", "True if the number is odd."),
    ("safe", "Alias of escaped."),
    ("sameas", "True if both are the same value of the same type."),
    ("sequence", "True if the value is a list."),
    ("startingwith", "True if the string starts with another: is startingwith(\"#\")."),
    ("string", "True if the value is a string."),
    ("test", "True if a test of this name exists."),
    ("true", "True if the value is true."),
    ("undefined", "True if the variable is undefined."),
    ("upper", "True if the string is uppercase."),
];

const FUNCTIONS: &[(&str, &str)] = &[
    ("debug", "All variables of the template, as text."),
    ("dict", "Creates an object from keyword arguments: dict(a=1, b=2)."),
    ("namespace", "Creates an object whose attributes can be set in a loop: {% set ns = namespace(found=false) %}."),
    ("range", "Integers: range(3) is 0, 1, 2; range(1, 10, 2) has a step of two."),
];

fn of(table: &'static [(&'static str, &'static str)], name: &str) -> &'static str {
    table.iter().find(|(known, _)| *known == name).map_or("", |(_, text)| text)
}

/// Empty if the filter is unknown.
#[must_use]
pub fn filter(name: &str) -> &'static str {
    of(FILTERS, name)
}

/// Empty if the test is unknown.
#[must_use]
pub fn test(name: &str) -> &'static str {
    of(TESTS, name)
}

/// Empty if the function is unknown.
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
