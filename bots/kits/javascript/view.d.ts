/**
 * What a bot sees: an object as the README.md of the game describes it.
 * `ladder new javascript NAME --game GAME` writes the types of one game here, for editors that read them.
 */
export type View = { [key: string]: any };
