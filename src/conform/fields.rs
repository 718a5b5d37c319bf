//! Reading fields out of JSON, with a sentence for whatever is not as it should be.

use serde_json::{Map, Value};

use crate::zookeeper::{Path, Zxid};

/// A JSON object and where it stands in its line: "" for the line itself, `a`, `a.ops[2]`.
pub(super) struct Fields<'a> {
    map: &'a Map<String, Value>,
    at: String,
}

impl<'a> Fields<'a> {
    pub(super) fn new(value: &'a Value, at: &str) -> Result<Fields<'a>, String> {
        match value {
            Value::Object(map) => Ok(Fields { map, at: at.to_owned() }),
            _ if at.is_empty() => Err(format!("{} is not a JSON object", shown(value))),
            _ => Err(format!("`{at}` is {}, not an object", shown(value))),
        }
    }

    /// The objects of a list.
    pub(super) fn objects(&self, name: &str) -> Result<Vec<Fields<'a>>, String> {
        let items = self.list(name)?.iter().enumerate();
        items.map(|(i, item)| Fields::new(item, &format!("{}[{i}]", self.place(name)))).collect()
    }

    pub(super) fn has(&self, name: &str) -> bool {
        self.map.contains_key(name)
    }

    pub(super) fn get(&self, name: &str) -> Option<&'a Value> {
        self.map.get(name)
    }

    pub(super) fn text(&self, name: &str) -> Result<&'a str, String> {
        let value = self.required(name)?;
        value.as_str().ok_or_else(|| self.wrong(name, value, "a text"))
    }

    pub(super) fn text_or(&self, name: &str, default: &'a str) -> Result<&'a str, String> {
        if self.has(name) { self.text(name) } else { Ok(default) }
    }

    pub(super) fn path(&self, name: &str) -> Result<Path, String> {
        self.text(name).map(Path::from)
    }

    pub(super) fn texts(&self, name: &str) -> Result<Vec<&'a str>, String> {
        let items = self.list(name)?.iter();
        items.map(|item| item.as_str().ok_or_else(|| self.wrong(name, item, "a list of texts"))).collect()
    }

    pub(super) fn paths(&self, name: &str) -> Result<Vec<Path>, String> {
        Ok(self.texts(name)?.into_iter().map(Path::from).collect())
    }

    /// Absent means false.
    pub(super) fn flag(&self, name: &str) -> Result<bool, String> {
        match self.get(name) {
            None => Ok(false),
            Some(value) => value.as_bool().ok_or_else(|| self.wrong(name, value, "true or false")),
        }
    }

    pub(super) fn i64(&self, name: &str) -> Result<i64, String> {
        let value = self.required(name)?;
        value.as_i64().ok_or_else(|| self.wrong(name, value, "a 64-bit whole number"))
    }

    /// A number, or "eE:C": the counter C in the Eth epoch after the start.
    pub(super) fn zxid(&self, name: &str) -> Result<Zxid, String> {
        let value = self.required(name)?;
        let Some(text) = value.as_str() else { return self.i64(name).map(Zxid) };
        let parts = text.strip_prefix('e').and_then(|text| text.split_once(':'));
        let zxid = parts.and_then(|(epoch, counter)| {
            // The upper half of a positive number, which has one bit less.
            let epoch = epoch.parse::<u32>().ok().filter(|epoch| *epoch <= i32::MAX.unsigned_abs())?;
            Some(Zxid(Zxid::start_of(epoch).0 | i64::from(counter.parse::<u32>().ok()?)))
        });
        zxid.ok_or_else(|| self.wrong(name, value, "a number or \"eE:C\""))
    }

    pub(super) fn zxid_if_any(&self, name: &str) -> Result<Option<Zxid>, String> {
        if self.has(name) { self.zxid(name).map(Some) } else { Ok(None) }
    }

    pub(super) fn i32(&self, name: &str) -> Result<i32, String> {
        let value = self.required(name)?;
        let number = value.as_i64().and_then(|number| i32::try_from(number).ok());
        number.ok_or_else(|| self.wrong(name, value, "a 32-bit whole number"))
    }

    pub(super) fn i32_or(&self, name: &str, default: i32) -> Result<i32, String> {
        if self.has(name) { self.i32(name) } else { Ok(default) }
    }

    pub(super) fn list(&self, name: &str) -> Result<&'a [Value], String> {
        let value = self.required(name)?;
        value.as_array().map(Vec::as_slice).ok_or_else(|| self.wrong(name, value, "a list"))
    }

    /// Says that a field holds what it must not.
    pub(super) fn wrong(&self, name: &str, value: &Value, wanted: &str) -> String {
        format!("`{}` holds {}, where {wanted} belongs", self.place(name), shown(value))
    }

    fn required(&self, name: &str) -> Result<&'a Value, String> {
        self.get(name).ok_or_else(|| format!("`{}` is missing", self.place(name)))
    }

    fn place(&self, name: &str) -> String {
        if self.at.is_empty() { name.to_owned() } else { format!("{}.{name}", self.at) }
    }
}

/// A value as text, cut short if it is long.
fn shown(value: &Value) -> String {
    const MOST: usize = 60;
    let text = value.to_string();
    if text.chars().count() <= MOST {
        return text;
    }
    let start: String = text.chars().take(MOST).collect();
    format!("{start}…")
}
