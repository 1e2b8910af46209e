//! What a bot sees: an object, as the README.md of the game describes it.
//! `ladder new rust NAME --game GAME` writes the types of one game here.

pub type View = crate::json::Json;
