import {
  EVALUATION_MEASURES,
  type EvaluationComparison,
  type EvaluationMeasure,
  type EvaluationOutcome,
  type EvaluationSideResult,
} from '@citewell/contracts/schemas';
import { estimateMean } from '../metrics/interval.js';
import { minimumScoreCurve, proposeMinimumScore } from '../metrics/minimum-score.js';
import { pairedDifference, significantTests } from '../metrics/paired-test.js';

/** What one configuration did with the questions of a set. */
export interface SideOutcomes {
  readonly outcomes: readonly EvaluationOutcome[];
  /** The minimum score that was used. */
  readonly minScore: number;
}

/**
 * The measures that decide whether a configuration is worse. The others say the same again, and every further test would make
 * all tests weaker.
 */
const TESTED: readonly EvaluationMeasure[] = ['ndcgAt10', 'citedRight', 'wronglyRefused', 'recognised'];

/** Of a measure where less is better. */
const LOWER_IS_BETTER: ReadonlySet<EvaluationMeasure> = new Set(['wronglyRefused']);

/** The figures of one configuration, each with its interval. */
export function summarizeSide({
  outcomes,
  minScore,
}: SideOutcomes): Omit<EvaluationSideResult, 'missingDocuments'> {
  const scores = {
    answerable: outcomes.filter(isAnswerable).map(({ score }) => score),
    unanswerable: outcomes.filter((outcome) => !isAnswerable(outcome)).map(({ score }) => score),
  };
  return {
    measures: forEachMeasure((measure) => estimateMean(valuesOf(outcomes, measure))),
    minScore,
    curve: minimumScoreCurve(scores),
    proposedMinScore: proposeMinimumScore(scores),
  };
}

/** How a configuration differs from the baseline, which has answered the same questions in the same order. */
export function compareSides(
  configuration: readonly EvaluationOutcome[],
  baseline: readonly EvaluationOutcome[],
): EvaluationComparison {
  const differences = forEachMeasure((measure) => {
    const pairs = configuration.flatMap(({ values }, index) => {
      const [one, other] = [values[measure], baseline[index]?.values[measure]];
      return one === undefined || other === undefined ? [] : [{ one, other }];
    });
    return pairedDifference(
      pairs.map(({ one }) => one),
      pairs.map(({ other }) => other),
    );
  });
  const significant = significantTests(
    TESTED.flatMap((name) => {
      const difference = differences[name];
      return difference === null ? [] : [{ name, p: difference.p }];
    }),
  );
  const isWorse = (measure: EvaluationMeasure): boolean =>
    (differences[measure]?.value ?? 0) * (LOWER_IS_BETTER.has(measure) ? -1 : 1) < 0;
  const verdict = [...significant].some(isWorse)
    ? 'worse'
    : significant.size > 0
      ? 'better'
      : 'no-difference';
  return {
    differences: forEachMeasure((measure) => {
      const difference = differences[measure];
      return difference && { ...difference, isSignificant: significant.has(measure) };
    }),
    verdict,
  };
}

/** A question without an answer has this measure only. */
function isAnswerable({ values }: EvaluationOutcome): boolean {
  return values.recognised === undefined;
}

function valuesOf(outcomes: readonly EvaluationOutcome[], measure: EvaluationMeasure): number[] {
  return outcomes.flatMap(({ values }) => values[measure] ?? []);
}

function forEachMeasure<Value>(
  compute: (measure: EvaluationMeasure) => Value,
): Record<EvaluationMeasure, Value> {
  // Every measure is a key.
  return Object.fromEntries(EVALUATION_MEASURES.map((measure) => [measure, compute(measure)])) as Record<
    EvaluationMeasure,
    Value
  >;
}
