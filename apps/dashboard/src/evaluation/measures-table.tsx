import { Table } from '@mantine/core';
import type { Estimate, EvaluationMeasure, EvaluationWithResult } from '@citewell/sdk';
import type { ReactNode } from 'react';
import { useTranslator } from '../messages/messages.js';

const MEASURES: readonly EvaluationMeasure[] = [
  'recallAt1',
  'recallAt3',
  'recallAt10',
  'mrr',
  'ndcgAt10',
  'citedRight',
  'wronglyRefused',
  'recognised',
];

/** The figures of both configurations, with their intervals. */
export function MeasuresTable({
  result: { configuration, baseline, comparison },
}: {
  result: NonNullable<EvaluationWithResult['result']>;
}): ReactNode {
  const { text } = useTranslator();
  const interval = useInterval();
  return (
    <Table.ScrollContainer minWidth={baseline ? 760 : 480}>
      <Table>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{text('evaluations.measure')}</Table.Th>
            <Table.Th>{text('evaluations.configuration')}</Table.Th>
            {baseline && <Table.Th>{text('evaluations.baseline')}</Table.Th>}
            {comparison && <Table.Th>{text('evaluations.difference')}</Table.Th>}
            {comparison && <Table.Th>p</Table.Th>}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {MEASURES.map((measure) => {
            const difference = comparison?.differences[measure] ?? null;
            return (
              <Table.Tr key={measure}>
                <Table.Td>{text(`measure.${measure}`)}</Table.Td>
                <Table.Td>{interval(configuration.measures[measure])}</Table.Td>
                {baseline && <Table.Td>{interval(baseline.measures[measure])}</Table.Td>}
                {comparison && (
                  <Table.Td>
                    {interval(difference)}
                    {difference?.isSignificant && ' *'}
                  </Table.Td>
                )}
                {comparison && (
                  <Table.Td>
                    {difference && (difference.p < 0.001 ? '< 0.001' : difference.p.toFixed(3))}
                  </Table.Td>
                )}
              </Table.Tr>
            );
          })}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

/** A value with its interval and, of an estimate, its questions: `0.800 (0.720 – 0.870), 120`. */
function useInterval(): (estimate: Omit<Estimate, 'count'> | Estimate | null) => string {
  const { language } = useTranslator();
  const numbers = new Intl.NumberFormat(language, { minimumFractionDigits: 3, maximumFractionDigits: 3 });
  return (estimate) => {
    if (estimate === null) return '–';
    const { value, low, high } = estimate;
    const count = 'count' in estimate ? `, ${estimate.count}` : '';
    return `${numbers.format(value)} (${numbers.format(low)} – ${numbers.format(high)})${count}`;
  };
}
