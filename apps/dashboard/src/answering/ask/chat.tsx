import {
  ActionIcon,
  Anchor,
  Box,
  Button,
  Group,
  Loader,
  Skeleton,
  Stack,
  Text,
  Textarea,
} from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import type { Agent, AgentQuery, Datasource } from '@citewell/sdk';
import { Link } from '@tanstack/react-router';
import {
  type KeyboardEvent,
  lazy,
  type ReactNode,
  type RefObject,
  Suspense,
  useEffect,
  useRef,
  useState,
} from 'react';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { client } from '../../client.js';
import { EmptyState } from '../../components/empty-state.js';
import { ErrorNotice } from '../../components/error-notice.js';
import { Icon } from '../../components/icon.js';
import { isUnfinished } from '../../content/datasources/datasource-display.js';
import { useUploads } from '../../content/uploads/uploads.js';
import { useTranslator } from '../../messages/messages.js';
import classes from './ask.module.css';
import { type Draft, useChat, useDraft } from './use-chat.js';
import { OpensBeside, useOpenCitation } from './open-citation.js';
import { useStickyBottom } from './sticky-bottom.js';
import { SAMPLE_NAME, SAMPLE_QUESTIONS } from './sample.js';
import { tellsOfModels } from './turn.js';

type AskedAgent = Pick<Agent, 'id' | 'allDatastores' | 'datastoreIds'>;

/** What the lists of datasources that an agent searches have in common: one list of everything, or one for each library. */
const listsOf = ({ allDatastores, datastoreIds }: AskedAgent): { datastoreId?: string }[] =>
  allDatastores ? [{}] : datastoreIds.map((datastoreId) => ({ datastoreId }));

/** Whether the agent answers from the sample and was never asked. */
const showsSampleQuery = (agent: AskedAgent) =>
  queryOptions({
    queryKey: ['sample', agent.id, agent.datastoreIds],
    queryFn: async () => {
      const conversations = await client.conversations.list({ agentId: agent.id, limit: 1 }).first();
      if (conversations.items.length > 0) return false;
      const documents = await Promise.all(
        listsOf(agent).map((list) => client.datasources.list(list).first()),
      );
      return documents.some(({ items }) =>
        items.some(({ type, name }) => type === 'text' && name === SAMPLE_NAME),
      );
    },
    // A kept result would show the questions again after the first one was asked.
    gcTime: 0,
  });

const PREPARING_POLL_MS = 1_000;

/** Of each list. */
const NEWEST_DOCUMENTS = 20;

const newestQuery = (agent: AskedAgent, isUploading: boolean) =>
  queryOptions({
    queryKey: ['datasources', 'newest', agent.id, agent.datastoreIds],
    queryFn: async () => {
      const listed = async (more: { status?: 'synched'; limit: number }) => {
        const pages = await Promise.all(
          listsOf(agent).map((list) => client.datasources.list({ ...list, ...more }).first()),
        );
        return pages.flatMap(({ items }) => items);
      };
      const newest = await listed({ limit: NEWEST_DOCUMENTS });
      const isReady = ({ revision }: Datasource): boolean => revision > 0;
      const failed = newest.filter(({ status }) => status === 'error');
      return {
        unfinished: newest.filter(isUnfinished).length,
        hasReady: newest.some(isReady) || (await listed({ status: 'synched', limit: 1 })).some(isReady),
        failed: failed.length,
        failedIn: failed[0]?.datastoreId,
      };
    },
    refetchInterval: ({ state }) =>
      isUploading || (state.data?.unfinished ?? 1) > 0 ? PREPARING_POLL_MS : false,
  });

/** Not needed before the first question. */
const Sources = lazy(async () => ({ default: (await import('./sources.js')).Sources }));
const CitedDocument = lazy(async () => ({ default: (await import('./cited-document.js')).CitedDocument }));
const TurnView = lazy(async () => ({ default: (await import('./turn-view.js')).TurnView }));

interface ChatProps {
  agent: AskedAgent;
  conversationId?: string | undefined;
  /** Override those of the agent. */
  settings?: Omit<AgentQuery, 'query' | 'conversationId'>;
  onConversation?: (id: string) => void;
  /** Is called when an answer begins to be written in the conversation, and when no answer is. */
  onStreaming?: (isStreaming: boolean) => void;
  /** Leaves out the column of sources; they are below each answer. */
  isNarrow?: boolean;
}

/** A citation of a turn that the pointer or the focus is on. */
interface ActiveCitation {
  readonly turn: number;
  readonly number: number;
}

/** Below this width, the sources are below each answer. */
const NARROW = '(max-width: 62em)';

/** Questions and answers at the left, the sources of the latest answer at the right. */
export function Chat({
  agent,
  conversationId,
  settings,
  onConversation,
  onStreaming,
  ...props
}: ChatProps): ReactNode {
  const { text } = useTranslator();
  const isNarrowScreen = useMediaQuery(NARROW) ?? false;
  const isNarrow = (props.isNarrow ?? false) || isNarrowScreen;
  const { count: preparing, canAnswer, failed, failedIn } = usePreparing(agent);
  const draft = useDraft(agent.id);
  const chat = useChat(agent.id, {
    conversationId,
    canAnswer,
    draft,
    ...(settings ? { settings } : {}),
    ...(onConversation ? { onConversation } : {}),
  });
  const { isStreaming, isLoading } = chat;
  useEffect(() => {
    if (!isLoading) onStreaming?.(isStreaming);
  }, [isStreaming, isLoading, conversationId]);
  const [active, setActive] = useState<ActiveCitation | null>(null);
  const { turns } = chat;
  const chosen = active?.turn ?? turns.length - 1;
  const sources = turns[chosen]?.sources ?? [];
  const canAskAgain = !isStreaming && !isLoading;
  const field = useRef<HTMLTextAreaElement>(null);
  /** The question and its answer stay: the changed question is the next one. */
  const edit = (question: string): void => {
    draft.change(question);
    field.current?.focus();
  };
  const scroll = useStickyBottom(`${conversationId} ${turns.length}`);
  const isDocumentOpen = useOpenCitation().citation !== null;
  // The column stays in a conversation that has sources: a citation that is pointed at must not move.
  const hasSources = turns.some((turn) => turn.sources.length > 0);
  const beside = isDocumentOpen && !isNarrow ? 'document' : !isNarrow && hasSources && 'sources';

  return (
    <OpensBeside value>
      <div className={classes['columns']} data-beside={beside || undefined}>
        <div className={classes['answers']}>
          <div className={classes['scroll']} ref={scroll}>
            <Stack className={classes['inner'] ?? ''} gap="xl">
              {chat.loadError !== null && <ErrorNotice error={chat.loadError} />}
              {turns.length === 0 && !chat.isLoading && chat.loadError === null && (
                <EmptyState
                  icon="ask"
                  title={text('ask.emptyTitle')}
                  action={<SampleQuestions agent={agent} onAsk={(question) => void chat.ask(question)} />}
                >
                  {text('ask.emptyText')}
                </EmptyState>
              )}
              <Suspense fallback={<Skeleton h={48} />}>
                {turns.map((turn, index) => (
                  <TurnView
                    key={turn.id}
                    turn={turn}
                    conversationId={conversationId}
                    agent={agent}
                    showsSources={isNarrow}
                    linksToModels={tellsOfModels(turns, index)}
                    activeNumber={active?.turn === index ? active.number : null}
                    onActive={(number) => setActive(number === null ? null : { turn: index, number })}
                    onRetry={() => void chat.ask(turn.question)}
                    {...(canAskAgain && { onAskAgain: () => void chat.ask(turn.question) })}
                    {...(canAskAgain && draft.text === '' && { onEdit: () => edit(turn.question) })}
                  />
                ))}
              </Suspense>
            </Stack>
          </div>
          <div className={classes['composer']}>
            <Stack className={classes['inner'] ?? ''} gap={6}>
              {preparing > 0 && <PreparingNotice count={preparing} />}
              {failed > 0 && <FailedNotice count={failed} datastoreId={failedIn} />}
              <Composer
                field={field}
                draft={draft}
                isStreaming={chat.isStreaming}
                isSearching={chat.isStreaming && turns.at(-1)?.text === ''}
                isLoading={chat.isLoading}
                onAsk={(question) => void chat.ask(question)}
                onStop={chat.stop}
              />
            </Stack>
          </div>
        </div>
        {isDocumentOpen && (
          <Suspense>
            <CitedDocument isSheet={isNarrow} />
          </Suspense>
        )}
        {beside === 'sources' && (
          <aside className={classes['sources']} aria-label={text('ask.sources')}>
            <Suspense>
              <Sources
                sources={sources}
                activeNumber={active?.number ?? null}
                onActive={(number) => setActive(number === null ? null : { turn: chosen, number })}
              />
            </Suspense>
          </aside>
        )}
      </div>
    </OpensBeside>
  );
}

function PreparingNotice({ count }: { count: number }): ReactNode {
  const { counted } = useTranslator();
  return (
    <Group gap="xs" wrap="nowrap" role="status">
      <Loader size={14} />
      <Text size="xs" c="dimmed">
        {counted('ask.preparing', count)}
      </Text>
    </Group>
  );
}

/** Links to the library, which says why. */
function FailedNotice({ count, datastoreId }: { count: number; datastoreId: string | undefined }): ReactNode {
  const { text, counted } = useTranslator();
  return (
    <Group gap="xs" role="status">
      <Text c="red" lh={0} span>
        <Icon name="warning" size={14} />
      </Text>
      <Text size="xs">{counted('ask.failed', count)}</Text>
      {datastoreId !== undefined && (
        <Anchor
          size="xs"
          renderRoot={(props) => <Link to="/library/$datastoreId" params={{ datastoreId }} {...props} />}
        >
          {text('ask.failedWhy')}
        </Anchor>
      )}
    </Group>
  );
}

function Composer({
  field,
  draft: { text: draft, change, send: empty },
  isStreaming,
  isSearching,
  isLoading,
  onAsk,
  onStop,
}: {
  field: RefObject<HTMLTextAreaElement | null>;
  draft: Draft;
  isStreaming: boolean;
  /** Nothing of the answer is written yet. */
  isSearching: boolean;
  isLoading: boolean;
  onAsk: (question: string) => void;
  onStop: () => void;
}): ReactNode {
  const { text } = useTranslator();
  const send = (): void => {
    if (draft.trim() === '' || isStreaming || isLoading) return;
    onAsk(draft.trim());
    empty();
  };
  const sendOnEnter = (event: KeyboardEvent): void => {
    // While an input method is composing, Enter chooses a word.
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    send();
  };
  return (
    <Box pos="relative">
      <Textarea
        ref={field}
        aria-label={text('ask.placeholder')}
        placeholder={text('ask.placeholder')}
        value={draft}
        onChange={(event) => change(event.currentTarget.value)}
        onKeyDown={sendOnEnter}
        autosize
        minRows={1}
        maxRows={8}
        size="md"
        radius="lg"
        maxLength={8_192}
        autoFocus
        rightSectionWidth={48}
        rightSection={
          isStreaming ? (
            <ActionIcon
              radius="xl"
              variant="default"
              size={32}
              aria-label={text('ask.stop')}
              onClick={onStop}
            >
              <Icon name="stop" />
            </ActionIcon>
          ) : (
            <ActionIcon
              radius="xl"
              size={32}
              aria-label={text('ask.send')}
              disabled={draft.trim() === ''}
              onClick={send}
            >
              <Icon name="send" />
            </ActionIcon>
          )
        }
      />
      <Text size="xs" c="dimmed" role="status" aria-live="polite">
        {isSearching && text('ask.searching')}
      </Text>
    </Box>
  );
}

interface Preparing {
  /** Documents that are being uploaded or ingested. */
  readonly count: number;
  /** A document can be asked about, or none will be: a question need not wait. */
  readonly canAnswer: boolean;
  /** Files that were not added, and failed documents while none is ready. */
  readonly failed: number;
  /** The library of one of them. */
  readonly failedIn: string | undefined;
}

/** How many documents that the agent searches are not ready yet. */
function usePreparing(agent: AskedAgent): Preparing {
  const { uploads } = useUploads();
  const own = uploads.filter(
    ({ datastoreId }) => agent.allDatastores || agent.datastoreIds.includes(datastoreId),
  );
  const notAdded = own.filter(({ error }) => error !== null);
  const uploading = own.length - notAdded.length;
  const { data, isError } = useQuery(newestQuery(agent, uploading > 0));
  const count = Math.max(data?.unfinished ?? 0, uploading);
  return {
    count,
    canAnswer: isError || (data !== undefined && (data.hasReady || count === 0)),
    failed: notAdded.length + (data?.hasReady === false ? data.failed : 0),
    failedIn: notAdded[0]?.datastoreId ?? data?.failedIn,
  };
}

/** The name of the sample and questions that it answers, until the agent is asked for the first time. */
function SampleQuestions({
  agent,
  onAsk,
}: {
  agent: AskedAgent;
  onAsk: (question: string) => void;
}): ReactNode {
  const { text } = useTranslator();
  const { data: isShown } = useQuery(showsSampleQuery(agent));
  if (!isShown) return null;
  return (
    <Stack gap="xs" align="center">
      <Text size="sm" c="dimmed">
        {text('ask.sample', { name: SAMPLE_NAME })}
      </Text>
      {SAMPLE_QUESTIONS.map((question) => (
        <Button key={question} variant="default" radius="xl" lang="en" onClick={() => onAsk(question)}>
          {question}
        </Button>
      ))}
    </Stack>
  );
}
