import { CitationStreamFilter } from './citation-stream.filter.js';

interface CheckedAnswer {
  /** The answer with each valid citation written as `[n]`, and without invalid ones. */
  readonly text: string;
  /** The numbers of the cited passages, in order of first citation. */
  readonly cited: number[];
}

/**
 * Validates and normalises the citations of a complete answer, by the rules of `CitationStreamFilter`.
 * @param passageCount passages are numbered from 1 to this number
 * @param passageText the passages as the model was given them
 */
export function extractCitations(answer: string, passageCount: number, passageText = ''): CheckedAnswer {
  const filter = new CitationStreamFilter(passageCount, passageText);
  const text = filter.push(answer) + filter.flush();
  return { text, cited: [...filter.cited] };
}
