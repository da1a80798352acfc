import {
  Alert,
  Anchor,
  Button,
  Checkbox,
  Group,
  Progress,
  Skeleton,
  Stack,
  Table,
  Text,
  Title,
} from '@mantine/core';
import type { Estimate, EvaluationMeasure, EvaluationOutcome, EvaluationWithResult } from '@citewell/sdk';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { client, saveStream } from '../client.js';
import { ConfirmButton } from '../components/confirm-button.js';
import { ErrorNotice } from '../components/error-notice.js';
import { Icon } from '../components/icon.js';
import { Page } from '../components/page.js';
import { DataTable } from '../components/table.js';
import { useTranslator } from '../messages/messages.js';
import { Permitted } from '../identity/sign-in/session.js';
import type { Translator } from '../messages/translator.js';
import { evaluationQuery } from './evaluations.js';
import { MinimumScore } from './minimum-score.js';

/** The report has all rows. */
const MAX_OUTCOME_ROWS = 300;

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

const route = getRouteApi('/evaluations/$evaluationId');

/** One evaluation: its progress, then its figures. */
export function EvaluationPage(): ReactNode {
  const { text } = useTranslator();
  const { evaluationId } = route.useParams();
  const evaluation = useQuery(evaluationQuery(evaluationId));
  const { data } = evaluation;
  return (
    <Page
      title={data?.name ?? ''}
      above={
        <Anchor size="sm" renderRoot={(props) => <Link to="/evaluations" {...props} />}>
          {text('evaluations.title')}
        </Anchor>
      }
      actions={data && <Actions evaluation={data} />}
    >
      {evaluation.isError && (
        <ErrorNotice error={evaluation.error} onRetry={() => void evaluation.refetch()} />
      )}
      {evaluation.isPending && <Skeleton h={240} />}
      {data && <Evaluation evaluation={data} />}
    </Page>
  );
}

function Evaluation({ evaluation }: { evaluation: EvaluationWithResult }): ReactNode {
  const { text, errors } = useTranslator();
  const { state, done, total, error, result, outcomes } = evaluation;
  if (error) {
    const { sentence, detail } = errors.describe(error);
    return (
      <Alert
        role="alert"
        color="red"
        variant="light"
        icon={<Icon name="warning" />}
        title={text('evaluations.state.failed')}
      >
        {detail === null ? sentence : `${sentence} ${detail}`}
      </Alert>
    );
  }
  if (result === null)
    return (
      <Stack gap="xs" maw={480}>
        <Text>{text(`evaluations.state.${state}`)}</Text>
        <Progress value={(done / total) * 100} aria-label={text('evaluations.progress', { done, total })} />
        <Text size="sm" c="dimmed">
          {text('evaluations.progress', { done, total })}
        </Text>
      </Stack>
    );
  const { missingDocuments: missing } = result.configuration;
  return (
    <Stack gap="xl">
      <Stack gap="xs" component="section">
        <Title order={2}>{text('evaluations.figures')}</Title>
        {result.comparison && <Text fw={600}>{text(`evaluations.${result.comparison.verdict}`)}</Text>}
        <MeasuresTable result={result} />
        {missing.count > 0 && (
          <Text size="sm" c="red">
            {text('evaluations.missing', { count: missing.count, names: missing.names.join(', ') })}
          </Text>
        )}
        <Text size="xs" c="dimmed">
          {text('evaluations.figuresHint')}
        </Text>
      </Stack>
      <MinimumScore result={result.configuration} />
      <OutcomeTable outcomes={outcomes} />
    </Stack>
  );
}

function Actions({ evaluation: { id, state } }: { evaluation: EvaluationWithResult }): ReactNode {
  const { text } = useTranslator();
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const save = useMutation({
    mutationFn: async () => saveStream(await client.evaluations.report(id), 'evaluation.html'),
  });
  return (
    <>
      {state === 'done' && (
        <Button
          variant="default"
          leftSection={<Icon name="download" size={16} />}
          loading={save.isPending}
          onClick={() => save.mutate()}
        >
          {text('evaluations.report')}
        </Button>
      )}
      <Permitted>
        <ConfirmButton
          title={text('evaluations.deleteTitle')}
          question={text('evaluations.deleteText')}
          confirm={text('action.delete')}
          action={async () => {
            await client.evaluations.delete(id);
            await navigate({ to: '/evaluations' });
            await queryClient.invalidateQueries({ queryKey: ['evaluations'] });
          }}
        >
          {text('action.delete')}
        </ConfirmButton>
      </Permitted>
    </>
  );
}

/** The figures of both configurations, with their intervals. */
function MeasuresTable({
  result: { configuration, baseline, comparison },
}: {
  result: NonNullable<EvaluationWithResult['result']>;
}): ReactNode {
  const { text } = useTranslator();
  const interval = useInterval();
  return (
    <DataTable
      minWidth={baseline ? 760 : 480}
      columns={[
        text('evaluations.measure'),
        text('evaluations.configuration'),
        baseline && text('evaluations.baseline'),
        comparison && text('evaluations.difference'),
        comparison && 'p',
      ]}
      isDense
    >
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
    </DataTable>
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

/** What became of each question. */
function OutcomeTable({ outcomes }: { outcomes: EvaluationWithResult['outcomes'] }): ReactNode {
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
      <DataTable
        minWidth={560}
        columns={[
          text('evaluations.question'),
          text('evaluations.configuration'),
          hasBaseline && text('evaluations.baseline'),
          text('evaluations.score'),
        ]}
        isDense
      >
        {shown.slice(0, MAX_OUTCOME_ROWS).map(({ question, configuration, baseline }, index) => (
          // The same question may be in a set twice.
          <Table.Tr key={index}>
            <Table.Td dir="auto" style={{ overflowWrap: 'anywhere' }}>
              <details>
                <summary>{question}</summary>
                <OutcomeDetails outcome={configuration} />
              </details>
            </Table.Td>
            <Table.Td>{inWords(configuration, translator)}</Table.Td>
            {hasBaseline && <Table.Td>{baseline && inWords(baseline, translator)}</Table.Td>}
            <Table.Td>{number(Math.round(configuration.score * 100) / 100)}</Table.Td>
          </Table.Tr>
        ))}
      </DataTable>
      {shown.length > MAX_OUTCOME_ROWS && (
        <Text size="xs" c="dimmed">
          {text('evaluations.progress', { done: MAX_OUTCOME_ROWS, total: shown.length })}
        </Text>
      )}
    </Stack>
  );
}

function OutcomeDetails({ outcome: { answer, passages } }: { outcome: EvaluationOutcome }): ReactNode {
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
