const ARTICLES = ['وال', 'بال', 'كال', 'فال', 'ال', 'لل'];
const SUFFIXES = ['ها', 'ان', 'ات', 'ون', 'ين', 'يه', 'ية', 'ه', 'ة', 'ي'];

/** Minimum length of the stem after an affix is removed, in letters. */
const MIN_STEM = 2;
/** Many short words begin with the letter of the conjunction و: it is removed from longer words only. */
const MIN_AFTER_CONJUNCTION = 3;

/**
 * Light stemming of Arabic: removes articles, conjunctions and inflections that are attached to the word.
 * Source: light10 of Larkey, Ballesteros and Connell, "Light Stemming for Arabic Information Retrieval",
 * 2007.
 */
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
