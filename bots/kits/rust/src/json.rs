//! A small, strict JSON reader.
#![allow(dead_code)] // not every bot needs every function

use std::collections::BTreeMap;

const MOST_LEVELS: usize = 64;

#[derive(Debug, Clone, PartialEq)]
pub enum Json {
    Null,
    Flag(bool),
    /// A number without fraction and exponent that fits into 64 bits.
    Whole(i64),
    Number(f64),
    Text(String),
    List(Vec<Json>),
    Object(BTreeMap<String, Json>),
}

impl Json {
    /// Read a document, or say what is wrong, and where.
    pub fn read(text: &str) -> Result<Json, String> {
        let mut reader = Reader { text, at: 0 };
        let value = reader.value(MOST_LEVELS)?;
        reader.skip_spaces();
        if reader.at < text.len() {
            return reader.wrong("something after the end");
        }
        Ok(value)
    }

    /// The member of an object; null if it is not there.
    pub fn get(&self, key: &str) -> &Json {
        match self {
            Json::Object(members) => members.get(key).unwrap_or(&Json::Null),
            _ => &Json::Null,
        }
    }
}

/// Write a string as JSON.
pub fn quote(text: &str) -> String {
    let mut out = String::from("\"");
    for letter in text.chars() {
        match letter {
            '"' | '\\' => out.extend(['\\', letter]),
            '\0'..='\x1f' => out += &format!("\\u{:04x}", letter as u32),
            _ => out.push(letter),
        }
    }
    out + "\""
}

/// A type that can be made from JSON; an error says what was expected.
pub trait FromJson: Sized {
    fn from_json(value: &Json) -> Result<Self, String>;
}

/// Make a value from the member of an object. A missing member counts as null.
pub fn field<T: FromJson>(object: &Json, key: &str) -> Result<T, String> {
    T::from_json(object.get(key)).map_err(|error| format!("{key}: {error}"))
}

fn expected<T>(what: &str, value: &Json) -> Result<T, String> {
    Err(format!("expected {what}, got: {value:?}"))
}

impl FromJson for Json {
    fn from_json(value: &Json) -> Result<Json, String> {
        Ok(value.clone())
    }
}

impl FromJson for String {
    fn from_json(value: &Json) -> Result<String, String> {
        match value {
            Json::Text(text) => Ok(text.clone()),
            _ => expected("a string", value),
        }
    }
}

impl FromJson for bool {
    fn from_json(value: &Json) -> Result<bool, String> {
        match value {
            Json::Flag(flag) => Ok(*flag),
            _ => expected("true or false", value),
        }
    }
}

impl FromJson for f64 {
    fn from_json(value: &Json) -> Result<f64, String> {
        match value {
            Json::Whole(number) => Ok(*number as f64),
            Json::Number(number) => Ok(*number),
            _ => expected("a number", value),
        }
    }
}

impl FromJson for i64 {
    fn from_json(value: &Json) -> Result<i64, String> {
        match value {
            Json::Whole(number) => Ok(*number),
            _ => expected("a whole number", value),
        }
    }
}

impl FromJson for u64 {
    fn from_json(value: &Json) -> Result<u64, String> {
        match value {
            Json::Whole(number) if *number >= 0 => Ok(*number as u64),
            _ => expected("a whole number from 0", value),
        }
    }
}

impl FromJson for usize {
    fn from_json(value: &Json) -> Result<usize, String> {
        u64::from_json(value).map(|number| number as usize)
    }
}

impl<T: FromJson> FromJson for Option<T> {
    fn from_json(value: &Json) -> Result<Option<T>, String> {
        match value {
            Json::Null => Ok(None),
            _ => T::from_json(value).map(Some),
        }
    }
}

impl<T: FromJson> FromJson for Box<T> {
    fn from_json(value: &Json) -> Result<Box<T>, String> {
        T::from_json(value).map(Box::new)
    }
}

impl<T: FromJson> FromJson for Vec<T> {
    fn from_json(value: &Json) -> Result<Vec<T>, String> {
        match value {
            Json::List(items) => items.iter().map(T::from_json).collect(),
            _ => expected("a list", value),
        }
    }
}

impl<T: FromJson> FromJson for BTreeMap<String, T> {
    fn from_json(value: &Json) -> Result<BTreeMap<String, T>, String> {
        match value {
            Json::Object(members) => members
                .keys()
                .map(|key| Ok((key.clone(), field(value, key)?)))
                .collect(),
            _ => expected("an object", value),
        }
    }
}

struct Reader<'a> {
    text: &'a str,
    at: usize,
}

impl Reader<'_> {
    fn wrong<T>(&self, found: &str) -> Result<T, String> {
        Err(format!("found {found} at byte {}", self.at))
    }

    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn skip_spaces(&mut self) {
        while let Some(b' ' | b'\t' | b'\r' | b'\n') = self.peek() {
            self.at += 1;
        }
    }

    fn take(&mut self, word: &str) -> bool {
        let found = self.text[self.at..].starts_with(word);
        self.at += if found { word.len() } else { 0 };
        found
    }

    fn value(&mut self, levels: usize) -> Result<Json, String> {
        self.skip_spaces();
        match self.peek() {
            Some(b'"') => self.string().map(Json::Text),
            Some(b'-' | b'0'..=b'9') => self.number(),
            Some(b'[' | b'{') if levels == 0 => self.wrong("too many levels"),
            Some(b'[') => self.list(levels - 1),
            Some(b'{') => self.object(levels - 1),
            _ if self.take("true") => Ok(Json::Flag(true)),
            _ if self.take("false") => Ok(Json::Flag(false)),
            _ if self.take("null") => Ok(Json::Null),
            _ => self.wrong("no value"),
        }
    }

    fn list(&mut self, levels: usize) -> Result<Json, String> {
        let mut items = Vec::new();
        self.at += 1;
        self.skip_spaces();
        if self.take("]") {
            return Ok(Json::List(items));
        }
        loop {
            items.push(self.value(levels)?);
            self.skip_spaces();
            if self.take("]") {
                return Ok(Json::List(items));
            }
            if !self.take(",") {
                return self.wrong("neither a comma nor the end of a list");
            }
        }
    }

    fn object(&mut self, levels: usize) -> Result<Json, String> {
        let mut members = BTreeMap::new();
        self.at += 1;
        self.skip_spaces();
        if self.take("}") {
            return Ok(Json::Object(members));
        }
        loop {
            self.skip_spaces();
            if self.peek() != Some(b'"') {
                return self.wrong("no key in an object");
            }
            let key = self.string()?;
            self.skip_spaces();
            if !self.take(":") {
                return self.wrong("no colon after a key");
            }
            if members.insert(key, self.value(levels)?).is_some() {
                return self.wrong("a key a second time, before this");
            }
            self.skip_spaces();
            if self.take("}") {
                return Ok(Json::Object(members));
            }
            if !self.take(",") {
                return self.wrong("neither a comma nor the end of an object");
            }
        }
    }

    fn number(&mut self) -> Result<Json, String> {
        let start = self.at;
        self.take("-");
        if !self.take("0") {
            self.digits()?;
        }
        let mut is_whole = true;
        if self.take(".") {
            is_whole = false;
            self.digits()?;
        }
        if self.take("e") || self.take("E") {
            is_whole = false;
            let _ = self.take("-") || self.take("+");
            self.digits()?;
        }
        let digits = &self.text[start..self.at];
        match (is_whole, digits.parse::<i64>(), digits.parse::<f64>()) {
            (true, Ok(number), _) => Ok(Json::Whole(number)),
            (_, _, Ok(number)) if number.is_finite() => Ok(Json::Number(number)),
            _ => self.wrong("a number that is too large"),
        }
    }

    fn digits(&mut self) -> Result<(), String> {
        let start = self.at;
        while let Some(b'0'..=b'9') = self.peek() {
            self.at += 1;
        }
        if self.at == start {
            return self.wrong("a wrong number");
        }
        Ok(())
    }

    fn string(&mut self) -> Result<String, String> {
        let mut result = String::new();
        self.at += 1;
        loop {
            match self.text[self.at..].chars().next() {
                None => return self.wrong("a string without its end"),
                Some('"') => {
                    self.at += 1;
                    return Ok(result);
                }
                Some('\0'..='\x1f') => return self.wrong("a control character in a string"),
                Some('\\') => result.push(self.escape()?),
                Some(letter) => {
                    self.at += letter.len_utf8();
                    result.push(letter);
                }
            }
        }
    }

    fn escape(&mut self) -> Result<char, String> {
        self.at += 1;
        let letter = self.peek();
        self.at += letter.map_or(0, |_| 1);
        Ok(match letter {
            Some(letter @ (b'"' | b'\\' | b'/')) => letter as char,
            Some(b'b') => '\x08',
            Some(b'f') => '\x0c',
            Some(b'n') => '\n',
            Some(b'r') => '\r',
            Some(b't') => '\t',
            Some(b'u') => return self.unicode(),
            _ => {
                self.at -= letter.map_or(0, |_| 1); // it may be in the middle of a character
                return self.wrong("a wrong escape in a string");
            }
        })
    }

    fn unicode(&mut self) -> Result<char, String> {
        let mut code = self.hex()?;
        if (0xd800..0xdc00).contains(&code) && self.take("\\u") {
            let second = self.hex()?;
            if (0xdc00..0xe000).contains(&second) {
                code = 0x10000 + ((code - 0xd800) << 10) + (second - 0xdc00);
            }
        }
        match char::from_u32(code) {
            Some(letter) => Ok(letter),
            None => self.wrong("half a pair of surrogates in a string"),
        }
    }

    fn hex(&mut self) -> Result<u32, String> {
        let mut code = 0;
        for _ in 0..4 {
            match self.peek().and_then(|letter| (letter as char).to_digit(16)) {
                Some(digit) => code = 16 * code + digit,
                None => return self.wrong("a wrong escape in a string"),
            }
            self.at += 1;
        }
        Ok(code)
    }
}
