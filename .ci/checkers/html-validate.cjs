// What html-validate asks of the pages.  A rule that is off has its reason here.
module.exports = {
  root: true,
  extends: ["html-validate:recommended"],
  rules: {
    "doctype-style": ["error", { style: "lowercase" }], // as all other names in the pages
    "form-dup-name": "off", // the bots of a table and the cards of a move are lists: the server reads them all
    "long-title": "off", // a title says who plays, or who won: names of bots may be long
    "prefer-native-element": ["error", { exclude: ["region"] }], // a div and a section with a name are the same region
    "wcag/h32": "off", // a search is sent with Enter, or with the key for it on a telephone
  },
};
