//! Reads a view and prints some of its parts.

mod json;
mod view;

use json::{FromJson, Json};
use std::io::Read;
use view::View;

fn there<T>(value: &Option<T>, yes: &'static str, no: &'static str) -> &'static str {
    value.as_ref().map_or(no, |_| yes)
}

fn main() -> Result<(), String> {
    let mut text = String::new();
    std::io::stdin().read_to_string(&mut text).map_err(|error| error.to_string())?;
    let view = View::from_json(&Json::read(&text)?)?;
    println!("{} {:.2} {} {}", view.for_, view._2nd, view.field, view.a_b);
    println!("{} {}", view.suits[0].as_ref().unwrap(), there(&view.suits[1], "some", "none"));
    let sizes: Vec<String> = view.grid.iter().map(|row| row.len().to_string()).collect();
    println!("{}: {}; grid[2][0] = {}", view.grid.len(), sizes.join(" "), view.grid[2][0]);
    println!("{} {} {}", view.flags[0], view.flags[1], view.flags[2]);
    for (key, items) in &view.bag {
        println!("{key}: {} {}", items[0], items[1]);
    }
    let absent = there(&view.absent, "there", "absent");
    println!("{} {} {absent}", view.who.unwrap(), there(&view.whom, "some", "none"));
    let tree = view.tree.as_ref().unwrap();
    let leaf = tree.left.as_ref().unwrap();
    println!("{} {} {}", tree.name, leaf.name, there(&leaf.left, "some", "none"));
    println!("{} {}", view.trees[0].name, view.trees[1].name);
    if let (Json::List(pair), Json::Text(either)) = (&view.pair, &view.either) {
        if let [Json::Text(first), Json::Whole(second)] = &pair[..] {
            println!("{first} {second} {either}");
        }
    }
    Ok(())
}
