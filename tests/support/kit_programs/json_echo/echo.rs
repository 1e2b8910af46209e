//! Reads lines; writes each as JSON again, or what is wrong with it.

mod json;

use json::{quote, Json};
use std::io::{self, BufRead};

fn write(value: &Json) -> String {
    match value {
        Json::Null => "null".to_string(),
        Json::Flag(flag) => flag.to_string(),
        Json::Whole(number) => number.to_string(),
        Json::Number(number) => format!("{number:e}"),
        Json::Text(text) => quote(text),
        Json::List(items) => format!("[{}]", items.iter().map(write).collect::<Vec<_>>().join(",")),
        Json::Object(members) => {
            let parts: Vec<_> = members.iter().map(|(key, item)| format!("{}:{}", quote(key), write(item))).collect();
            format!("{{{}}}", parts.join(","))
        }
    }
}

fn main() {
    for line in io::stdin().lock().lines() {
        match Json::read(&line.unwrap()) {
            Ok(value) => println!("{}", write(&value)),
            Err(error) => println!("error: {error}"),
        }
    }
}
