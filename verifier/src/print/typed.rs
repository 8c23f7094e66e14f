//! Values as people write them in the source, by their types.

use super::addresses::Addresses;
use super::constant::number_text;
use crate::cfa::types::{Member, Part, PartKind, Shape, TypeId, Types};
use crate::expr::FloatFormat;
use crate::expr::value::signed;

/// The maximum number of elements or members that are shown of an array or a structure.
const MAX_ELEMENTS: u64 = 8;
/// The maximum number of characters that are shown of a text.
const MAX_TEXT: usize = 64;
/// Structures in structures are shown up to this depth.
const MAX_DEPTH: u32 = 4;

/// Bytes from the lowest address on; `None` for those that are not known.
pub(crate) type Bytes = [Option<u8>];

/// Writes values.
pub(crate) struct Typed<'a> {
    /// Where pointers point to.
    pub addresses: &'a Addresses<'a>,
    /// Reads a byte of memory, if it is known.
    pub read: &'a dyn Fn(u64) -> Option<u8>,
}

impl Typed<'_> {
    fn types(&self) -> &Types {
        &self.addresses.program.types
    }

    /// The value of a part whose bytes are given; `None` if too little of it is known.
    pub(crate) fn part(&self, part: &Part, bytes: &Bytes) -> Option<String> {
        match part.kind {
            PartKind::Whole => self.value(part.ty, bytes, MAX_DEPTH),
            PartKind::Elements => self.elements(part.ty, bytes, MAX_DEPTH),
            PartKind::Bits(first, width) => {
                let raw = raw(bytes)? >> first & (u128::MAX >> (128 - width));
                Some(self.scalar(part.ty, width, raw))
            }
        }
    }

    fn value(&self, ty: TypeId, bytes: &Bytes, depth: u32) -> Option<String> {
        let this = self.types().get(ty);
        match &this.shape {
            Shape::Unknown | Shape::Function => None,
            Shape::Array(element) => self.elements(*element, bytes, depth),
            Shape::Struct(members) | Shape::Union(members) => self.members(members, bytes, depth),
            Shape::Float(format) => Some(number_text(*format, raw(bytes.get(..float_bytes(*format))?)?)),
            _ => Some(self.scalar(ty, (8 * bytes.len()).try_into().ok()?, raw(bytes)?)),
        }
    }

    /// A scalar that is no floating-point number.
    fn scalar(&self, ty: TypeId, width: u16, raw: u128) -> String {
        let number = |is_signed: bool| if is_signed { signed(width, raw).to_string() } else { raw.to_string() };
        match &self.types().get(ty).shape {
            Shape::Integer { is_signed } => number(*is_signed),
            Shape::Truth => match raw {
                0 => "false".into(),
                1 => "true".into(),
                _ => number(false),
            },
            Shape::Character { is_signed } => match character(raw) {
                Some(text) => format!("{} '{text}'", number(*is_signed)),
                None => number(*is_signed),
            },
            Shape::Enumeration { is_signed, enumerators } => {
                let value = if *is_signed { signed(width, raw) } else { raw as i128 };
                enumerator(enumerators, value).unwrap_or_else(|| format!("{value} (no enumerator)"))
            }
            Shape::Pointer(to) => self.pointer(raw as u64, *to),
            _ => number(true),
        }
    }

    /// A pointer; the text that it points to is shown too.
    fn pointer(&self, address: u64, to: TypeId) -> String {
        let shown = self.addresses.pointer(address, to);
        if address == 0
            || !matches!(self.types().get(to).shape, Shape::Character { .. })
            || self.types().get(to).bytes != 1
        {
            return shown;
        }
        if let Some((start, literal)) = self.types().literals.range(..=address).next_back()
            && let Some(rest) = literal.get((address - start) as usize..)
        {
            return text(rest.iter().copied().map(Some)).unwrap_or(shown);
        }
        match text((0..).map(|i| (self.read)(address.wrapping_add(i)))) {
            Some(text) => format!("{shown} {text}"),
            None => shown,
        }
    }

    fn elements(&self, element: TypeId, bytes: &Bytes, depth: u32) -> Option<String> {
        let this = self.types().get(element);
        let size = usize::try_from(this.bytes).ok().filter(|&size| size > 0)?;
        if matches!(this.shape, Shape::Character { .. })
            && size == 1
            && let Some(text) = text(bytes.iter().copied())
        {
            return Some(text);
        }
        let depth = depth.checked_sub(1)?;
        let chunks = bytes.chunks_exact(size);
        let count = chunks.len() as u64;
        let shown: Vec<Option<String>> =
            chunks.take(MAX_ELEMENTS as usize).map(|bytes| self.value(element, bytes, depth)).collect();
        list(shown.into_iter().map(|value| (None, value)), count > MAX_ELEMENTS)
    }

    fn members(&self, members: &[Member], bytes: &Bytes, depth: u32) -> Option<String> {
        let depth = depth.checked_sub(1)?;
        let named: Vec<&Member> = members.iter().filter(|m| self.types().get(m.ty).bytes > 0).collect();
        let values = named.iter().take(MAX_ELEMENTS as usize).map(|member| {
            let start = (member.offset / 8) as usize;
            let value = match member.bits {
                None => {
                    let end = start + self.types().get(member.ty).bytes as usize;
                    bytes.get(start..end).and_then(|bytes| self.value(member.ty, bytes, depth))
                }
                Some(width) => {
                    let first = (member.offset % 8) as u16;
                    let end = start + usize::from(first + width).div_ceil(8);
                    let part = Part {
                        path: String::new(),
                        offset: 0,
                        bytes: 0,
                        ty: member.ty,
                        kind: PartKind::Bits(first, width),
                    };
                    bytes.get(start..end).filter(|_| width > 0).and_then(|bytes| self.part(&part, bytes))
                }
            };
            (member.name.as_deref(), value)
        });
        list(values, named.len() as u64 > MAX_ELEMENTS)
    }
}

/// Values in braces; `None` if all of them are unknown.
fn list<'a>(values: impl Iterator<Item = (Option<&'a str>, Option<String>)>, has_more: bool) -> Option<String> {
    let mut is_known = false;
    let mut words: Vec<String> = Vec::new();
    for (name, value) in values {
        is_known |= value.is_some();
        let value = value.unwrap_or_else(|| "?".into());
        words.push(name.map_or(value.clone(), |name| format!("{name} = {value}")));
    }
    words.extend(has_more.then(|| "…".into()));
    is_known.then(|| format!("{{{}}}", words.join(", ")))
}

/// The name of an enumerator, or of several whose bits make up the value.
fn enumerator(enumerators: &[(Box<str>, i128)], value: i128) -> Option<String> {
    if let Some((name, _)) = enumerators.iter().find(|(_, number)| *number == value) {
        return Some(name.to_string());
    }
    let is_flag = |number: i128| number > 0 && number & (number - 1) == 0;
    let (mut rest, mut names) = (value, Vec::new());
    for (name, number) in enumerators.iter().filter(|(_, number)| is_flag(*number)) {
        if rest & number != 0 {
            names.push(&**name);
            rest &= !number;
        }
    }
    // Plain lists, such as 0, 1, 2, 3, are no flags.
    let is_flags = enumerators.iter().all(|&(_, number)| number == 0 || is_flag(number));
    let flags = enumerators.iter().filter(|(_, number)| *number != 0).count();
    (is_flags && flags > 2 && rest == 0 && names.len() > 1).then(|| names.join(" | "))
}

/// A number from its bytes.
fn raw(bytes: &Bytes) -> Option<u128> {
    if bytes.len() > 16 {
        return None;
    }
    bytes.iter().rev().try_fold(0, |raw, byte| Some(raw << 8 | u128::from((*byte)?)))
}

/// The bytes of a float that count; the others are padding.
fn float_bytes(format: FloatFormat) -> usize {
    usize::from(format.bits().div_ceil(8))
}

/// A printable character as it is written between single quotes.
fn character(raw: u128) -> Option<String> {
    let c = char::from(u8::try_from(raw).ok().filter(u8::is_ascii)?);
    match c {
        '\0' => Some("\\0".into()),
        '"' => Some("\"".into()),
        '\n' | '\t' | '\r' | '\\' | '\'' | ' '..='~' => Some(c.escape_default().to_string()),
        _ => None,
    }
}

/// A text that ends with a zero byte, in quotes.
pub(crate) fn text(bytes: impl Iterator<Item = Option<u8>>) -> Option<String> {
    let mut known = Vec::new();
    let mut is_long = false;
    for byte in bytes {
        match byte? {
            0 => return Some(quoted(&known, false)),
            byte => known.push(byte),
        }
        if known.len() > MAX_TEXT {
            is_long = true;
            break;
        }
    }
    is_long.then(|| quoted(&known[..MAX_TEXT], true))
}

/// Characters in quotes.
pub(crate) fn quoted(bytes: &[u8], has_more: bool) -> String {
    let mut shown = String::from('"');
    for chunk in bytes.utf8_chunks() {
        for c in chunk.valid().chars() {
            match c {
                '\'' => shown.push(c),
                '\0' => shown.push_str("\\0"),
                _ if c.is_ascii() && !c.is_ascii_graphic() && c != ' ' && !"\n\t\r".contains(c) => {
                    shown.push_str(&format!("\\x{:02x}", u32::from(c)));
                }
                _ if c.is_ascii() => shown.extend(c.escape_default()),
                _ if c.is_alphanumeric() => shown.push(c),
                _ => shown.extend(c.escape_unicode()),
            }
        }
        chunk.invalid().iter().for_each(|byte| shown.push_str(&format!("\\x{byte:02x}")));
    }
    shown.push('"');
    if has_more {
        shown.push('…');
    }
    shown
}
