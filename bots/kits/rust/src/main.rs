//! A bot that chooses at random, until you write something better into `choose`.

mod json;
mod referee;
mod view;

use referee::Act;

/// Return the options to take, `act.low` to `act.high` of them (mostly one).
///
/// `act.view` holds what your seat knows, `act.events` what has happened since you were last asked.
/// Draw random numbers with `act.below`, and the bot plays a match again as it did before.
fn choose(act: &mut Act) -> Vec<String> {
    let mut moves = act.options.clone();
    let size = act.low + act.below(act.high - act.low + 1);
    for i in 0..size {
        let other = i + act.below(moves.len() - i);
        moves.swap(i, other);
    }
    moves.truncate(size);
    moves
}

fn main() -> Result<(), String> {
    referee::serve(choose)
}
