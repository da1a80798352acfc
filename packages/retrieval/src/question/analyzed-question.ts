import { analyze } from '../analysis/analyzer.js';
import { questionTerms } from './question-terms.js';

/** A question with its analysis. All searches and quotes for a question share one, so that it is analyzed once. */
export class AnalyzedQuestion {
  private analyzed: readonly string[] | undefined;
  private weighed: ReadonlyMap<string, number> | undefined;

  constructor(readonly text: string) {}

  /** Its index terms, in order and with repetitions. */
  get terms(): readonly string[] {
    return (this.analyzed ??= analyze(this.text));
  }

  /** See `questionTerms`. */
  get weights(): ReadonlyMap<string, number> {
    return (this.weighed ??= questionTerms(this.text, this.terms));
  }
}
