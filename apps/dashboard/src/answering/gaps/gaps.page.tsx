import {
  Anchor,
  Button,
  Checkbox,
  Group,
  Menu,
  Paper,
  SegmentedControl,
  Select,
  Skeleton,
  Stack,
  Text,
} from '@mantine/core';
import type { Agent, Gap, GapState, OrganizationSettings } from '@citewell/sdk';
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { request } from '../../client.js';
import { EmptyState, NotFound } from '../../components/empty-state.js';
import { ErrorNotice } from '../../components/error-notice.js';
import { Page } from '../../components/page.js';
import { AddDocumentsButton } from '../../content/library/document-links.js';
import { datastoresQuery } from '../../content/datasources/content-queries.js';
import { AddToQuestionsButton } from '../../evaluation/add-to-questions.js';
import { changeOrganization } from '../../identity/people/people.js';
import { signInOptionsQuery, useSession } from '../../identity/sign-in/session.js';
import { useTexts, useTranslator } from '../../messages/messages.js';
import { agentOptions } from '../agents/agent-options.js';
import { agentsQuery } from '../agents/agents.js';

const MAX_GAPS = 100;
const STATES = ['open', 'marked', 'answered'] as const satisfies readonly GapState[];
const WEEK = 7;
const PERIODS = [WEEK, 30, 0] as const;

interface Choice {
  state?: GapState | undefined;
  /** Only questions of the last days count; 0: all. Default: a week. */
  days?: number | undefined;
  agent?: string | undefined;
}

const organizationQuery = queryOptions({
  queryKey: ['organization'],
  queryFn: () => request<OrganizationSettings>('GET', '/organization'),
});

const route = getRouteApi('/missing');

const gapsQuery = ({ state = 'open', days = WEEK, agent }: Choice) =>
  queryOptions({
    queryKey: ['gaps', state, days, agent],
    queryFn: () => {
      const parameters = new URLSearchParams({ limit: String(MAX_GAPS), state });
      if (days > 0) parameters.set('days', String(days));
      if (agent !== undefined) parameters.set('agentId', agent);
      return request<Gap[]>('GET', `/gaps?${parameters}`);
    },
  });

/** What the documents do not answer, for owners. */
export function GapsPage(): ReactNode {
  return useSession().scopes.includes('admin') ? <Gaps /> : <NotFound />;
}

/** Those of the last week, unless another period is chosen. */
function Gaps(): ReactNode {
  const translator = useTranslator();
  const { text } = translator;
  const { text: gap } = useTexts('gaps');
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const { state = 'open', days = WEEK, agent } = search;
  const agents = useQuery(agentsQuery).data ?? [];
  const gaps = useQuery(gapsQuery(search));
  const show = (change: Choice): void => void navigate({ search: { ...search, ...change } });
  return (
    <Page
      title={text('agents.missing')}
      text={gap('text')}
      above={
        <Anchor size="sm" renderRoot={(props) => <Link to="/agents" {...props} />}>
          {text('agents.title')}
        </Anchor>
      }
    >
      <Group>
        <SegmentedControl
          size="xs"
          aria-label={gap('state')}
          value={state}
          onChange={(value) => show({ state: value as GapState })}
          data={STATES.map((value) => ({ value, label: gap(`state.${value}`) }))}
        />
        <SegmentedControl
          size="xs"
          aria-label={gap('period')}
          value={String(days)}
          onChange={(value) => show({ days: Number(value) })}
          data={PERIODS.map((value) => ({
            value: String(value),
            label: value === 0 ? gap('always') : gap('days', { days: value }),
          }))}
        />
        <Select
          size="xs"
          aria-label={text('ask.agent')}
          placeholder={text('conversations.allAgents')}
          clearable
          data={agentOptions(agents, translator)}
          value={agent ?? null}
          onChange={(id) => show({ agent: id ?? undefined })}
        />
      </Group>
      {gaps.isError && <ErrorNotice error={gaps.error} onRetry={() => void gaps.refetch()} />}
      {gaps.isPending && [1, 2, 3].map((key) => <Skeleton key={key} h={120} />)}
      {gaps.data?.length === 0 && <EmptyState icon="ask" title={gap(`none.${state}`)} />}
      {gaps.data !== undefined && gaps.data.length > 0 && <Summary gaps={gaps.data} />}
      {gaps.data?.map((one) => (
        <GapCard key={one.id} gap={one} agents={agents} />
      ))}
      <WeeklyMail />
    </Page>
  );
}

/** Whether owners get a mail each week. Only a server with a mail server can send one. */
function WeeklyMail(): ReactNode {
  const { text } = useTexts('gaps');
  const queryClient = useQueryClient();
  const sendsMail = useQuery(signInOptionsQuery).data?.passwordReset === true;
  const settings = useQuery({ ...organizationQuery, enabled: sendsMail }).data;
  const change = useMutation({
    mutationFn: (weeklyGapMail: boolean) => changeOrganization({ weeklyGapMail }),
    onSuccess: (changed) => queryClient.setQueryData(organizationQuery.queryKey, changed),
  });
  if (settings === undefined) return null;
  return (
    <>
      <Checkbox
        label={text('mail')}
        description={text('mailText')}
        checked={change.isPending ? change.variables : settings.weeklyGapMail}
        disabled={change.isPending}
        onChange={({ currentTarget }) => change.mutate(currentTarget.checked)}
      />
      {change.isError && <ErrorNotice error={change.error} />}
    </>
  );
}

function Summary({ gaps }: { gaps: readonly Gap[] }): ReactNode {
  const { text } = useTexts('gaps');
  const questions = gaps.reduce((sum, gap) => sum + gap.questions, 0);
  return (
    <Text size="sm" c="dimmed">
      {gaps.length < MAX_GAPS
        ? text('summary', { subjects: gaps.length, questions })
        : text('most', { subjects: MAX_GAPS })}
    </Text>
  );
}

function GapCard({ gap, agents }: { gap: Gap; agents: readonly Agent[] }): ReactNode {
  const { ago } = useTranslator();
  const { text } = useTexts('gaps');
  const asked = agents.filter(({ id }) => gap.agentIds.includes(id));
  const others = gap.wordings.slice(1).map(({ question }) => question);
  return (
    <Paper withBorder p="md" component="article" aria-label={gap.question}>
      <Stack gap="xs">
        <Group justify="space-between" align="flex-start" wrap="nowrap">
          <Text fw={500} dir="auto" style={{ overflowWrap: 'anywhere' }}>
            {gap.question}
          </Text>
          <Days days={gap.days} />
        </Group>
        {others.length > 0 && (
          <Text size="sm" c="dimmed" dir="auto" style={{ overflowWrap: 'anywhere' }}>
            {text('others', { questions: others.join(' · ') })}
          </Text>
        )}
        <Text size="xs" c="dimmed">
          {[
            text('asked', { questions: gap.questions, days: gap.days.length }),
            text('last', { ago: ago(gap.lastAskedAt) }),
            asked.map(({ name }) => name).join(', '),
          ]
            .filter(Boolean)
            .join(' · ')}
        </Text>
        <Progress gap={gap} />
        <Group gap="xs">
          <AddDocuments datastoreIds={[...new Set(asked.flatMap(({ datastoreIds }) => datastoreIds))]} />
          <AddToQuestionsButton question={gap.question} />
          <MarkButton gap={gap} />
        </Group>
      </Stack>
    </Paper>
  );
}

/** A bar for each day with questions, the tallest for the most. The text beside it has the numbers. */
function Days({ days }: { days: Gap['days'] }): ReactNode {
  const most = Math.max(...days.map(({ count }) => count));
  return (
    <Group gap={2} align="flex-end" h={24} wrap="nowrap" aria-hidden style={{ flex: 'none' }}>
      {days.map(({ day, count }) => (
        <div
          key={day}
          title={`${day}: ${count}`}
          style={{
            width: 6,
            height: `${(100 * count) / most}%`,
            borderRadius: 2,
            background: 'var(--mantine-primary-color-filled)',
          }}
        />
      ))}
    </Group>
  );
}

/** Who marked the gap, and what was found when it was asked again. */
function Progress({ gap: { state, mark, checkedAt, answer } }: { gap: Gap }): ReactNode {
  const { ago } = useTranslator();
  const { text } = useTexts('gaps');
  if (state === 'answered' && answer)
    return (
      <Text size="sm">
        {answer.document === null ? (
          text('gone', { ago: ago(answer.at) })
        ) : (
          <>
            {text('found', { ago: ago(answer.at) })}{' '}
            <Anchor
              inherit
              dir="auto"
              renderRoot={(props) => (
                <Link
                  to="/documents/$datasourceId"
                  params={{ datasourceId: answer.document?.id ?? '' }}
                  search={{}}
                  {...props}
                />
              )}
            >
              {answer.document.name}
            </Anchor>
          </>
        )}
      </Text>
    );
  const isMarked = state === 'marked' && mark !== null;
  const isChecked = checkedAt !== null && !(isMarked && checkedAt < mark.at);
  if (!isMarked && !isChecked) return null;
  return (
    <Text size="sm">
      {isMarked &&
        (mark.name === null
          ? text('marked', { ago: ago(mark.at) })
          : text('markedBy', { name: mark.name, ago: ago(mark.at) }))}{' '}
      {isChecked ? text('checked', { ago: ago(checkedAt) }) : text('tonight')}
    </Text>
  );
}

/** Opens the panel that adds documents; of several libraries, one is chosen. */
function AddDocuments({ datastoreIds }: { datastoreIds: readonly string[] }): ReactNode {
  const { text } = useTranslator();
  const datastores = useQuery(datastoresQuery).data ?? [];
  const [only] = datastoreIds;
  if (only === undefined) return null;
  if (datastoreIds.length === 1) return <AddDocumentsButton datastoreId={only} />;
  return (
    <Menu>
      <Menu.Target>
        <Button size="xs" variant="default">
          {text('ask.addDocuments')}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {datastores
          .filter(({ id }) => datastoreIds.includes(id))
          .map(({ id, name }) => (
            <Menu.Item
              key={id}
              renderRoot={(props) => (
                <Link
                  to="/library/$datastoreId"
                  params={{ datastoreId: id }}
                  search={{ add: true }}
                  {...props}
                />
              )}
            >
              {name}
            </Menu.Item>
          ))}
      </Menu.Dropdown>
    </Menu>
  );
}

function MarkButton({ gap: { id, state } }: { gap: Gap }): ReactNode {
  const { text } = useTexts('gaps');
  const queryClient = useQueryClient();
  const isOpen = state === 'open';
  const mark = useMutation({
    mutationFn: () => request<Gap>('PATCH', `/gaps/${id}`, { answered: isOpen }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ['gaps'] }),
  });
  return (
    <>
      <Button size="xs" variant="default" loading={mark.isPending} onClick={() => mark.mutate()}>
        {text(isOpen ? 'mark' : 'reopen')}
      </Button>
      {mark.isError && <ErrorNotice error={mark.error} />}
    </>
  );
}
