/**
 * What a bot sees: an object as the README.md of the game describes it.
 * `ladder new typescript NAME --game GAME` writes the types of one game here.
 */
export type View = { [key: string]: any };
