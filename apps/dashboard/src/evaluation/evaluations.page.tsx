import { Anchor, Badge, Table, Text } from '@mantine/core';
import type { Evaluation } from '@citewell/sdk';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { ErrorNotice } from '../components/error-notice.js';
import { Page } from '../components/page.js';
import { SCROLLED_BY_KEYS } from '../components/table.js';
import { MoreButton } from '../components/query.js';
import { useTranslator } from '../messages/messages.js';
import { Permitted } from '../identity/sign-in/session.js';
import { EvaluationForm } from './evaluation-form.js';
import { evaluationsQuery } from './evaluations.js';

/** Starts evaluations, and lists those that there are. */
export function EvaluationsPage(): ReactNode {
  const { text } = useTranslator();
  const list = useInfiniteQuery(evaluationsQuery);
  const rows = list.data?.pages.flatMap(({ items }) => items) ?? [];
  return (
    <Page
      title={text('evaluations.title')}
      text={text('evaluations.text')}
      above={
        <Anchor size="sm" renderRoot={(props) => <Link to="/agents" {...props} />}>
          {text('agents.title')}
        </Anchor>
      }
    >
      <Permitted>
        <EvaluationForm />
      </Permitted>
      {list.isError && <ErrorNotice error={list.error} onRetry={() => void list.refetch()} />}
      {list.isSuccess && rows.length === 0 && <Text c="dimmed">{text('evaluations.none')}</Text>}
      {rows.length > 0 && (
        <Table.ScrollContainer minWidth={520} scrollAreaProps={SCROLLED_BY_KEYS}>
          <Table>
            <Table.Tbody>
              {rows.map((evaluation) => (
                <EvaluationRow key={evaluation.id} evaluation={evaluation} />
              ))}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
      )}
      <MoreButton of={list} />
    </Page>
  );
}

const COLOURS = { waiting: 'gray', running: 'blue', done: 'green', failed: 'red' } as const;

function EvaluationRow({ evaluation }: { evaluation: Evaluation }): ReactNode {
  const { text, ago } = useTranslator();
  const { id, name, state, done, total, createdAt } = evaluation;
  return (
    <Table.Tr>
      <Table.Td>
        <Anchor
          dir="auto"
          renderRoot={(props) => (
            <Link to="/evaluations/$evaluationId" params={{ evaluationId: id }} {...props} />
          )}
        >
          {name}
        </Anchor>
      </Table.Td>
      <Table.Td>
        <Badge size="sm" variant="light" color={COLOURS[state]} autoContrast={false} c="inherit" tt="none">
          {text(`evaluations.state.${state}`)}
        </Badge>
      </Table.Td>
      <Table.Td>
        <Text size="sm">{text('evaluations.progress', { done, total })}</Text>
      </Table.Td>
      <Table.Td>
        <Text size="sm" c="dimmed">
          {ago(createdAt)}
        </Text>
      </Table.Td>
    </Table.Tr>
  );
}
