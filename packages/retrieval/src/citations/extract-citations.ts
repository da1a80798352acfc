import { CitationStreamFilter } from './citation-stream.filter.js';

export interface CheckedAnswer {
  /** The answer with each citation written as `[n]`, and none that names no passage. */
  readonly text: string;
  /** The numbers of the cited passages, in order of first citation. */
  readonly cited: number[];
}

/**
 * Checks the citations of a whole answer against the passages it was made from, numbered 1 to `passageCount`.
 * The rules are those of `CitationStreamFilter`, by construction.
 */
export function extractCitations(answer: string, passageCount: number): CheckedAnswer {
  const filter = new CitationStreamFilter(passageCount);
  const text = filter.push(answer) + filter.flush();
  return { text, cited: [...filter.cited] };
}
