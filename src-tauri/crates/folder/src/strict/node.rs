//! Parses tokens into strings, lists and mappings, and refuses what the reference validator refuses.

use std::collections::HashSet;

use super::Fault;
use super::scan::{Position, Scanner, Token};

/// Maximum nesting. The reference exceeds its recursion limit slightly above.
const MAX_DEPTH: usize = 250;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Node {
    /// A string. The dialect has no other scalars: `null` and `1` are strings.
    Text(String),
    /// A plain `=` or `<<`, which have a special meaning in YAML 1.1. As a value it isn't a string for the reference.
    Sign(String),
    List(Vec<Item>),
    Mapping(Vec<(Item, Item)>),
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Item {
    pub(super) node: Node,
    pub(super) position: Position,
}

impl Item {
    /// Description for messages.
    pub(super) const fn what(&self) -> &'static str {
        match self.node {
            Node::Text(_) => "a string",
            Node::Sign(_) => "a special YAML value",
            Node::List(_) => "a list",
            Node::Mapping(_) => "a mapping",
        }
    }
}

/// Parses a text with exactly one document.
pub(super) fn read(text: &str) -> Result<Item, Fault> {
    let mut parser = Parser { scanner: Scanner::new(text)?, depth: 0 };
    if let (Token::StreamEnd, position) = parser.scanner.peek()? {
        return Err(Fault::new(position, "the frontmatter is empty", "add name and description"));
    }
    let root = parser.node(false)?;
    if matches!(parser.scanner.peek()?.0, Token::DocumentEnd) {
        parser.scanner.next_token()?;
    }
    match parser.scanner.next_token()? {
        (Token::StreamEnd, _) => check(root),
        (token, position) => {
            Err(Fault::new(position, format!("unexpected {} after the end", token.name()), "remove it, or quote the value"))
        }
    }
}

struct Parser {
    scanner: Scanner,
    depth: usize,
}

impl Parser {
    /// `indentless`: whether a list may start at the column of its key.
    fn node(&mut self, indentless: bool) -> Result<Item, Fault> {
        let (token, position) = self.scanner.peek()?;
        if indentless && *token == Token::Entry {
            return self.nested(position, |parser| parser.entries(true));
        }
        match self.scanner.next_token()? {
            (Token::Scalar { text, plain }, position) => {
                let sign = plain && matches!(text.as_str(), "=" | "<<");
                Ok(Item { node: if sign { Node::Sign(text) } else { Node::Text(text) }, position })
            }
            (Token::List, position) => self.nested(position, |parser| parser.entries(false)),
            (Token::Mapping, position) => self.nested(position, Self::pairs),
            (token, position) => Err(Fault::new(position, format!("expected a value, found {}", token.name()), "quote the value")),
        }
    }

    fn nested(&mut self, position: Position, read: impl FnOnce(&mut Self) -> Result<Node, Fault>) -> Result<Item, Fault> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err(Fault::new(position, "the YAML is nested too deeply", "reduce the nesting"));
        }
        let node = read(self)?;
        self.depth -= 1;
        Ok(Item { node, position })
    }

    fn entries(&mut self, indentless: bool) -> Result<Node, Fault> {
        let mut items = Vec::new();
        while let (Token::Entry, position) = self.scanner.peek()? {
            self.scanner.next_token()?;
            let empty = match self.scanner.peek()?.0 {
                Token::Entry | Token::End => true,
                Token::Key | Token::Value => indentless,
                _ => false,
            };
            items.push(if empty { nothing(position) } else { self.node(false)? });
        }
        if !indentless {
            self.end("the list")?;
        }
        Ok(Node::List(items))
    }

    fn pairs(&mut self) -> Result<Node, Fault> {
        let mut pairs = Vec::new();
        loop {
            let key = match self.scanner.peek()? {
                (Token::Key, position) => {
                    self.scanner.next_token()?;
                    self.part(position)?
                }
                (Token::Value, position) => nothing(position),
                _ => break,
            };
            let value = match self.scanner.peek()? {
                (Token::Value, position) => {
                    self.scanner.next_token()?;
                    self.part(position)?
                }
                (_, position) => nothing(position),
            };
            pairs.push((key, value));
        }
        self.end("the keys")?;
        Ok(Node::Mapping(pairs))
    }

    /// The value after `?` or `:`, if any.
    fn part(&mut self, position: Position) -> Result<Item, Fault> {
        match self.scanner.peek()?.0 {
            Token::Key | Token::Value | Token::End => Ok(nothing(position)),
            _ => self.node(true),
        }
    }

    fn end(&mut self, what: &str) -> Result<(), Fault> {
        match self.scanner.next_token()? {
            (Token::End, _) => Ok(()),
            (token, position) => {
                let hint = "align it with the previous lines, or quote the value";
                Err(Fault::new(position, format!("expected {what} to continue, found {}", token.name()), hint))
            }
        }
    }
}

fn nothing(position: Position) -> Item {
    Item { node: Node::Text(String::new()), position }
}

/// Checks keys as the reference does. `<<` is removed without merging.
fn check(item: Item) -> Result<Item, Fault> {
    let Item { node, position } = item;
    let node = match node {
        Node::List(items) => Node::List(items.into_iter().map(check).collect::<Result<_, _>>()?),
        Node::Mapping(pairs) => Node::Mapping(keys(pairs)?),
        scalar => scalar,
    };
    Ok(Item { node, position })
}

fn keys(pairs: Vec<(Item, Item)>) -> Result<Vec<(Item, Item)>, Fault> {
    let mut unique = Vec::with_capacity(pairs.len());
    let mut seen = HashSet::new();
    let mut column = None;
    let mut merges = false;
    for (key, value) in pairs {
        let name = match key.node {
            Node::Sign(sign) if sign == "<<" => {
                if std::mem::replace(&mut merges, true) {
                    return Err(Fault::new(key.position, "duplicate key '<<'", "remove one of them"));
                }
                merged(value)?;
                continue;
            }
            Node::Text(text) | Node::Sign(text) => text,
            Node::List(_) => return Err(Fault::new(key.position, "a list can't be a key", "use a string as the key")),
            Node::Mapping(_) => return Err(Fault::new(key.position, "a mapping can't be a key", "use a string as the key")),
        };
        if matches!(value.node, Node::Mapping(_)) && *column.get_or_insert(value.position.column) != value.position.column {
            let hint = "use the same indentation as the previous mapping";
            return Err(Fault::new(value.position, "this mapping is indented differently from its siblings", hint));
        }
        if !seen.insert(name.clone()) {
            return Err(Fault::new(key.position, format!("duplicate key {name:?}"), "remove one of them"));
        }
        unique.push((Item { node: Node::Text(name), position: key.position }, check(value)?));
    }
    Ok(unique)
}

fn merged(value: Item) -> Result<(), Fault> {
    let position = value.position;
    let all = match value.node {
        Node::List(items) => items,
        _ => vec![value],
    };
    if all.iter().all(|one| matches!(one.node, Node::Mapping(_))) {
        all.into_iter().try_for_each(|one| check(one).map(drop))
    } else {
        Err(Fault::new(position, "'<<' has no mapping to merge", "quote '<<', or remove it"))
    }
}
