// How the search of the site ranks its results: first the pages whose own title has a word that is asked
// for, then those with such a heading, then text, and the pages of single functions last. The fields are
// those of Sphinx; see html_search_scorer.
"use strict";

const TITLE_BONUS = 30;
const API_MALUS = 20;

function askedWords() {
  const asked = new URLSearchParams(location.search).get("q") ?? "";
  return asked.toLowerCase().split(/\W+/).filter((word) => word.length > 2);
}

var Scorer = {
  score: ([page, title, anchor, , score]) => {
    if (page.startsWith("reference/api")) return score - API_MALUS;
    const isInTitle = askedWords().some((word) => title.toLowerCase().includes(word));
    return !anchor && isInTitle ? score + TITLE_BONUS : score;
  },
  objNameMatch: 11,
  objPartialMatch: 6,
  objPrio: { 0: 15, 1: 5, 2: -5 },
  objPrioDefault: 0,
  title: 45,
  partialTitle: 35,
  term: 5,
  partialTerm: 2,
};
