import { analyze } from '../analysis/analyzer.js';
import { matchedWeight } from '../question/question-terms.js';
import { isSignature, type Unit } from './passage-units.js';

/** What a unit counts by its form. Others count 1. */
export const FORM_WEIGHTS = { definition: 1.5, stepOrDescription: 1.1, code: 0.7 };
/** A term and the mark or word that begins its definition. */
const DEFINED =
  /^(?:[-–•*]\s+(?=\S))?([^.!?。！？\n]{1,60}?)(?:(?<!\s)(?:\s*[:：]\s|\s+(?:[–—]|is|are|means|ist|sind|bezeichnet|est|sont|désigne|es|son|è|sono|é|são|это)\s)|：|とは|是指?|は)/u;
/** The least share of the question's weight that a defined term has. "Mean" in "What does a lease mean?" is no part of it. */
const DEFINED_SHARE = 0.4;
/** The first cell of a row. */
const ROW_HEAD = /^([^|\n]{1,60}) \|/u;
/** The least share of a sentence's characters that are signs of code. */
const CODE_SHARE = 0.08;
const CODE_SIGNS = /[{}()[\]<>=;$&\\"'`_|]/g;

/** What a unit counts by its form: definitions and steps are preferred, and code says little without what announces it. */
export function formWeight(
  text: string,
  { kind, label, start, end }: Unit,
  terms: ReadonlyMap<string, number>,
): number {
  const unit = text.slice(start, end);
  const signs = kind === 'sentence' ? (unit.match(CODE_SIGNS)?.length ?? 0) : 0;
  if (signs > CODE_SHARE * unit.length) return FORM_WEIGHTS.code;
  const [, term = ''] = (kind === 'row' ? ROW_HEAD : DEFINED).exec(unit) ?? [];
  const defined = new Set(analyze(term));
  const known = [...defined].filter((one) => terms.has(one)).length;
  const isAsked =
    matchedWeight(terms, defined) >= DEFINED_SHARE * matchedWeight(terms, new Set(terms.keys()));
  // "Refunds are paid …" has the form of a definition, but goes on in the next sentence.
  const isEntry = kind !== 'sentence' || /^\s*[:：–—]/u.test(unit.slice(term.length));
  if (known > 0 && known === defined.size && isAsked && isEntry) return FORM_WEIGHTS.definition;
  const describes =
    label !== null &&
    text.slice(label.end, start).trim() === '' &&
    isSignature(text.slice(label.start, label.end));
  return kind === 'step' || known > 0 || describes ? FORM_WEIGHTS.stepOrDescription : 1;
}
