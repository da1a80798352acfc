import type { EvaluationMeasure, EvaluationWithResult } from '@citewell/sdk';
import { inOneLine, print, style, toColumns } from '../terminal/output.js';

/** In the order of the table. */
const MEASURES: Readonly<Record<EvaluationMeasure, string>> = {
  recallAt1: 'recall at 1',
  recallAt3: 'recall at 3',
  recallAt10: 'recall at 10',
  mrr: 'MRR',
  ndcgAt10: 'nDCG at 10',
  citedRight: 'cited right',
  wronglyRefused: 'wrongly refused',
  recognised: 'unanswerable recognised',
};

const VERDICTS = {
  worse: 'The configuration is significantly worse than the baseline.',
  better: 'The configuration is significantly better than the baseline.',
  'no-difference': 'There is no significant difference to the baseline.',
} as const;

const MAX_NAMES_LENGTH = 300;

type Result = NonNullable<EvaluationWithResult['result']>;

/** Prints the figures with their intervals, the comparison, and what other minimum scores would do. */
export function printEvaluation({ configuration, baseline, comparison }: Result): void {
  const header = [
    'measure',
    'value (95 % interval)',
    'questions',
    ...(baseline ? ['baseline', 'difference', 'p'] : []),
  ];
  // `Object.entries` does not know that every measure is a key.
  const rows = (Object.entries(MEASURES) as [EvaluationMeasure, string][]).map(([measure, name]) => {
    const own = configuration.measures[measure];
    const difference = comparison?.differences[measure];
    return [
      name,
      interval(own),
      String(own?.count ?? 0),
      ...(baseline ? [interval(baseline.measures[measure])] : []),
      ...(difference
        ? [
            `${interval(difference)}${difference.isSignificant ? ' *' : ''}`,
            difference.p < 0.001 ? '< .001' : short(difference.p),
          ]
        : []),
    ];
  });
  print(toColumns([header, ...rows]));
  const { count, names } = configuration.missingDocuments;
  if (count > 0)
    print(
      `\n${count} expected document(s) are not in the searched datastores, and count as not found: ${inOneLine(names.join(', '), MAX_NAMES_LENGTH)}`,
    );
  if (comparison) print(`\n${style('bold', VERDICTS[comparison.verdict])}`);
  printMinimumScores(configuration);
}

function printMinimumScores({ curve, minScore, proposedMinScore: proposed }: Result['configuration']): void {
  const shown = curve.filter(
    (point) =>
      Math.round(point.minScore * 100) % 10 === 0 ||
      point.minScore === minScore ||
      point.minScore === proposed?.minScore,
  );
  const rows = shown.map(({ minScore: minimum, refused, recognised }) => [
    minimum.toFixed(2),
    short(refused),
    short(recognised),
    [...(minimum === minScore ? ['used'] : []), ...(minimum === proposed?.minScore ? ['proposed'] : [])].join(
      ', ',
    ),
  ]);
  print(`\n${toColumns([['minScore', 'wrongly refused', 'unanswerable recognised', ''], ...rows])}`);
  print(
    proposed
      ? `\nProposed minScore: ${proposed.minScore}. It was chosen on these questions, so others do a little worse.`
      : '\nNo minScore is proposed: that takes 20 questions with an answer and 10 without one.',
  );
}

function interval(estimate: { value: number; low: number; high: number } | null): string {
  if (!estimate) return '-';
  return `${short(estimate.value)} (${short(estimate.low)} to ${short(estimate.high)})`;
}

function short(value: number): string {
  return value.toFixed(3).replace(/^(-?)0\./, '$1.');
}
