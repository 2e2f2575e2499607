// How the search of the site ranks its results: pages by their titles first, then text, and the pages of
// single functions last. The fields are those of Sphinx; see html_search_scorer.
var Scorer = {
  score: ([page, , , , score]) => (page.startsWith("reference/api") ? score - 20 : score),
  objNameMatch: 11,
  objPartialMatch: 6,
  objPrio: { 0: 15, 1: 5, 2: -5 },
  objPrioDefault: 0,
  title: 45,
  partialTitle: 35,
  term: 5,
  partialTerm: 2,
};
