import type { EvaluationOutcome, EvaluationQuestion } from '@citewell/contracts/schemas';
import { type Gains, ndcgAt, recallAt, reciprocalRank } from '../metrics/ranking-metrics.js';

/** A passage that a search has found, or that an answer cites. */
export interface JudgeablePassage {
  readonly text: string;
  readonly datasourceId: string;
  readonly datasourceName: string;
  readonly customId?: string | null | undefined;
  readonly url?: string | null | undefined;
}

/** A ranking in the terms of the metrics: what was found, and what should have been. */
export interface JudgedRanking {
  readonly ranking: readonly string[];
  readonly gains: Gains;
}

const ANSWER = 'answer';

/**
 * Decides which passages are right for a question of a set: those that contain one of the expected texts, and those of the
 * expected documents. With both, a passage needs both.
 */
export class AnswerKey {
  private readonly expected: readonly string[];
  private readonly documents: ReadonlyMap<string, number>;

  constructor({ expected = [], documents = {} }: Pick<EvaluationQuestion, 'expected' | 'documents'>) {
    this.expected = expected.map(comparable);
    this.documents = new Map(Object.entries(documents));
  }

  isRight(passage: JudgeablePassage): boolean {
    const isOfDocument = this.documents.size === 0 || this.gradeOf(passage) > 0;
    return isOfDocument && this.containsExpected(passage) && this.expected.length + this.documents.size > 0;
  }

  /**
   * With expected texts, one right passage is all that can be found: the recall at k is 1 if it is among the first k. With
   * documents alone, documents are ranked by their best passage, and each counts with its grade.
   */
  judge(passages: readonly JudgeablePassage[]): JudgedRanking {
    if (this.expected.length > 0)
      return {
        ranking: passages.map((passage, index) => (this.isRight(passage) ? ANSWER : `passage ${index}`)),
        gains: new Map([[ANSWER, 1]]),
      };
    return {
      ranking: passages.map(
        (passage) =>
          namesOf(passage).find((name) => this.documents.has(name)) ?? `datasource ${passage.datasourceId}`,
      ),
      gains: this.documents,
    };
  }

  private containsExpected({ text }: JudgeablePassage): boolean {
    if (this.expected.length === 0) return true;
    const compared = comparable(text);
    return this.expected.some((expected) => compared.includes(expected));
  }

  private gradeOf(passage: JudgeablePassage): number {
    return Math.max(0, ...namesOf(passage).map((name) => this.documents.get(name) ?? 0));
  }
}

/** By what a set may name the document of a passage. */
function namesOf({ customId, datasourceId, datasourceName, url }: JudgeablePassage): string[] {
  return [customId, datasourceId, datasourceName, url].filter((name) => typeof name === 'string');
}

/** Upper and lower case, white space and compatibility forms do not matter. */
function comparable(text: string): string {
  return text.normalize('NFKC').toLowerCase().replace(/\s+/gu, ' ').trim();
}

/** What a configuration did with a question. */
interface Asked {
  /** Best first. */
  readonly passages: readonly JudgeablePassage[];
  /** The passages that the answer cites; null if no answer was written. */
  readonly cited: readonly JudgeablePassage[] | null;
  readonly refused: boolean;
}

/** The measures of one question: those of ranking and citing if it has an answer, else whether that was recognised. */
export function measureQuestion(
  question: EvaluationQuestion,
  { passages, cited, refused }: Asked,
): Pick<EvaluationOutcome, 'rank' | 'values'> {
  if (question.answerable === false) return { rank: null, values: { recognised: refused ? 1 : 0 } };
  const key = new AnswerKey(question);
  const { ranking, gains } = key.judge(passages);
  const mrr = reciprocalRank(ranking, gains);
  return {
    rank: mrr === 0 ? null : Math.round(1 / mrr),
    values: {
      recallAt1: recallAt(1, ranking, gains),
      recallAt3: recallAt(3, ranking, gains),
      recallAt10: recallAt(10, ranking, gains),
      mrr,
      ndcgAt10: ndcgAt(10, ranking, gains),
      ...(cited === null ? {} : { citedRight: cited.some((passage) => key.isRight(passage)) ? 1 : 0 }),
      wronglyRefused: refused ? 1 : 0,
    },
  };
}
