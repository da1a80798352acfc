import { analyze, analyzeWords } from '../analysis/analyzer.js';
import { foldHan } from '../analysis/fold-han.js';
import { boundMarks, isCjkTerm } from '../analysis/word-folder.js';
import { inNormalForms } from '../analysis/normal-forms.js';
import { functionWords, type Language, QUESTION_CHARACTERS } from './function-words.js';
import { detectLanguage } from './detect-language.js';

/** Names and numbers weigh more: a document without them is about something else. */
const NAME_WEIGHT = 1.5;
// The look-behind comes after the first character, so that long white space is not scanned at each of its positions.
const CAPITALISED_INSIDE = /[\p{Lu}\p{Nd}](?<=[^\s.?!]\s+["'“„«(]?[\p{Lu}\p{Nd}])[^\s]*/gu;
const LOWER_CASE = /(?<=^|\s)\p{Ll}[^\s]*/gu;

/** Names of months that are function words in lower case. */
const MONTHS: ReadonlySet<string> = new Set(['may']);

/** Question words that consist of several words, of which some are content words elsewhere. */
const QUESTION_PHRASES =
  /(?<!\p{L})(?:how (?:long|often|far|big|large|high|tall|old|soon|fast|late|early|quickly)|(?:at |by )?what time|wie (?:lang|lange|hoch|oft|weit|groß|teuer|schnell|alt|spät|früh|häufig)|combien de (?:temps|fois)|à quelle heure|cuánto tiempo|cuántas veces|(?:a |desde |hasta )?qué hora|con qué frecuencia|quanto tempo|quante volte|a che ora|quantas vezes|a que horas|как (?:долго|часто|далеко|дорого)|сколько (?:времени|раз))(?!\p{L})/giu;

/** Verbs that ask for something without a question mark, at the beginning of a sentence. */
export const IMPERATIVE =
  /^(?:explain|describe|list|show|find|search|compare|summari[sz]e|define|give|name|outline|calculate|translate|look up|tell|erklär\p{L}*|beschreib\p{L}*|nenn\p{L}*|zeig\p{L}*|such\p{L}*|vergleich\p{L}*|fass\p{L}*|definier\p{L}*|liste|expliqu\p{L}*|décri\p{L}*|list\p{L}*|montr\p{L}*|cherch\p{L}*|compar\p{L}*|résum\p{L}*|défini\p{L}*|explica|explique|describ\p{L}*|muestr\p{L}*|busca|busque|resum\p{L}*|define)(?![\p{L}])/iu;

/**
 * The index terms of a question, in order and with repetitions: normal forms instead of what they stand for. The joined forms
 * of its identifiers are variants, see `identifierVariants`.
 */
export function questionAnalysis(question: string): string[] {
  return analyzeWords(normalQuestion(question));
}

/**
 * Returns the index terms of a question without function words, each with its weight. Names and numbers
 * (capitalised words inside the sentence, digits) weigh 1.5, other terms 1. Empty if the question consists of
 * function words.
 *
 * @param analyzed the terms of the question, if they are known
 */
export function questionTerms(text: string, analyzed?: readonly string[]): Map<string, number> {
  const question = normalQuestion(text);
  const functionTerms = functionTermsOf(detectLanguage(question));
  const phraseTerms = new Set(
    analyzeWords(
      [...(question.match(QUESTION_PHRASES) ?? []), IMPERATIVE.exec(question)?.[0] ?? ''].join(' '),
    ),
  );
  const names = new Set(analyzeWords((question.match(CAPITALISED_INSIDE) ?? []).join(' ')));
  for (const term of analyzeWords((question.match(LOWER_CASE) ?? []).join(' '))) names.delete(term);
  let subject: ReadonlySet<string> | undefined;
  // Replacing the function words by spaces also drops the bigrams that join them to content words.
  const isSubject = (term: string): boolean =>
    (subject ??= new Set(analyzeWords(foldHan(question).replace(QUESTION_CHARACTERS, ' ')))).has(term);
  const terms = new Map<string, number>();
  for (const term of analyzed ?? analyzeWords(question)) {
    const isFunctionWord = functionTerms.has(term) && !(MONTHS.has(term) && names.has(term));
    if (isFunctionWord || phraseTerms.has(term) || (isCjkTerm(term) && !isSubject(term))) continue;
    terms.set(term, names.has(term) ? NAME_WEIGHT : 1);
  }
  return terms;
}

function normalQuestion(text: string): string {
  return inNormalForms(boundMarks(text).normalize('NFKC'));
}

/** The weight of the terms of a question that are in `terms`. */
export function matchedWeight(question: ReadonlyMap<string, number>, terms: ReadonlySet<string>): number {
  let found = 0;
  for (const term of terms) found += question.get(term) ?? 0;
  return found;
}

const functionTermsByLanguage = new Map<Language, ReadonlySet<string>>();

/**
 * Index terms of the function words of a language and of English, which occur in questions of any language.
 */
function functionTermsOf(language: Language): ReadonlySet<string> {
  let terms = functionTermsByLanguage.get(language);
  if (terms === undefined) {
    const words = [...functionWords('en'), ...functionWords(language)];
    terms = new Set(words.flatMap((word) => analyze(word)));
    functionTermsByLanguage.set(language, terms);
  }
  return terms;
}
