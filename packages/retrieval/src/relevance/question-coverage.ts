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
  private readonly totalWeight: number;

  constructor({ text, weights }: AnalyzedQuestion) {
    this.terms = weights;
    this.totalWeight = [...weights.values()].reduce((total, weight) => total + weight, 0);
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
    if (this.totalWeight === 0) return 0;
    let words: ReadonlySet<string> | undefined;
    let found = 0;
    // A question may have thousands of terms, so those of the text are looked up in it.
    for (const term of new Set(analyze(text))) {
      const weight = this.terms.get(term);
      if (weight === undefined) continue;
      const word = this.words.get(term);
      words ??= new Set(wordsOf(text).map(foldWord));
      found += word === undefined || words.has(word) ? weight : weight * OTHER_FORM;
    }
    return Math.min(1, (found / this.totalWeight) * this.factor);
  }
}

function wordsOf(text: string): string[] {
  return boundMarks(text).normalize('NFKC').match(WORD) ?? [];
}
