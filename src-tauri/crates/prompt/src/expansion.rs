//! Refuses templates whose operators (`~`, `+`, `*`, lists) could expand a value without bound, before they are compiled: the value
//! would become too large, or nested too deeply for the stack, although each single step is cheap.
//!
//! Every `set`, `with` and `for` is an edge from a name to the names in its value. A name that contains itself twice doubles
//! with each iteration, and one that contains itself inside a list gets one level deeper; both are refused, wherever
//! they occur. A name that contains itself once, as in `ns.text ~ item`, grows linearly and is allowed.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use minijinja::machinery::Span;
use minijinja::machinery::ast::{BinOpKind, CallArg, Expr, Macro, Stmt};

use crate::output_limit::TOO_LARGE_PREFIX;

/// Maximum copies of other values in a value.
const MAX_COPIES: u64 = 4096;

/// Message and byte range.
type Fault = (String, Range<usize>);

/// The first unbounded expansion in a template.
pub(crate) fn limits(tree: &Stmt<'_>) -> Result<(), Fault> {
    let mut reader = Reader::default();
    reader.stmt(tree);
    reader.graph()
}

/// The names that a value references: how often, and whether inside a list.
type ReferenceCounts = HashMap<String, (u64, bool)>;

#[derive(Default)]
struct Reader {
    edges: Vec<(String, ReferenceCounts, Range<usize>)>,
    /// Where names are bound to namespaces created in place.
    fresh: HashSet<usize>,
}

fn bytes(span: Span) -> Range<usize> {
    span.start_offset as usize..span.end_offset as usize
}

impl Reader {
    fn body(&mut self, body: &[Stmt<'_>]) {
        for stmt in body {
            self.stmt(stmt);
        }
    }

    fn stmt(&mut self, stmt: &Stmt<'_>) {
        match stmt {
            Stmt::Template(node) => self.body(&node.children),
            Stmt::EmitExpr(node) => self.visit_expr(&node.expr),
            Stmt::ForLoop(node) => {
                self.assign(&node.target, &node.iter, node.iter.span());
                if let (true, Expr::Var(var)) = (node.recursive, &node.target) {
                    let passed = ReferenceCounts::from([("(0)".to_owned(), (1, false))]);
                    self.edges.push((var.id.to_owned(), passed, bytes(node.iter.span())));
                }
                node.filter_expr.iter().for_each(|filter| self.visit_expr(filter));
                self.body(&node.body);
                self.body(&node.else_body);
            }
            Stmt::IfCond(node) => {
                self.visit_expr(&node.expr);
                self.body(&node.true_body);
                self.body(&node.false_body);
            }
            Stmt::WithBlock(node) => {
                node.assignments.iter().for_each(|(target, expr)| self.assign(target, expr, expr.span()));
                self.body(&node.body);
            }
            Stmt::Set(node) => self.assign(&node.target, &node.expr, node.span()),
            Stmt::SetBlock(node) => {
                node.filter.iter().for_each(|filter| self.visit_expr(filter));
                self.body(&node.body);
            }
            Stmt::AutoEscape(node) => self.body(&node.body),
            Stmt::FilterBlock(node) => {
                self.visit_expr(&node.filter);
                self.body(&node.body);
            }
            Stmt::Block(node) => self.body(&node.body),
            Stmt::Macro(node) => self.macro_body(node),
            Stmt::CallBlock(node) => {
                self.passed(&node.call.args);
                self.macro_body(&node.macro_decl);
            }
            Stmt::Do(node) => self.passed(&node.call.args),
            _ => {}
        }
    }

    fn macro_body(&mut self, node: &Macro<'_>) {
        node.defaults.iter().for_each(|default| self.visit_expr(default));
        for (position, arg) in node.args.iter().enumerate() {
            if let Expr::Var(var) = arg {
                for passed in [format!("({position})"), format!("({})", var.id), "(*)".to_owned()] {
                    self.edges.push((var.id.to_owned(), ReferenceCounts::from([(passed, (1, false))]), bytes(arg.span())));
                }
            }
        }
        self.body(&node.body);
    }

    fn visit_expr(&mut self, expr: &Expr<'_>) {
        self.reference_counts(expr);
    }

    fn assign(&mut self, target: &Expr<'_>, value: &Expr<'_>, span: Span) {
        let references = self.reference_counts(value);
        if is_fresh(value) {
            self.fresh.insert(bytes(span).start);
        }
        let mut names = Vec::new();
        targets(target, &mut names);
        for name in names {
            self.edges.push((name, references.clone(), bytes(span)));
        }
    }

    /// The references in the value of an expression.
    fn reference_counts(&mut self, expr: &Expr<'_>) -> ReferenceCounts {
        let mut references = ReferenceCounts::new();
        match expr {
            Expr::Var(var) => drop(references.insert(var.id.to_owned(), (1, false))),
            Expr::Const(_) => {}
            Expr::GetAttr(node) => match &node.expr {
                Expr::Var(var) => drop(references.insert(format!("{}.{}", var.id, node.name), (1, false))),
                inner => references = self.reference_counts(inner),
            },
            Expr::GetItem(node) => {
                self.visit_expr(&node.subscript_expr);
                match (&node.expr, &node.subscript_expr) {
                    (Expr::Var(var), Expr::Const(name)) if name.value.as_str().is_some() => {
                        references.insert(format!("{}.{}", var.id, name.value), (1, false));
                    }
                    (inner, _) => references = self.reference_counts(inner),
                }
            }
            Expr::Slice(node) => {
                [&node.start, &node.stop, &node.step].into_iter().flatten().for_each(|bound| self.visit_expr(bound));
                references = nested(self.reference_counts(&node.expr));
            }
            Expr::UnaryOp(node) => self.visit_expr(&node.expr),
            Expr::BinOp(node) => {
                let (left, right) = (self.reference_counts(&node.left), self.reference_counts(&node.right));
                match node.op {
                    BinOpKind::Add | BinOpKind::Concat | BinOpKind::Mul => references = both(left, right),
                    BinOpKind::ScAnd | BinOpKind::ScOr => references = either(left, right),
                    _ => {}
                }
            }
            Expr::Compare(node) => {
                self.visit_expr(&node.expr);
                node.ops.iter().for_each(|op| self.visit_expr(&op.expr));
            }
            Expr::IfExpr(node) => {
                self.visit_expr(&node.test_expr);
                references = self.reference_counts(&node.true_expr);
                if let Some(other) = &node.false_expr {
                    references = either(references, self.reference_counts(other));
                }
            }
            Expr::Filter(node) => {
                references = node.expr.as_ref().map(|inner| self.reference_counts(inner)).unwrap_or_default();
                self.args(&node.args, &mut references);
                references = match node.name {
                    // Their result is a new number or string, which is measured when it is created.
                    "abs" | "bool" | "capitalize" | "count" | "float" | "int" | "length" | "round" | "format" | "indent" | "join"
                    | "lower" | "pprint" | "replace" | "string" | "title" | "tojson" | "trim" | "upper" => ReferenceCounts::new(),
                    "attr" | "chain" | "d" | "default" | "e" | "escape" | "first" | "last" | "list" | "max" | "min" | "safe" => references,
                    _ => nested(references),
                };
            }
            Expr::Test(node) => {
                self.visit_expr(&node.expr);
                self.args(&node.args, &mut ReferenceCounts::new());
            }
            Expr::Call(node) => {
                // A macro returns a new string; these return their arguments.
                match &node.expr {
                    Expr::Var(var) if matches!(var.id, "dict" | "namespace") => self.args(&node.args, &mut references),
                    Expr::GetAttr(_) => {
                        self.args(&node.args, &mut references);
                        references = nested(references);
                    }
                    _ => self.passed(&node.args),
                }
            }
            Expr::List(node) => references = nested(self.all(&node.items)),
            Expr::Tuple(node) => references = nested(self.all(&node.items)),
            Expr::Map(node) => references = nested(both(self.all(&node.keys), self.all(&node.values))),
        }
        references
    }

    fn all(&mut self, exprs: &[Expr<'_>]) -> ReferenceCounts {
        exprs.iter().fold(ReferenceCounts::new(), |references, expr| both(references, self.reference_counts(expr)))
    }

    /// Records the references in a macro's arguments, positional or named.
    fn passed(&mut self, args: &[CallArg<'_>]) {
        for (position, arg) in args.iter().enumerate() {
            let (name, expr) = match arg {
                CallArg::Pos(expr) => (format!("({position})"), expr),
                CallArg::Kwarg(name, expr) => (format!("({name})"), expr),
                CallArg::PosSplat(expr) | CallArg::KwargSplat(expr) => ("(*)".to_owned(), expr),
            };
            let references = self.reference_counts(expr);
            self.edges.push((name, references, bytes(expr.span())));
        }
    }

    /// Adds the references of arguments; named ones become fields.
    fn args(&mut self, args: &[CallArg<'_>], references: &mut ReferenceCounts) {
        for arg in args {
            let more = match arg {
                CallArg::Pos(expr) | CallArg::PosSplat(expr) => self.reference_counts(expr),
                CallArg::Kwarg(_, expr) | CallArg::KwargSplat(expr) => nested(self.reference_counts(expr)),
            };
            *references = both(std::mem::take(references), more);
        }
    }

    /// Links a namespace to the values assigned to its fields through aliases.
    fn other_names(&self, index: &HashMap<&str, usize>, fields: &HashMap<&str, Vec<usize>>, links: &mut [Vec<usize>]) {
        let mut bearing: Vec<&str> = fields.keys().copied().collect();
        let mut references_of: HashMap<&str, Vec<&str>> = HashMap::new();
        for (name, references, range) in &self.edges {
            if !self.fresh.contains(&range.start) {
                references_of.entry(name).or_default().extend(references.keys().filter(|name| !name.contains('.')).map(String::as_str));
            }
        }
        let mut seen = HashSet::new();
        while let Some(name) = bearing.pop() {
            if !seen.insert(name) {
                continue;
            }
            for other in references_of.get(name).into_iter().flatten() {
                let (Some(other_at), Some(at)) = (index.get(other), index.get(name)) else { continue };
                links[*other_at].push(*at);
                bearing.push(other);
            }
        }
        for (name, fields) in fields {
            if references_of.contains_key(name)
                && let Some(at) = index.get(name)
            {
                links[*at].extend(fields);
            }
        }
    }

    /// Refuses names that contain themselves twice or in a list, and chains of names with too many copies.
    fn graph(&self) -> Result<(), Fault> {
        let mut index: HashMap<&str, usize> = HashMap::new();
        for (name, ..) in &self.edges {
            let next = index.len();
            index.entry(name).or_insert(next);
        }
        // A namespace contains all of its fields.
        let mut fields: HashMap<&str, Vec<usize>> = HashMap::new();
        for (name, at) in &index {
            if let Some((root, _)) = name.split_once('.') {
                fields.entry(root).or_default().push(*at);
            }
        }
        let mut links: Vec<Vec<usize>> = vec![Vec::new(); index.len()];
        let mut sets = Vec::new();
        for (name, references, range) in &self.edges {
            let Some(from) = index.get(name.as_str()) else { continue };
            let mut to: Vec<(usize, u64, bool)> = Vec::new();
            for (name, (count, list)) in references {
                let root = name.split_once('.').map_or(name.as_str(), |(root, _)| root);
                to.extend(index.get(name.as_str()).map(|at| (*at, *count, *list)));
                if root == name {
                    to.extend(fields.get(root).into_iter().flatten().map(|at| (*at, *count, true)));
                } else if !index.contains_key(name.as_str()) {
                    to.extend(index.get(root).map(|at| (*at, *count, *list)));
                }
            }
            // A field belongs to every alias of its namespace.
            if let Some((root, _)) = name.split_once('.') {
                links[*from].extend(index.get(root));
            }
            links[*from].extend(to.iter().map(|(at, ..)| *at));
            sets.push((*from, to, range));
        }
        self.other_names(&index, &fields, &mut links);
        let (group, order) = groups(&links);
        let mut copies = vec![1u64; index.len()];
        sets.sort_by_key(|(from, ..)| order[*from]);
        for (from, to, range) in sets {
            let own = to.iter().filter(|(at, ..)| group[*at] == group[from]);
            let (times, list) = own.fold((0u64, false), |(times, list), (_, count, nested)| (times + count, list || *nested));
            if times > 1 || list {
                let how = if list { "inside a list" } else { "more than once" };
                let message = format!("{TOO_LARGE_PREFIX}this value contains itself {how}; append with `~` or `+`, or collect with `join`");
                return Err((message, range.clone()));
            }
            let all = to.iter().fold(0u64, |sum, (at, count, _)| sum.saturating_add(copies[*at].saturating_mul(*count)));
            copies[from] = copies[from].max(all);
            if all > MAX_COPIES {
                return Err((
                    format!("{TOO_LARGE_PREFIX}this value contains more than {MAX_COPIES} copies of other values; reduce the repetition"),
                    range.clone(),
                ));
            }
        }
        Ok(())
    }
}

/// Whether a value is a namespace or map created in place, and not an alias of one.
fn is_fresh(value: &Expr<'_>) -> bool {
    matches!(value, Expr::Call(node) if matches!(&node.expr, Expr::Var(var) if matches!(var.id, "dict" | "namespace")))
}

fn targets(target: &Expr<'_>, names: &mut Vec<String>) {
    match target {
        Expr::Var(var) => names.push(var.id.to_owned()),
        Expr::GetAttr(node) => {
            if let Expr::Var(var) = &node.expr {
                names.push(format!("{}.{}", var.id, node.name));
            }
        }
        Expr::List(node) => node.items.iter().for_each(|item| targets(item, names)),
        Expr::Tuple(node) => node.items.iter().for_each(|item| targets(item, names)),
        _ => {}
    }
}

fn nested(mut references: ReferenceCounts) -> ReferenceCounts {
    for (_, list) in references.values_mut() {
        *list = true;
    }
    references
}

fn both(mut left: ReferenceCounts, right: ReferenceCounts) -> ReferenceCounts {
    for (name, (count, list)) in right {
        let own = left.entry(name).or_default();
        *own = (own.0.saturating_add(count), own.1 || list);
    }
    left
}

fn either(mut left: ReferenceCounts, right: ReferenceCounts) -> ReferenceCounts {
    for (name, (count, list)) in right {
        let own = left.entry(name).or_default();
        *own = (own.0.max(count), own.1 || list);
    }
    left
}

/// The strongly connected component of each name, and a rank that is higher than those of all names it contains. Not recursive.
fn groups(links: &[Vec<usize>]) -> (Vec<usize>, Vec<usize>) {
    let finish = |links: &[Vec<usize>], starts: &mut dyn Iterator<Item = usize>| {
        let (mut group, mut order) = (vec![usize::MAX; links.len()], Vec::with_capacity(links.len()));
        for start in starts {
            let mut stack = vec![(start, 0)];
            if group[start] != usize::MAX {
                continue;
            }
            group[start] = start;
            while let Some((at, next)) = stack.pop() {
                let Some(to) = links[at].get(next) else {
                    order.push(at);
                    continue;
                };
                stack.push((at, next + 1));
                if group[*to] == usize::MAX {
                    group[*to] = start;
                    stack.push((*to, 0));
                }
            }
        }
        (group, order)
    };
    let (_, order) = finish(links, &mut (0..links.len()));
    let mut back: Vec<Vec<usize>> = vec![Vec::new(); links.len()];
    for (from, to) in links.iter().enumerate() {
        for to in to {
            back[*to].push(from);
        }
    }
    let (group, _) = finish(&back, &mut order.iter().rev().copied());
    let mut rank = vec![0; links.len()];
    order.iter().enumerate().for_each(|(at, name)| rank[*name] = at);
    (group, rank)
}
