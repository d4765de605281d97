//! The nodes of a plan in words, for messages.

use crate::plan::{BytesKind, Node, NodeId, Plan, Sequence, TimeForm, TimeKind};

use super::fault::Words;

/// More branches or names than this are not listed.
const MANY: usize = 12;

/// What is expected.
pub fn said(plan: &Plan, words: &Words) -> String {
    match words {
        Words::Are(text) => (*text).to_owned(),
        Words::Own(text) => text.to_string(),
        Words::Node(node) => expected(plan, *node),
        Words::Field(node, field) => match plan.node(*node) {
            Node::Record(record) => record.fields.get(*field).map_or_else(
                || "the field".to_owned(),
                |field| format!("the field `{}`", field.wire),
            ),
            _ => "the field".to_owned(),
        },
        Words::Accepted(node) => format!("a value that `{}` accepts", name(plan, *node)),
        Words::Fields(node) => format!("one of the fields of `{}`", name(plan, *node)),
    }
}

/// What a node reads, in a sentence.
pub fn expected(plan: &Plan, node: NodeId) -> String {
    match plan.node(node) {
        Node::Any => "a value".to_owned(),
        Node::None => "null".to_owned(),
        Node::Bool => "a boolean".to_owned(),
        Node::Str => "text".to_owned(),
        Node::Int(_) => "an integer".to_owned(),
        Node::Float(_) | Node::Decimal => "a number".to_owned(),
        Node::Bytes(..) => "bytes".to_owned(),
        Node::Time(time) => moment(time.kind, &time.form).to_owned(),
        Node::Uuid => "a UUID".to_owned(),
        Node::Sequence(..) | Node::Row(_) | Node::Pairs(..) => "an array".to_owned(),
        Node::Dict(..) => "an object".to_owned(),
        Node::Table(table) => listed(&table.expected),
        Node::Record(record) => format!("an object (`{}`)", record.name),
        Node::Union(union) => {
            let mut nodes: Vec<NodeId> = Vec::new();
            for node in union.candidates.iter().flatten() {
                if !nodes.contains(node) {
                    nodes.push(*node);
                }
            }
            let shown = nodes.iter().take(MANY).map(|node| expected(plan, *node));
            let mut shown: Vec<String> = shown.collect();
            shown.dedup();
            if nodes.len() > MANY {
                shown.push("another of many".to_owned());
            }
            alternatives(&shown)
        }
        Node::Tagged(tagged) => format!("an object with the tag `{}`", tagged.field),
        Node::Shaped(shaped) => {
            let shown = shaped.branches.iter().take(MANY);
            let shown: Vec<String> = shown.map(|(node, _)| expected(plan, *node)).collect();
            alternatives(&shown)
        }
        Node::Call(call) => call.expected.to_string(),
        Node::Checked(checked) => expected(plan, checked.child),
        Node::Shared(inner) => expected(plan, *inner),
        Node::Convert(_) => "a value that its converter reads".to_owned(),
        Node::Raw | Node::View => "a value".to_owned(),
    }
}

fn moment(kind: TimeKind, form: &TimeForm) -> &'static str {
    match (kind, form) {
        (TimeKind::DateTime, TimeForm::Text) => "a date and time as RFC 3339 writes it",
        (TimeKind::DateTime, TimeForm::Seconds) => "a date and time as seconds since 1970",
        (TimeKind::DateTime, TimeForm::Milliseconds) => {
            "a date and time as milliseconds since 1970"
        }
        (TimeKind::DateTime, TimeForm::Microsoft) => "a date and time as `/Date(...)/`",
        (TimeKind::DateTime, TimeForm::Pattern(_)) => "a date and time in the form of the field",
        (TimeKind::Date, TimeForm::Text) => "a date as RFC 3339 writes it",
        (TimeKind::Date, _) => "a date in the form of the field",
        (TimeKind::Time, TimeForm::Text) => "a time of day as RFC 3339 writes it",
        (TimeKind::Time, _) => "a time of day in the form of the field",
        (TimeKind::TimeDelta, TimeForm::Text) => "a length of time as ISO 8601 writes it",
        (TimeKind::TimeDelta, _) => "a length of time in seconds",
    }
}

/// The name of what a node makes, as an annotation has it.
pub fn name(plan: &Plan, node: NodeId) -> String {
    named(plan, node, 0)
}

fn named(plan: &Plan, node: NodeId, depth: u32) -> String {
    if depth > 3 {
        return "…".to_owned();
    }
    let of = |node: &NodeId| named(plan, *node, depth + 1);
    match plan.node(node) {
        Node::Any => "Any".to_owned(),
        Node::None => "None".to_owned(),
        Node::Bool => "bool".to_owned(),
        Node::Str => "str".to_owned(),
        Node::Int(_) => "int".to_owned(),
        Node::Float(_) => "float".to_owned(),
        Node::Decimal => "Decimal".to_owned(),
        Node::Bytes(BytesKind::Bytes, _) => "bytes".to_owned(),
        Node::Bytes(BytesKind::ByteArray, _) => "bytearray".to_owned(),
        Node::Bytes(BytesKind::MemoryView, _) => "memoryview".to_owned(),
        Node::Time(time) => match time.kind {
            TimeKind::DateTime => "datetime",
            TimeKind::Date => "date",
            TimeKind::Time => "time",
            TimeKind::TimeDelta => "timedelta",
        }
        .to_owned(),
        Node::Uuid => "UUID".to_owned(),
        Node::Sequence(kind, item) => {
            let kind = match kind {
                Sequence::List => "list",
                Sequence::Set => "set",
                Sequence::FrozenSet => "frozenset",
                Sequence::Tuple => return format!("tuple[{}, ...]", of(item)),
            };
            format!("{kind}[{}]", of(item))
        }
        Node::Row(row) => {
            let mut parts: Vec<String> = row.prefix.iter().map(of).collect();
            if let Some(rest) = &row.rest {
                parts.push(format!("*tuple[{}, ...]", of(rest)));
            }
            parts.extend(row.suffix.iter().map(of));
            format!("tuple[{}]", parts.join(", "))
        }
        Node::Dict(key, value) | Node::Pairs(key, value) => {
            format!("dict[{}, {}]", of(key), of(value))
        }
        Node::Table(table) => listed(&table.expected),
        Node::Record(record) => record.name.to_string(),
        Node::Union(union) => {
            let mut shown: Vec<String> = Vec::new();
            for node in union.candidates.iter().flatten().take(MANY) {
                let name = of(node);
                if !shown.contains(&name) {
                    shown.push(name);
                }
            }
            shown.join(" | ")
        }
        Node::Tagged(tagged) => {
            let shown: Vec<String> = tagged.branches.iter().take(MANY).map(of).collect();
            shown.join(" | ")
        }
        Node::Shaped(shaped) => {
            let shown = shaped.branches.iter().take(MANY);
            let shown: Vec<String> = shown.map(|(node, _)| of(node)).collect();
            shown.join(" | ")
        }
        Node::Call(call) => call.expected.to_string(),
        Node::Checked(checked) => of(&checked.child),
        Node::Shared(inner) => of(inner),
        Node::Convert(_) => "converted".to_owned(),
        Node::Raw => "Raw".to_owned(),
        Node::View => "Element".to_owned(),
    }
}

/// `a, b or c`.
fn alternatives(parts: &[String]) -> String {
    match parts {
        [] => "a value".to_owned(),
        [one] => one.clone(),
        [first @ .., last] => format!("{} or {last}", first.join(", ")),
    }
}

/// A list of values, cut short.
fn listed(text: &str) -> String {
    const LONGEST: usize = 200;
    match text.char_indices().nth(LONGEST) {
        Some((at, _)) => format!("{}…", &text[..at]),
        None => text.to_owned(),
    }
}
