//! Tokens as texts, lists and mappings, with what the reference refuses of them.

use std::collections::HashSet;

use super::Fault;
use super::scan::{Position, Scanner, Token};

/// Nested values; the reference runs out of stack a little above.
const MAX_DEPTH: usize = 250;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Node {
    /// A text. There are no other scalars: `null` and `1` are texts.
    Text(String),
    /// A lone `=` or `<<`, which YAML 1.1 gives a meaning of its own: as a value no text to the reference.
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
    /// What it is, for people.
    pub(super) const fn what(&self) -> &'static str {
        match self.node {
            Node::Text(_) => "a text",
            Node::Sign(_) => "a sign that YAML gives a meaning",
            Node::List(_) => "a list",
            Node::Mapping(_) => "a mapping",
        }
    }
}

/// The one document of a text.
pub(super) fn read(text: &str) -> Result<Item, Fault> {
    let mut parser = Parser { scanner: Scanner::new(text)?, depth: 0 };
    if let (Token::StreamEnd, position) = parser.scanner.peek()? {
        return Err(Fault::new(position, "the frontmatter is empty", "give name and description"));
    }
    let root = parser.node(false)?;
    if matches!(parser.scanner.peek()?.0, Token::DocumentEnd) {
        parser.scanner.take()?;
    }
    match parser.scanner.take()? {
        (Token::StreamEnd, _) => check(root),
        (token, position) => {
            Err(Fault::new(position, format!("{} stands behind the end", token.name()), "remove it, or put the text in quotes"))
        }
    }
}

struct Parser {
    scanner: Scanner,
    depth: usize,
}

impl Parser {
    /// `indentless`: a list may stand at the column of the key before it.
    fn node(&mut self, indentless: bool) -> Result<Item, Fault> {
        let (token, position) = self.scanner.peek()?;
        if indentless && *token == Token::Entry {
            return self.nested(position, |parser| parser.entries(true));
        }
        match self.scanner.take()? {
            (Token::Scalar { text, plain }, position) => {
                let sign = plain && matches!(text.as_str(), "=" | "<<");
                Ok(Item { node: if sign { Node::Sign(text) } else { Node::Text(text) }, position })
            }
            (Token::List, position) => self.nested(position, |parser| parser.entries(false)),
            (Token::Mapping, position) => self.nested(position, Self::pairs),
            (token, position) => {
                Err(Fault::new(position, format!("{} stands where a value should", token.name()), "put the text in quotes"))
            }
        }
    }

    fn nested(&mut self, position: Position, read: impl FnOnce(&mut Self) -> Result<Node, Fault>) -> Result<Item, Fault> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err(Fault::new(position, "the values are nested too deeply", "flatten them"));
        }
        let node = read(self)?;
        self.depth -= 1;
        Ok(Item { node, position })
    }

    fn entries(&mut self, indentless: bool) -> Result<Node, Fault> {
        let mut items = Vec::new();
        while let (Token::Entry, position) = self.scanner.peek()? {
            self.scanner.take()?;
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
                    self.scanner.take()?;
                    self.part(position)?
                }
                (Token::Value, position) => nothing(position),
                _ => break,
            };
            let value = match self.scanner.peek()? {
                (Token::Value, position) => {
                    self.scanner.take()?;
                    self.part(position)?
                }
                (_, position) => nothing(position),
            };
            pairs.push((key, value));
        }
        self.end("the keys")?;
        Ok(Node::Mapping(pairs))
    }

    /// What stands behind `?` or `:`, if anything does.
    fn part(&mut self, position: Position) -> Result<Item, Fault> {
        match self.scanner.peek()?.0 {
            Token::Key | Token::Value | Token::End => Ok(nothing(position)),
            _ => self.node(true),
        }
    }

    fn end(&mut self, what: &str) -> Result<(), Fault> {
        match self.scanner.take()? {
            (Token::End, _) => Ok(()),
            (token, position) => {
                let hint = "indent it like the lines before it, or put the text in quotes";
                Err(Fault::new(position, format!("{} stands where {what} should go on", token.name()), hint))
            }
        }
    }
}

fn nothing(position: Position) -> Item {
    Item { node: Node::Text(String::new()), position }
}

/// What the reference refuses of keys, and takes away: `<<` merges, but nothing is read through it.
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
    let mut kept = Vec::with_capacity(pairs.len());
    let mut seen = HashSet::new();
    let mut column = None;
    let mut merges = false;
    for (key, value) in pairs {
        let name = match key.node {
            Node::Sign(sign) if sign == "<<" => {
                if std::mem::replace(&mut merges, true) {
                    return Err(Fault::new(key.position, "'<<' is given twice", "remove one of them"));
                }
                merged(value)?;
                continue;
            }
            Node::Text(text) | Node::Sign(text) => text,
            Node::List(_) => return Err(Fault::new(key.position, "a list can't be a key", "write a text as the key")),
            Node::Mapping(_) => return Err(Fault::new(key.position, "a mapping can't be a key", "write a text as the key")),
        };
        if matches!(value.node, Node::Mapping(_)) && *column.get_or_insert(value.position.column) != value.position.column {
            let hint = "indent it by as many blanks as the one before";
            return Err(Fault::new(value.position, "this mapping is indented differently from another beside it", hint));
        }
        if !seen.insert(name.clone()) {
            return Err(Fault::new(key.position, format!("{name:?} is given twice"), "remove one of them"));
        }
        kept.push((Item { node: Node::Text(name), position: key.position }, check(value)?));
    }
    Ok(kept)
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
        Err(Fault::new(position, "'<<' has no mapping to merge", "put '<<' in quotes, or remove it"))
    }
}
