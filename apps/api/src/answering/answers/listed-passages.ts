import { analyze, type AnalyzedQuestion, termId } from '@citewell/retrieval';
import type { FoundPassage } from '../search/retriever.service.js';

/** Fewer passages are no list. */
const MIN_LISTED = 3;
/** The share of its terms that a passage has in common with another one of the list. */
const ALIKE = 0.5;

type Passage = Pick<FoundPassage, 'text' | 'terms'>;

/**
 * The passages that a command lists, although none has the word for what they are: "List all courses on Friday" finds "Fencing is
 * on Friday". They have all other words of the question, at least half of their weight, and are alike, as the entries of a list
 * are.
 *
 * @returns empty if the question is no command, or there is no such list
 */
export function listedPassages<P extends Passage>(question: AnalyzedQuestion, passages: readonly P[]): P[] {
  if (!question.isCommand) return [];
  const weights = [...question.weights].map(([term, weight]) => ({ id: termId(term), weight }));
  const known = weights.filter(({ id }) => passages.some(({ terms }) => terms.includes(id)));
  const isOneUnknown = known.length === weights.length - 1;
  const total = (list: typeof weights): number => list.reduce((sum, { weight }) => sum + weight, 0);
  if (!isOneUnknown || total(known) < total(weights) / 2) return [];
  const listed = passages.filter(({ terms }) => known.every(({ id }) => terms.includes(id)));
  const [first] = listed;
  if (first === undefined || listed.length < MIN_LISTED) return [];
  const words = new Set(analyze(first.text));
  return listed.every(({ text }) => isAlike(words, new Set(analyze(text)))) ? listed : [];
}

function isAlike(a: ReadonlySet<string>, b: ReadonlySet<string>): boolean {
  const common = [...a].filter((word) => b.has(word)).length;
  return common >= ALIKE * Math.min(a.size, b.size);
}
