// The words of a page in the reader's language. `makeWords(texts)` returns a function that fills
// the braces of a text: with { "written": "{number} on {square}." },
// word("written", { number: 7, square: "a1" }) is "7 on a1.".
function makeWords(texts) {
  return (key, values = {}) => {
    if (!(key in texts)) throw new Error(`no words for ${key}`);
    return texts[key].replace(/\{(\w+)\}/g, (_, name) => values[name]);
  };
}

// Return words, of which there is at least one, as a list in a sentence. `lastKey` is the key of the
// text before the last of them: with "and" the list is "a, b and c".
function joinWords(word, words, lastKey = "list") {
  const last = words.length - 1;
  return words.reduce((joined, next, i) => word(i === last ? lastKey : "list", { first: joined, last: next }));
}

// Return sentences as one text, with blanks between them where a language has any.
function joinSentences(word, sentences) {
  return sentences.reduce((joined, next) => word("sentences", { first: joined, last: next }));
}
