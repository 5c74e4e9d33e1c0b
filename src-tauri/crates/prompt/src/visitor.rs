//! Walks a template's tree in execution order and collects its free variables, with evidence about their types,
//! and its unknown names.

use std::collections::HashMap;
use std::ops::Range;

use minijinja::machinery::Span;
use minijinja::machinery::ast::{BinOpKind, Call, CallArg, Expr, Filter, Macro, Stmt, Test, UnaryOpKind};

use crate::error::Problem;
use crate::names;

/// Evidence from a use of a variable.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Evidence {
    /// A use. Guarded uses don't require a value.
    Used { guarded: bool },
    /// A field access.
    Field(String),
    /// It is a list.
    List,
    /// A field access on its items.
    ItemField(String),
    /// It is a map.
    Object,
    /// A default value.
    Default(serde_json::Value),
}

/// The result of a walk.
#[derive(Default)]
pub(crate) struct Notes<'a> {
    /// Free variables in order, each with one piece of evidence.
    pub(crate) evidence: Vec<(&'a str, Evidence)>,
    /// Free variables with their byte ranges in the template.
    pub(crate) uses: Vec<(&'a str, Range<usize>)>,
    /// Unknown names with their byte ranges.
    pub(crate) faults: Vec<(Problem, Range<usize>)>,
}

/// The origin of a value.
#[derive(Clone, Copy)]
enum Origin<'a> {
    /// Defined in the template, or not traceable to a variable.
    Inside,
    /// A free variable.
    Given(&'a str),
    /// An item of a free variable.
    ItemOf(&'a str),
}

/// The unknown names of a template.
pub(crate) fn mentions(text: &str, tree: &Stmt<'_>) -> Vec<(Problem, Range<usize>)> {
    let mut faults = walk(text, tree).faults;
    faults.sort_by_key(|(_, range)| range.start);
    faults
}

/// `text` is only used to locate names.
pub(crate) fn walk<'a>(text: &str, tree: &Stmt<'a>) -> Notes<'a> {
    let mut walker = Walker { text, notes: Notes::default(), scopes: vec![HashMap::new()], guards: Vec::new() };
    walker.stmt(tree);
    walker.notes
}

struct Walker<'a, 't> {
    text: &'t str,
    notes: Notes<'a>,
    scopes: Vec<HashMap<&'a str, Origin<'a>>>,
    /// Variables that are known to be defined at the current node.
    guards: Vec<&'a str>,
}

/// Names with a built-in meaning.
const RESERVED: [&str; 4] = ["loop", "self", "super", "caller"];

impl<'a> Walker<'a, '_> {
    fn body(&mut self, body: &[Stmt<'a>]) {
        for stmt in body {
            self.stmt(stmt);
        }
    }

    fn scoped(&mut self, run: impl FnOnce(&mut Self)) {
        self.scopes.push(HashMap::new());
        run(self);
        self.scopes.pop();
    }

    fn guarded(&mut self, names: Vec<&'a str>, run: impl FnOnce(&mut Self)) {
        let before = self.guards.len();
        self.guards.extend(names);
        run(self);
        self.guards.truncate(before);
    }

    fn stmt(&mut self, stmt: &Stmt<'a>) {
        match stmt {
            Stmt::Template(node) => self.body(&node.children),
            Stmt::EmitExpr(node) => self.expr(&node.expr),
            Stmt::EmitRaw(_) | Stmt::Continue(_) | Stmt::Break(_) => {}
            Stmt::ForLoop(node) => self.for_loop(node),
            Stmt::IfCond(node) => {
                self.expr(&node.expr);
                self.guarded(given_if(&node.expr, true), |walker| walker.body(&node.true_body));
                self.guarded(given_if(&node.expr, false), |walker| walker.body(&node.false_body));
            }
            Stmt::WithBlock(node) => self.scoped(|walker| {
                for (target, expr) in &node.assignments {
                    walker.assign(target, Some(expr));
                }
                walker.body(&node.body);
            }),
            Stmt::Set(node) => self.assign(&node.target, Some(&node.expr)),
            Stmt::SetBlock(node) => {
                self.body(&node.body);
                node.filter.iter().for_each(|filter| self.expr(filter));
                self.assign(&node.target, None);
            }
            Stmt::AutoEscape(node) => {
                self.expr(&node.enabled);
                self.body(&node.body);
            }
            Stmt::FilterBlock(node) => {
                self.body(&node.body);
                self.expr(&node.filter);
            }
            Stmt::Block(node) => self.scoped(|walker| walker.body(&node.body)),
            Stmt::Macro(node) => {
                self.bind(node.name, Origin::Inside);
                self.macro_body(node);
            }
            Stmt::CallBlock(node) => {
                self.call(&node.call, node.call.span());
                self.macro_body(&node.macro_decl);
            }
            Stmt::Do(node) => self.call(&node.call, node.call.span()),
            Stmt::Include(node) => self.other_template("include", node.span()),
            Stmt::Extends(node) => self.other_template("extends", node.span()),
            Stmt::Import(node) => {
                self.other_template("import", node.span());
                self.assign(&node.name, None);
            }
            Stmt::FromImport(node) => {
                self.other_template("import", node.span());
                for (name, alias) in &node.names {
                    self.assign(alias.as_ref().unwrap_or(name), None);
                }
            }
        }
    }

    fn for_loop(&mut self, node: &minijinja::machinery::ast::ForLoop<'a>) {
        self.expr(&node.iter);
        let origin = self.origin(&node.iter);
        if let Origin::Given(name) = origin {
            self.note(name, Evidence::List);
        }
        self.scoped(|walker| {
            let item = if let Origin::Given(name) = origin { Origin::ItemOf(name) } else { Origin::Inside };
            match &node.target {
                Expr::Var(var) => walker.bind(var.id, item),
                target => walker.assign(target, None),
            }
            node.filter_expr.iter().for_each(|filter| walker.expr(filter));
            walker.body(&node.body);
        });
        self.scoped(|walker| walker.body(&node.else_body));
    }

    fn macro_body(&mut self, node: &Macro<'a>) {
        node.defaults.iter().for_each(|default| self.expr(default));
        self.scoped(|walker| {
            node.args.iter().for_each(|arg| walker.assign(arg, None));
            walker.body(&node.body);
        });
    }

    fn expr(&mut self, expr: &Expr<'a>) {
        match expr {
            Expr::Var(var) => self.used(var.id, var.span(), self.guards.contains(&var.id)),
            Expr::Const(_) => {}
            Expr::Slice(node) => {
                self.expr(&node.expr);
                [&node.start, &node.stop, &node.step].into_iter().flatten().for_each(|bound| self.expr(bound));
            }
            Expr::UnaryOp(node) => self.expr(&node.expr),
            Expr::BinOp(node) => {
                self.expr(&node.left);
                let guards = match node.op {
                    BinOpKind::ScAnd => given_if(&node.left, true),
                    BinOpKind::ScOr => given_if(&node.left, false),
                    _ => Vec::new(),
                };
                self.guarded(guards, |walker| walker.expr(&node.right));
            }
            Expr::Compare(node) => {
                self.expr(&node.expr);
                node.ops.iter().for_each(|op| self.expr(&op.expr));
            }
            Expr::IfExpr(node) => {
                self.expr(&node.test_expr);
                self.guarded(given_if(&node.test_expr, true), |walker| walker.expr(&node.true_expr));
                let otherwise = given_if(&node.test_expr, false);
                self.guarded(otherwise, |walker| node.false_expr.iter().for_each(|expr| walker.expr(expr)));
            }
            Expr::Filter(node) => self.filter(node, node.span()),
            Expr::Test(node) => self.test(node, node.span()),
            Expr::GetAttr(node) => {
                self.expr(&node.expr);
                self.field(&node.expr, node.name.to_owned());
            }
            Expr::GetItem(node) => {
                self.expr(&node.expr);
                self.expr(&node.subscript_expr);
                match const_string(&node.subscript_expr) {
                    Some(name) => self.field(&node.expr, name),
                    None if is_index(&node.subscript_expr) => self.has_items(&node.expr),
                    None => {}
                }
            }
            Expr::Call(node) => self.call(node, node.span()),
            Expr::List(node) => node.items.iter().for_each(|item| self.expr(item)),
            Expr::Tuple(node) => node.items.iter().for_each(|item| self.expr(item)),
            Expr::Map(node) => node.keys.iter().chain(&node.values).for_each(|part| self.expr(part)),
        }
    }

    fn filter(&mut self, node: &Filter<'a>, span: Span) {
        let default = matches!(node.name, "default" | "d");
        if let Some(inner) = &node.expr {
            match inner {
                Expr::Var(var) if default => {
                    self.used(var.id, var.span(), true);
                    if let (true, Some(value)) = (self.is_given(var.id), node.args.first().and_then(constant)) {
                        self.note(var.id, Evidence::Default(value));
                    }
                }
                inner => self.expr(inner),
            }
            self.filter_evidence(node, inner);
        }
        self.args(&node.args);
        let start = node.expr.as_ref().map_or(span.start_offset, |inner| inner.span().end_offset);
        if !names::FILTERS.contains(&node.name) {
            self.fault(Problem::UnknownFilter { name: node.name.to_owned() }, node.name, start, span.end_offset);
        }
        self.names_in_args(node);
    }

    /// Filters and tests named in arguments: `map("upper")`, `select("odd")`, `selectattr("age", "gt", 3)`.
    fn names_in_args(&mut self, node: &Filter<'a>) {
        let (position, filter) = match node.name {
            "map" => (0, true),
            "select" | "reject" => (0, false),
            "selectattr" | "rejectattr" => (1, false),
            _ => return,
        };
        let Some(CallArg::Pos(arg)) = node.args.get(position) else { return };
        let Some(name) = const_string(arg) else { return };
        let span = arg.span();
        let known = if filter {
            names::FILTERS.contains(&name.as_str())
        } else {
            names::TESTS.contains(&name.as_str()) || names::OPERATOR_TESTS.contains(&name.as_str())
        };
        if !known {
            let problem = if filter { Problem::UnknownFilter { name } } else { Problem::UnknownTest { name } };
            self.notes.faults.push((problem, span.start_offset as usize..span.end_offset as usize));
        }
    }

    fn filter_evidence(&mut self, node: &Filter<'a>, inner: &Expr<'a>) {
        match node.name {
            "items" | "dictsort" => {
                if let Origin::Given(name) = self.origin(inner) {
                    self.note(name, Evidence::Object);
                }
            }
            "batch" | "chain" | "first" | "groupby" | "join" | "last" | "map" | "max" | "min" | "reject" | "rejectattr" | "select"
            | "selectattr" | "slice" | "sort" | "sum" | "unique" | "zip" => self.has_items(inner),
            _ => {}
        }
        let attribute = node.args.iter().find_map(|arg| match arg {
            CallArg::Kwarg("attribute", value) => const_string(value),
            CallArg::Pos(value) if matches!(node.name, "groupby" | "selectattr" | "rejectattr") => const_string(value),
            _ => None,
        });
        if let (Some(field), Origin::Given(name)) = (attribute, self.origin(inner)) {
            self.note(name, Evidence::ItemField(field.split('.').next().unwrap_or_default().to_owned()));
        }
    }

    fn test(&mut self, node: &Test<'a>, span: Span) {
        match &node.expr {
            Expr::Var(var) if matches!(node.name, "defined" | "undefined") => self.used(var.id, var.span(), true),
            inner => self.expr(inner),
        }
        self.args(&node.args);
        if !names::TESTS.contains(&node.name) && !names::OPERATOR_TESTS.contains(&node.name) {
            let problem = Problem::UnknownTest { name: node.name.to_owned() };
            self.fault(problem, node.name, node.expr.span().end_offset, span.end_offset);
        }
    }

    fn call(&mut self, node: &Call<'a>, span: Span) {
        match &node.expr {
            Expr::Var(var) => {
                let known = self.local(var.id).is_some() || RESERVED.contains(&var.id) || names::FUNCTIONS.contains(&var.id);
                if !known {
                    self.fault(Problem::UnknownFunction { name: var.id.to_owned() }, var.id, span.start_offset, span.end_offset);
                }
            }
            Expr::GetAttr(attr) => {
                self.expr(&attr.expr);
                if !matches!(self.origin(&attr.expr), Origin::Inside) {
                    let problem = Problem::UnknownMethod { name: attr.name.to_owned() };
                    self.fault(problem, attr.name, attr.expr.span().end_offset, span.end_offset);
                }
            }
            other => self.expr(other),
        }
        self.args(&node.args);
    }

    fn args(&mut self, args: &[CallArg<'a>]) {
        for arg in args {
            match arg {
                CallArg::Pos(expr) | CallArg::Kwarg(_, expr) | CallArg::PosSplat(expr) | CallArg::KwargSplat(expr) => self.expr(expr),
            }
        }
    }

    /// Binds an assignment's target, after its value was used.
    fn assign(&mut self, target: &Expr<'a>, value: Option<&Expr<'a>>) {
        let origin = value.map_or(Origin::Inside, |value| {
            self.expr(value);
            self.origin(value)
        });
        match target {
            Expr::Var(var) => self.bind(var.id, origin),
            Expr::List(list) => list.items.iter().for_each(|item| self.assign(item, None)),
            Expr::Tuple(tuple) => tuple.items.iter().for_each(|item| self.assign(item, None)),
            Expr::GetAttr(attr) => self.expr(&attr.expr),
            _ => {}
        }
    }

    fn bind(&mut self, name: &'a str, origin: Origin<'a>) {
        if let Some(scope) = self.scopes.last_mut() {
            scope.insert(name, origin);
        }
    }

    fn local(&self, name: &str) -> Option<Origin<'a>> {
        self.scopes.iter().rev().find_map(|scope| scope.get(name).copied())
    }

    /// Whether a name is a free variable, not a local one.
    fn is_given(&self, name: &str) -> bool {
        self.local(name).is_none() && !RESERVED.contains(&name) && !names::FUNCTIONS.contains(&name)
    }

    /// The origin of an expression's value. Filters that preserve items are transparent.
    fn origin(&self, expr: &Expr<'a>) -> Origin<'a> {
        let item_of = |origin| if let Origin::Given(name) = origin { Origin::ItemOf(name) } else { Origin::Inside };
        match expr {
            Expr::Var(var) if self.is_given(var.id) => Origin::Given(var.id),
            Expr::Var(var) => self.local(var.id).unwrap_or(Origin::Inside),
            Expr::Slice(node) => self.origin(&node.expr),
            Expr::GetItem(node) if is_index(&node.subscript_expr) => item_of(self.origin(&node.expr)),
            Expr::Filter(node) => match (node.name, &node.expr) {
                (
                    "sort" | "reverse" | "unique" | "select" | "reject" | "selectattr" | "rejectattr" | "list" | "default" | "d",
                    Some(inner),
                ) => self.origin(inner),
                ("first" | "last" | "min" | "max", Some(inner)) => item_of(self.origin(inner)),
                _ => Origin::Inside,
            },
            _ => Origin::Inside,
        }
    }

    fn used(&mut self, name: &'a str, span: Span, guarded: bool) {
        if self.is_given(name) {
            self.note(name, Evidence::Used { guarded });
            self.notes.uses.push((name, span.start_offset as usize..span.end_offset as usize));
        }
    }

    fn field(&mut self, of: &Expr<'a>, field: String) {
        match self.origin(of) {
            Origin::Given(name) => self.note(name, Evidence::Field(field)),
            Origin::ItemOf(name) => self.note(name, Evidence::ItemField(field)),
            Origin::Inside => {}
        }
    }

    fn has_items(&mut self, expr: &Expr<'a>) {
        if let Origin::Given(name) = self.origin(expr) {
            self.note(name, Evidence::List);
        }
    }

    fn note(&mut self, name: &'a str, evidence: Evidence) {
        self.notes.evidence.push((name, evidence));
    }

    fn other_template(&mut self, statement: &'static str, span: Span) {
        let range = span.start_offset as usize..span.end_offset as usize;
        self.notes.faults.push((Problem::NoOtherTemplates { statement }, range));
    }

    /// Records an error for a name between two offsets.
    fn fault(&mut self, problem: Problem, name: &str, start: u32, end: u32) {
        let (start, end) = (start as usize, end as usize);
        let found = self.text.get(start..end).and_then(|part| part.find(name)).map(|at| start + at);
        let range = found.map_or(start..end, |at| at..at + name.len());
        self.notes.faults.push((problem, range));
    }
}

/// Variables that are defined if a condition evaluates to `truth`.
fn given_if<'a>(expr: &Expr<'a>, truth: bool) -> Vec<&'a str> {
    match expr {
        Expr::Test(node) => match (&node.expr, node.name) {
            (Expr::Var(var), "defined") if truth => vec![var.id],
            (Expr::Var(var), "undefined") if !truth => vec![var.id],
            _ => Vec::new(),
        },
        Expr::UnaryOp(node) if matches!(node.op, UnaryOpKind::Not) => given_if(&node.expr, !truth),
        Expr::BinOp(node) if matches!((node.op, truth), (BinOpKind::ScAnd, true) | (BinOpKind::ScOr, false)) => {
            let mut names = given_if(&node.left, truth);
            names.extend(given_if(&node.right, truth));
            names
        }
        _ => Vec::new(),
    }
}

fn constant(arg: &CallArg<'_>) -> Option<serde_json::Value> {
    match arg {
        CallArg::Pos(expr) => literal(expr),
        _ => None,
    }
}

/// The value of a literal, including nested ones.
fn literal(expr: &Expr<'_>) -> Option<serde_json::Value> {
    match expr {
        Expr::List(node) => node.items.iter().map(literal).collect(),
        Expr::Tuple(node) => node.items.iter().map(literal).collect(),
        Expr::Map(node) => {
            let pairs = node.keys.iter().zip(&node.values).map(|(key, value)| Some((const_string(key)?, literal(value)?)));
            pairs.collect::<Option<serde_json::Map<_, _>>>().map(serde_json::Value::Object)
        }
        other => serde_json::to_value(other.as_const()?).ok(),
    }
}

fn const_string(expr: &Expr<'_>) -> Option<String> {
    let Expr::Const(node) = expr else { return None };
    node.value.as_str().map(str::to_owned)
}

fn is_index(expr: &Expr<'_>) -> bool {
    expr.as_const().is_some_and(|value| value.is_integer())
}
