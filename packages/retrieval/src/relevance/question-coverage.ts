import { analyze } from '../analysis/analyzer.js';
import { boundMarks } from '../analysis/bounded-marks.js';
import { isCjkTerm } from '../analysis/cjk-term.js';
import { foldWord } from '../analysis/word-folder.js';
import type { AnalyzedQuestion } from '../question/analyzed-question.js';

/** What a term counts of which the text has only another form of the word: `importing` for `important`. */
const OTHER_FORM = 0.8;
/** About a third of the bigrams of a Chinese, Japanese or Korean question span two words. */
const CJK_FACTOR = 1.5;

const WORD = /[\p{L}\p{M}\p{N}_]+/gu;

/** Measures which share of a question's terms a text contains. */
export class QuestionCoverage {
  private readonly terms: ReadonlyMap<string, number>;
  /** The word of the question that became a term, for terms of one word. */
  private readonly words = new Map<string, string>();
  private readonly factor: number;

  constructor({ text, weights }: AnalyzedQuestion) {
    this.terms = weights;
    for (const word of wordsOf(text)) {
      const [term, ...others] = analyze(word);
      if (term !== undefined && others.length === 0) this.words.set(term, foldWord(word));
    }
    const isCjk = [...this.terms.keys()].filter(isCjkTerm).length * 2 > this.terms.size;
    this.factor = isCjk ? CJK_FACTOR : 1;
  }

  /**
   * The share of the weight of the question's terms (see `questionTerms`) that the text contains, 0..1. 0 for a question
   * without terms.
   */
  of(text: string): number {
    const terms = new Set(analyze(text));
    const words = new Set(wordsOf(text).map(foldWord));
    let total = 0;
    let found = 0;
    for (const [term, weight] of this.terms) {
      total += weight;
      if (!terms.has(term)) continue;
      const word = this.words.get(term);
      found += word === undefined || words.has(word) ? weight : weight * OTHER_FORM;
    }
    return total === 0 ? 0 : Math.min(1, (found / total) * this.factor);
  }
}

function wordsOf(text: string): string[] {
  return boundMarks(text).normalize('NFKC').match(WORD) ?? [];
}
