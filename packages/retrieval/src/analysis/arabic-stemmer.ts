/**
 * Light stemming of Arabic: articles, conjunctions and inflections that are written onto the word.
 * After Larkey, Ballesteros and Connell, "Light Stemming for Arabic Information Retrieval" (2007), light10.
 */
const ARTICLES = ['وال', 'بال', 'كال', 'فال', 'ال', 'لل'];
const SUFFIXES = ['ها', 'ان', 'ات', 'ون', 'ين', 'يه', 'ية', 'ه', 'ة', 'ي'];

/** What must be left of a word when something is taken off it, in letters. */
const MIN_STEM = 2;
/** The conjunction و is a letter of many short words: it is taken off long ones only. */
const MIN_AFTER_CONJUNCTION = 3;

export function stemArabic(word: string): string {
  let stem = withoutArticle(word);
  for (const suffix of SUFFIXES) {
    if (stem.endsWith(suffix) && stem.length - suffix.length >= MIN_STEM)
      stem = stem.slice(0, -suffix.length);
  }
  return stem;
}

function withoutArticle(word: string): string {
  const bare =
    word.startsWith('و') && !word.startsWith('وال') && word.length - 1 >= MIN_AFTER_CONJUNCTION
      ? word.slice(1)
      : word;
  const article = ARTICLES.find(
    (prefix) => bare.startsWith(prefix) && bare.length - prefix.length >= MIN_STEM,
  );
  return article === undefined ? bare : bare.slice(article.length);
}
