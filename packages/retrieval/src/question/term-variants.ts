import { analyze } from '../analysis/analyzer.js';
import { askedIdentifiers } from '../analysis/identifiers.js';
import type { Language } from './function-words.js';

/** Terms that stand for terms of a question in the text of a document. */
export interface TermVariant {
  /** A chunk must have all of them. */
  readonly needs: readonly string[];
  /** The terms of the question. */
  readonly terms: readonly string[];
}

/** What a variant counts, compared with the term itself. */
export const VARIANT_WEIGHT = 0.7;

/** Shorter words have too many relatives. */
const MIN_WORD = 4;
const MIN_ROOT = 4;
const MIN_COMPOUND = 9;
/** Words of a question that are joined to compounds with each other. */
const MAX_PARTS = 4;
/** Words of a question that have variants. */
const MAX_WORDS = 12;
const LATIN = /^[a-z]+$/;

const SEPARABLE = /^(ab|an|auf|aus|bei|ein|her|hin|mit|nach|teil|um|vor|weg|zuruck|zusammen|zu)(?=[a-z]{3})/;
const LINKS = ['', 's', 'n', 'en', 'ungs'];
const LINK = /(?:ungs|en|s|n)$/;
const SPANISH_ENDING = /(?:ar|er|ir|an|en|a|e|o)$/;
const FRENCH_ENDING = /(?:ez|er|ent|on|ir)$/;

/**
 * The joined forms of identifiers that a question has in parts.
 *
 * @param weights of the terms of the question. A function word is no part of an identifier
 */
export function identifierVariants(question: string, weights: ReadonlyMap<string, number>): TermVariant[] {
  return Array.from(askedIdentifiers(question), ([parts, joined]) => ({
    needs: [joined],
    terms: parts.split(' ').map((part) => analyze(part)[0] ?? ''),
  })).filter(({ terms }) => terms.every((term) => weights.has(term)));
}

/**
 * Other forms of the terms of a question: verbs (German, French, Spanish) and German compounds of them or their parts. Stems
 * are compared. Names, and nouns of German, have no other forms here. Only the variants that a document has take effect, so that most may be no words.
 */
export function termVariants(weights: ReadonlyMap<string, number>, language: Language): TermVariant[] {
  const terms = [...weights.keys()];
  const words = terms.filter((term) => term.length >= MIN_WORD && LATIN.test(term)).slice(0, MAX_WORDS);
  const formsOf = FORMS[language];
  if (formsOf === undefined) return [];
  const verbs = words.filter((term) => (weights.get(term) ?? 0) <= 1);
  const forms = verbs.flatMap((term) =>
    [...new Set(formsOf(term))]
      .filter((form) => form !== term && form.length >= MIN_ROOT)
      .map((form) => ({ needs: [form], terms: [term] })),
  );
  return language === 'de' ? [...forms, ...compounds(words), ...words.flatMap(parts)] : forms;
}

const FORMS: Readonly<Partial<Record<Language, (term: string) => string[]>>> = {
  de: germanForms,
  es: spanishForms,
  fr: frenchForms,
};

/** kostet, kosten; gekündigt, kündigen; ausgetauscht, austauschen; zurückgegeben, zurückgeben. */
function germanForms(term: string): string[] {
  const prefix = SEPARABLE.exec(term)?.[0] ?? '';
  const verb = term.slice(prefix.length);
  const bare = verb.replace(/^ge(?=[a-z]{3})/, '');
  const roots = [verb, bare, bare.replace(/e?t$/, ''), bare.replace(/t$/, '')].filter(
    (root) => root.length > 2,
  );
  return roots.flatMap((root) =>
    [root, `${root}t`, `${root}et`, `ge${root}`, `ge${root}t`].map((form) => prefix + form),
  );
}

/** cuesta, costar; envío, envían, enviar; recomienda, recomendar. */
function spanishForms(term: string): string[] {
  const root = term.replace(SPANISH_ENDING, '');
  if (root.length < MIN_ROOT) return [];
  const vowel = /(?:ie|ue|o|e|u)(?=[b-df-hj-np-tv-z]{1,3}$)/;
  const changed =
    { ie: ['e'], ue: ['o'], u: ['o'], e: ['ie'], o: ['ue', 'u'] }[vowel.exec(root)?.[0] ?? ''] ?? [];
  return [root, ...changed.map((other) => root.replace(vowel, other))].flatMap((one) =>
    ['', 'ar', 'er', 'ir', 'an', 'a', 'o'].map((ending) => one + ending),
  );
}

/** envoyer, envoient; détartrer, détartrez. */
function frenchForms(term: string): string[] {
  const root = term.replace(FRENCH_ENDING, '');
  const other = root.replace(/[yi]$/, (last) => (last === 'y' ? 'i' : 'y'));
  return root.length < MIN_ROOT
    ? []
    : [root, other].flatMap((one) => ['', 'ez', 'ent', 'er', 'on'].map((ending) => one + ending));
}

/** "Anspruch auf Urlaub" asked, "Urlaubsanspruch" written. */
function compounds(words: readonly string[]): TermVariant[] {
  const own = words.slice(0, MAX_PARTS);
  return own.flatMap((first) =>
    own
      .filter((last) => last !== first)
      .flatMap((last) => LINKS.map((link) => ({ needs: [first + link + last], terms: [first, last] }))),
  );
}

/** "Urlaubsanspruch" asked, "Anspruch auf Urlaub" written. */
function parts(word: string): TermVariant[] {
  const cuts = Array.from({ length: Math.max(0, word.length - MIN_COMPOUND + 1) }, (_, at) => at + MIN_ROOT);
  if (word.length < MIN_COMPOUND) return [];
  return cuts.flatMap((at) => {
    const first = word.slice(0, at);
    const last = word.slice(at);
    const without = first.replace(LINK, '');
    return [...new Set([first, without])]
      .filter((part) => part.length >= MIN_ROOT)
      .map((part) => ({ needs: [part, last], terms: [word] }));
  });
}
