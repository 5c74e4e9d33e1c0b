//! Tokens as texts, lists and mappings, with what the reference refuses of them.

use std::collections::HashSet;

use super::Fault;
use super::scan::{Mark, Scanner, Token};

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
    pub(super) mark: Mark,
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
    if let (Token::StreamEnd, mark) = parser.scanner.peek()? {
        return Err(Fault::new(mark, "the frontmatter is empty", "give name and description"));
    }
    let root = parser.node(false)?;
    if matches!(parser.scanner.peek()?.0, Token::DocumentEnd) {
        parser.scanner.take()?;
    }
    match parser.scanner.take()? {
        (Token::StreamEnd, _) => check(root),
        (token, mark) => Err(Fault::new(mark, format!("{} stands behind the end", token.name()), "remove it, or put the text in quotes")),
    }
}

struct Parser {
    scanner: Scanner,
    depth: usize,
}

impl Parser {
    /// `indentless`: a list may stand at the column of the key before it.
    fn node(&mut self, indentless: bool) -> Result<Item, Fault> {
        let (token, mark) = self.scanner.peek()?;
        if indentless && *token == Token::Entry {
            return self.nested(mark, |parser| parser.entries(true));
        }
        match self.scanner.take()? {
            (Token::Scalar { text, plain }, mark) => {
                let sign = plain && matches!(text.as_str(), "=" | "<<");
                Ok(Item { node: if sign { Node::Sign(text) } else { Node::Text(text) }, mark })
            }
            (Token::List, mark) => self.nested(mark, |parser| parser.entries(false)),
            (Token::Mapping, mark) => self.nested(mark, Self::pairs),
            (token, mark) => Err(Fault::new(mark, format!("{} stands where a value should", token.name()), "put the text in quotes")),
        }
    }

    fn nested(&mut self, mark: Mark, read: impl FnOnce(&mut Self) -> Result<Node, Fault>) -> Result<Item, Fault> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err(Fault::new(mark, "the values are nested too deeply", "flatten them"));
        }
        let node = read(self)?;
        self.depth -= 1;
        Ok(Item { node, mark })
    }

    fn entries(&mut self, indentless: bool) -> Result<Node, Fault> {
        let mut items = Vec::new();
        while let (Token::Entry, mark) = self.scanner.peek()? {
            self.scanner.take()?;
            let empty = match self.scanner.peek()?.0 {
                Token::Entry | Token::End => true,
                Token::Key | Token::Value => indentless,
                _ => false,
            };
            items.push(if empty { nothing(mark) } else { self.node(false)? });
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
                (Token::Key, mark) => {
                    self.scanner.take()?;
                    self.part(mark)?
                }
                (Token::Value, mark) => nothing(mark),
                _ => break,
            };
            let value = match self.scanner.peek()? {
                (Token::Value, mark) => {
                    self.scanner.take()?;
                    self.part(mark)?
                }
                (_, mark) => nothing(mark),
            };
            pairs.push((key, value));
        }
        self.end("the keys")?;
        Ok(Node::Mapping(pairs))
    }

    /// What stands behind `?` or `:`, if anything does.
    fn part(&mut self, mark: Mark) -> Result<Item, Fault> {
        match self.scanner.peek()?.0 {
            Token::Key | Token::Value | Token::End => Ok(nothing(mark)),
            _ => self.node(true),
        }
    }

    fn end(&mut self, what: &str) -> Result<(), Fault> {
        match self.scanner.take()? {
            (Token::End, _) => Ok(()),
            (token, mark) => {
                let hint = "indent it like the lines before it, or put the text in quotes";
                Err(Fault::new(mark, format!("{} stands where {what} should go on", token.name()), hint))
            }
        }
    }
}

fn nothing(mark: Mark) -> Item {
    Item { node: Node::Text(String::new()), mark }
}

/// What the reference refuses of keys, and takes away: `<<` merges, but nothing is read through it.
fn check(item: Item) -> Result<Item, Fault> {
    let Item { node, mark } = item;
    let node = match node {
        Node::List(items) => Node::List(items.into_iter().map(check).collect::<Result<_, _>>()?),
        Node::Mapping(pairs) => Node::Mapping(keys(pairs)?),
        scalar => scalar,
    };
    Ok(Item { node, mark })
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
                    return Err(Fault::new(key.mark, "'<<' is given twice", "remove one of them"));
                }
                merged(value)?;
                continue;
            }
            Node::Text(text) | Node::Sign(text) => text,
            Node::List(_) => return Err(Fault::new(key.mark, "a list can't be a key", "write a text as the key")),
            Node::Mapping(_) => return Err(Fault::new(key.mark, "a mapping can't be a key", "write a text as the key")),
        };
        if matches!(value.node, Node::Mapping(_)) && *column.get_or_insert(value.mark.column) != value.mark.column {
            let hint = "indent it by as many blanks as the one before";
            return Err(Fault::new(value.mark, "this mapping is indented differently from another beside it", hint));
        }
        if !seen.insert(name.clone()) {
            return Err(Fault::new(key.mark, format!("{name:?} is given twice"), "remove one of them"));
        }
        kept.push((Item { node: Node::Text(name), mark: key.mark }, check(value)?));
    }
    Ok(kept)
}

fn merged(value: Item) -> Result<(), Fault> {
    let mark = value.mark;
    let all = match value.node {
        Node::List(items) => items,
        _ => vec![value],
    };
    if all.iter().all(|one| matches!(one.node, Node::Mapping(_))) {
        all.into_iter().try_for_each(|one| check(one).map(drop))
    } else {
        Err(Fault::new(mark, "'<<' has no mapping to merge", "put '<<' in quotes, or remove it"))
    }
}
