import { Alert, Anchor, Button, Progress, Skeleton, Stack, Text, Title } from '@mantine/core';
import type { EvaluationWithResult } from '@citewell/sdk';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { client } from '../client.js';
import { ConfirmButton } from '../components/confirm-button.js';
import { ErrorNotice } from '../components/error-notice.js';
import { Icon } from '../components/icon.js';
import { Page } from '../components/page.js';
import { saveStream } from '../components/save-stream.js';
import { useTranslator } from '../messages/messages.js';
import { Permitted } from '../identity/sign-in/permitted.js';
import { evaluationQuery } from './evaluations.js';
import { MeasuresTable } from './measures-table.js';
import { MinimumScore } from './minimum-score.js';
import { OutcomeTable } from './outcome-table.js';

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
