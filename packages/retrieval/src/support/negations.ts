import { analyze } from '../analysis/analyzer.js';
import { NEGATIONS } from '../question/negation.js';
import type { Language } from '../question/function-words.js';

const CLAUSE = /[,;:!?()\n，。；：！？、،؛—–]|\.(?=\s|$)/gu;
/** A cue denies terms up to this distance. */
const REACH = 3;

/** What a text denies. */
export interface Denials {
  /** The content term that each negation denies: the next of its clause, else the one before. */
  readonly heads: readonly string[];
  /** The terms that stand near a negation somewhere. */
  readonly denied: ReadonlySet<string>;
  /** The terms that stand far from any negation somewhere. */
  readonly affirmed: ReadonlySet<string>;
}

/** Finds the negations of a text, and the content terms that they deny. */
export function readDenials(text: string, language: Language, content: ReadonlySet<string>): Denials {
  const heads: string[] = [];
  const denied = new Set<string>();
  const affirmed = new Set<string>();
  for (const clause of text.split(CLAUSE)) {
    const parts = clause
      .split(NEGATIONS[language])
      .map((part) => analyze(part).filter((term) => content.has(term)));
    const terms = parts.flat();
    const cues: number[] = [];
    for (let index = 0, at = 0; index < parts.length - 1; index += 1) {
      at += parts[index]?.length ?? 0;
      cues.push(at);
      const head = terms[at] ?? terms[at - 1];
      if (head !== undefined) heads.push(head);
    }
    let nearest = 0;
    for (const [at, term] of terms.entries()) {
      while (
        Math.abs((cues[nearest + 1] ?? Infinity) - at) <= Math.abs((cues[nearest] ?? Infinity) - at) &&
        nearest + 1 < cues.length
      )
        nearest += 1;
      const distance = at - (cues[nearest] ?? Infinity);
      (distance >= -REACH && distance < REACH ? denied : affirmed).add(term);
    }
  }
  return { heads, denied, affirmed };
}

/**
 * Whether a statement and the sentences of a passage deny the same. It `differs` if one denies a term that the other affirms; a
 * denial is `missing` if the sentences do not have what the statement denies.
 */
export function compareDenials(
  statement: Denials,
  sentences: readonly Denials[],
): 'same' | 'differs' | 'missing' {
  const isDenied = (term: string): boolean => sentences.some(({ denied }) => denied.has(term));
  const isAffirmed = (term: string): boolean => sentences.some(({ affirmed }) => affirmed.has(term));
  const statesMore = statement.heads.some((head) => isAffirmed(head) && !isDenied(head));
  const statesLess = sentences.some(({ heads }) =>
    heads.some((head) => !isAffirmed(head) && statement.affirmed.has(head) && !statement.denied.has(head)),
  );
  if (statesMore || statesLess) return 'differs';
  const isMissing = statement.heads.some((head) => !isDenied(head)) && ![...statement.denied].some(isDenied);
  return isMissing ? 'missing' : 'same';
}
