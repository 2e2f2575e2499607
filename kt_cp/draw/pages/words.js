// The words of a page in the reader's language. `makeWords(texts)` returns a function that fills
// the braces of a text: with { "written": "{number} on {square}." },
// word("written", { number: 7, square: "a1" }) is "7 on a1.".
function makeWords(texts) {
  return (key, values = {}) => {
    if (!(key in texts)) throw new Error(`no words for ${key}`);
    return texts[key].replace(/\{(\w+)\}/g, (_, name) => values[name]);
  };
}

// Several words as a list in a sentence, such as "a, b and c" with the last word `and`.
function joinWords(word, parts, last = "list") {
  return parts.reduce((first, part, i) => word(i === parts.length - 1 ? last : "list", { first, last: part }));
}

// Several sentences as one text, with blanks between them where a language has any.
function joinSentences(word, parts) {
  return parts.reduce((first, last) => word("sentences", { first, last }));
}
