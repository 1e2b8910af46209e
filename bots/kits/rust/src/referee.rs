//! Talks to the referee: one JSON object a line, over stdin and stdout. stderr is your log.
#![allow(dead_code)] // not every bot needs every field

use crate::json::{self, field, FromJson, Json};
use crate::view::View;
use std::io::{self, BufRead, Write};

/// What a decision cost; 0 is not said.
#[derive(Clone, Copy, Default)]
pub struct Usage {
    pub input_tokens: u64,
    pub output_tokens: u64,
    pub cost_usd: f64,
    pub requests: u64,
}

impl Usage {
    fn write(&self) -> String {
        let parts = [
            ("input_tokens", self.input_tokens as f64),
            ("output_tokens", self.output_tokens as f64),
            ("cost_usd", self.cost_usd),
            ("requests", self.requests as f64),
        ];
        let said = parts.iter().filter(|(_, value)| *value > 0.0);
        let said: Vec<String> = said.map(|(name, value)| format!("\"{name}\":{value}")).collect();
        said.join(",")
    }
}

/// What the referee asks.
pub struct Act {
    /// Such as "stellar".
    pub game: String,
    /// Yours, counted from 0.
    pub seat: usize,
    /// The size of the table.
    pub seats: usize,
    /// The rule options of this match.
    pub rules: Json,
    /// Of the match, from 0.
    pub step: u64,
    /// The moves that are allowed now.
    pub options: Vec<String>,
    /// How many of them to choose, at least and at most; both are 1 if the answer is a single move.
    pub low: usize,
    pub high: usize,
    /// Everything that your seat knows.
    pub view: View,
    /// What has happened since you were last asked.
    pub events: Vec<Json>,
    /// The whole message.
    pub message: Json,
    /// Set it to store a note with the move; replays show it.
    pub note: Option<String>,
    /// Set it to say what the decision cost.
    pub usage: Usage,
    luck: u64,
}

impl Act {
    fn read(message: Json, start: &Json) -> Result<Act, String> {
        let choice: Json = field(&message, "choice")?;
        let step: u64 = field(&message, "step")?;
        let seed: u64 = field(&message, "seed")?;
        let low: Option<usize> = field(&choice, "low")?;
        let high: Option<usize> = field(&choice, "high")?;
        Ok(Act {
            game: field(start, "game")?,
            seat: field(start, "seat")?,
            seats: field(start, "seats")?,
            rules: field(start, "options")?,
            step,
            options: field(&choice, "options")?,
            low: low.unwrap_or(1),
            high: high.unwrap_or(1),
            view: field(&message, "view")?,
            events: field(&message, "events")?,
            message,
            note: None,
            usage: Usage::default(),
            luck: seed ^ step << 53,
        })
    }

    /// A random number from 0 to `bound` - 1. It follows from the seed of the match and the step.
    pub fn below(&mut self, bound: usize) -> usize {
        self.luck = self.luck.wrapping_add(0x9e37_79b9_7f4a_7c15); // splitmix64
        let mut z = self.luck;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) % bound as u64) as usize
    }

    fn answer(&self, moves: Vec<String>) -> Result<String, String> {
        let (low, high) = (self.low, self.high);
        if moves.len() < low || moves.len() > high {
            let size = moves.len();
            return Err(format!(
                "choose returned {size} moves, expected {low} to {high}"
            ));
        }
        let id: String = field(&self.message, "id")?;
        let kind: String = field(&field::<Json>(&self.message, "choice")?, "kind")?;
        let moves: Vec<String> = moves.iter().map(|text| json::quote(text)).collect();
        let chosen = if kind == "one" {
            moves[0].clone()
        } else {
            format!("[{}]", moves.join(","))
        };
        let mut line = format!("\"id\":{},\"move\":{chosen}", json::quote(&id));
        if let Some(note) = &self.note {
            line += &format!(",\"note\":{}", json::quote(note));
        }
        let usage = self.usage.write();
        if !usage.is_empty() {
            line += &[",\"usage\":{", &usage, "}"].concat();
        }
        Ok(["{", &line, "}"].concat())
    }
}

/// Answer until the referee says goodbye. Returns an error for a line that cannot be read.
pub fn serve(mut choose: impl FnMut(&mut Act) -> Vec<String>) -> Result<(), String> {
    let mut start = Json::Null;
    for line in io::stdin().lock().lines() {
        let message = Json::read(&line.map_err(|error| error.to_string())?)?;
        match String::from_json(message.get("type"))?.as_str() {
            "hello" => write("{\"type\":\"ready\",\"protocol\":1}")?,
            "start" => start = message,
            "act" => {
                let mut act = Act::read(message, &start)?;
                let moves = choose(&mut act);
                write(&act.answer(moves)?)?;
            }
            "bye" => break,
            _ => {}
        }
    }
    Ok(())
}

fn write(line: &str) -> Result<(), String> {
    let mut out = io::stdout();
    writeln!(out, "{line}")
        .and_then(|_| out.flush())
        .map_err(|error| error.to_string())
}
