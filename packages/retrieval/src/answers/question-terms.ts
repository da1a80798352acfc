import { analyze } from '../analysis/analyzer.js';
import { isCjkTerm } from '../analysis/cjk-term.js';
import { functionWords, QUESTION_CHARACTERS, type Language } from './function-words.js';
import { detectLanguage } from './language.js';

/** A name or a number that the documents lack means that they speak of something else. */
const NAME_WEIGHT = 2;
const CAPITALISED_INSIDE = /(?<=[^\s.?!]\s+["'“„«(]?)[\p{Lu}\p{Nd}][^\s]*/gu;
const LOWER_CASE = /(?<=^|\s)\p{Ll}[^\s]*/gu;

/**
 * What a question is about: its terms as the index knows them, without function words, each with its weight.
 * Names and numbers (capitalised words inside the sentence, digits) weigh 2, all else 1. Empty for a question
 * made of function words.
 */
export function questionTerms(question: string): Map<string, number> {
  const grammar = grammarTerms(detectLanguage(question));
  const names = new Set(analyze((question.match(CAPITALISED_INSIDE) ?? []).join(' ')));
  for (const term of analyze((question.match(LOWER_CASE) ?? []).join(' '))) names.delete(term);
  // Without the grammar, the bigrams that joined it to the content are gone as well.
  const subject = new Set(analyze(question.normalize('NFKC').replace(QUESTION_CHARACTERS, ' ')));
  const terms = new Map<string, number>();
  for (const term of analyze(question)) {
    if (grammar.has(term) || (isCjkTerm(term) && !subject.has(term))) continue;
    terms.set(term, names.has(term) ? NAME_WEIGHT : 1);
  }
  return terms;
}

/** The share, 0..1, of the question's weight whose terms are among those given. */
export function coverage(question: ReadonlyMap<string, number>, terms: ReadonlySet<string>): number {
  let total = 0;
  let found = 0;
  for (const [term, weight] of question) {
    total += weight;
    if (terms.has(term)) found += weight;
  }
  return total === 0 ? 0 : found / total;
}

const grammarByLanguage = new Map<Language, ReadonlySet<string>>();

/** The function words of a language and of English, as the index knows them: English words are in many questions. */
function grammarTerms(language: Language): ReadonlySet<string> {
  let grammar = grammarByLanguage.get(language);
  if (grammar === undefined) {
    const words = [...functionWords('en'), ...functionWords(language)];
    grammar = new Set(words.flatMap((word) => analyze(word)));
    grammarByLanguage.set(language, grammar);
  }
  return grammar;
}
