import type { FoundText } from './faq-collection.js';
import { shareWithInterval } from './share-with-interval.js';

const RANKS = [1, 3, 8];
/** Passages that a search returns. */
export const DEPTH = 8;

/** @returns passages, best first */
export type Search<Found extends FoundText = FoundText> = (question: string) => Promise<readonly Found[]>;

/** Asks each question, and returns a row of a printed table: how often a right passage is among the first. */
export async function measureHits<Question extends { readonly question: string }>(
  search: Search,
  questions: readonly Question[],
  isRight: (question: Question, passage: FoundText) => boolean,
): Promise<Record<string, string>> {
  const hits = RANKS.map(() => 0);
  let characters = 0;
  const times: number[] = [];
  for (const question of questions) {
    const started = performance.now();
    const found = await search(question.question);
    times.push(performance.now() - started);
    characters += found.reduce((sum, { text }) => sum + text.length, 0);
    const rank = found.findIndex((passage) => isRight(question, passage));
    RANKS.forEach((limit, n) => {
      if (rank >= 0 && rank < limit) hits[n] = (hits[n] ?? 0) + 1;
    });
  }
  times.sort((a, b) => a - b);
  return {
    ...Object.fromEntries(
      RANKS.map((limit, n) => [`Hit@${limit}`, shareWithInterval(hits[n] ?? 0, questions.length)]),
    ),
    'characters of 8': (characters / questions.length).toFixed(0),
    'ms p50': (times[Math.floor(times.length / 2)] ?? 0).toFixed(1),
  };
}
