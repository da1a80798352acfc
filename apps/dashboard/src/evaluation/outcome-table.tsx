import { Checkbox, Group, Stack, Table, Text, Title } from '@mantine/core';
import type { EvaluationOutcome, EvaluationWithResult } from '@citewell/sdk';
import { type ReactNode, useState } from 'react';
import { useTranslator } from '../messages/messages.js';
import type { Translator } from '../messages/translator.js';

/** Rows that are shown at most. The report has all. */
const MAX_ROWS = 300;

/** What became of each question. */
export function OutcomeTable({ outcomes }: { outcomes: EvaluationWithResult['outcomes'] }): ReactNode {
  const translator = useTranslator();
  const { text, number } = translator;
  const [isOnlyFailed, setOnlyFailed] = useState(true);
  const shown = outcomes.filter(({ configuration }) => !isOnlyFailed || !isRight(configuration));
  const hasBaseline = outcomes.some(({ baseline }) => baseline !== null);
  return (
    <Stack gap="xs" component="section">
      <Group justify="space-between">
        <Title order={2}>{text('evaluations.byQuestion')}</Title>
        <Checkbox
          label={text('evaluations.onlyFailed')}
          checked={isOnlyFailed}
          onChange={(event) => setOnlyFailed(event.currentTarget.checked)}
        />
      </Group>
      <Table.ScrollContainer minWidth={560}>
        <Table>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{text('evaluations.question')}</Table.Th>
              <Table.Th>{text('evaluations.configuration')}</Table.Th>
              {hasBaseline && <Table.Th>{text('evaluations.baseline')}</Table.Th>}
              <Table.Th>{text('evaluations.score')}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {shown.slice(0, MAX_ROWS).map(({ question, configuration, baseline }, index) => (
              // The same question may be in a set twice.
              <Table.Tr key={index}>
                <Table.Td dir="auto" style={{ overflowWrap: 'anywhere' }}>
                  <details>
                    <summary>{question}</summary>
                    <Details outcome={configuration} />
                  </details>
                </Table.Td>
                <Table.Td>{inWords(configuration, translator)}</Table.Td>
                {hasBaseline && <Table.Td>{baseline && inWords(baseline, translator)}</Table.Td>}
                <Table.Td>{number(Math.round(configuration.score * 100) / 100)}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
      {shown.length > MAX_ROWS && (
        <Text size="xs" c="dimmed">
          {text('evaluations.progress', { done: MAX_ROWS, total: shown.length })}
        </Text>
      )}
    </Stack>
  );
}

function Details({ outcome: { answer, passages } }: { outcome: EvaluationOutcome }): ReactNode {
  const { number } = useTranslator();
  return (
    <Stack gap={6} py="xs">
      {answer !== undefined && (
        <Text size="sm" dir="auto" style={{ whiteSpace: 'pre-line' }}>
          {answer}
        </Text>
      )}
      {passages.map(({ datasource_name, score, text }, index) => (
        <Text key={index} size="xs" c="dimmed" dir="auto">
          {`${index + 1}. ${datasource_name} (${number(Math.round(score * 100) / 100)}): ${text}`}
        </Text>
      ))}
    </Stack>
  );
}

/** Whether the answer is right; without an answer, whether a right passage is the first. */
function isRight({ values }: EvaluationOutcome): boolean {
  if (values.recognised !== undefined) return values.recognised === 1;
  return values.wronglyRefused !== 1 && (values.citedRight ?? values.recallAt1 ?? 0) > 0;
}

function inWords({ values, rank, refused }: EvaluationOutcome, { text }: Pick<Translator, 'text'>): string {
  if (values.recognised !== undefined)
    return text(refused ? 'evaluations.recognisedOne' : 'evaluations.answeredOne');
  const place = rank === null ? text('evaluations.notFound') : text('evaluations.foundAt', { rank });
  if (refused) return `${text('evaluations.refused')}, ${place}`;
  if (values.citedRight === undefined) return place;
  return `${place}, ${text(values.citedRight === 1 ? 'evaluations.cited' : 'evaluations.notCited')}`;
}
