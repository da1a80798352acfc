import { ActionIcon, Anchor, Group, Skeleton, Stack, Text } from '@mantine/core';
import type { Agent, Source } from '@citewell/sdk';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { ErrorNotice } from '../../components/error-notice.js';
import { Icon } from '../../components/icon.js';
import { AddDocumentsButton } from '../../content/library/document-links.js';
import { useTranslator } from '../../messages/messages.js';
import { Permitted } from '../../identity/sign-in/session.js';
import { chatQuery, ownQuery } from '../../models/model-settings.js';
import { AnswerMarkdown, Contradictions, CopyAnswer } from './answer-view.js';
import classes from './ask.module.css';
import { FeedbackForm } from './feedback-form.js';
import { Sources } from './sources.js';
import { shownQuote, type Turn } from './turn.js';
import { isWorthRetrying } from './use-chat.js';

interface TurnViewProps {
  turn: Turn;
  agent: Pick<Agent, 'id' | 'datastoreIds'>;
  conversationId: string | undefined;
  showsSources: boolean;
  /** See `tellsOfModels`. */
  linksToModels: boolean;
  activeNumber: number | null;
  onActive: (number: number | null) => void;
  onRetry: () => void;
  /** Asks the question again, as the next one. Absent while an answer is being written. */
  onAskAgain?: () => void;
  /** Puts the question into the field. Absent also while the field has a text, which would be lost. */
  onEdit?: () => void;
}

/** A question with its answer. */
export function TurnView(props: TurnViewProps): ReactNode {
  const { text } = useTranslator();
  const { turn, agent, conversationId, showsSources, linksToModels, activeNumber } = props;
  const { onActive, onRetry, onAskAgain, onEdit } = props;
  const { question, state, abstained, sources, messageId, error } = turn;
  return (
    <Stack gap="md" component="article">
      <Text className={classes['question'] ?? ''} dir="auto">
        {question}
      </Text>
      {turn.text === '' && state === 'streaming' ? (
        <Stack gap={8}>
          <Skeleton h={12} w="90%" />
          <Skeleton h={12} w="70%" />
        </Stack>
      ) : (
        <div className={abstained ? classes['abstained'] : undefined}>
          <AnswerMarkdown
            text={turn.text}
            sources={sources}
            activeNumber={activeNumber}
            onActive={onActive}
          />
          {abstained && <AddDocuments agent={agent} />}
        </div>
      )}
      {linksToModels && (
        <Permitted scope="admin">
          <ModelsLink />
        </Permitted>
      )}
      <Contradictions sentences={turn.sentences} />
      {state === 'failed' && <ErrorNotice error={error} {...(isWorthRetrying(error) ? { onRetry } : {})} />}
      {state === 'stopped' && (
        <Text size="sm" c="dimmed">
          {text('ask.stopped')}
        </Text>
      )}
      {showsSources && sources.length > 0 && (
        <div className={classes['onScreen']}>
          <Sources sources={sources} activeNumber={activeNumber} onActive={onActive} />
        </div>
      )}
      <PrintedSources sources={sources} />
      {state !== 'streaming' && turn.text !== '' && (
        <Group gap="xs" align="flex-start" className={classes['onScreen'] ?? ''}>
          {state !== 'failed' && messageId !== null && conversationId !== undefined && (
            <FeedbackForm
              agentId={agent.id}
              conversationId={conversationId}
              messageId={messageId}
              initial={turn.feedback}
            />
          )}
          <CopyAnswer text={turn.text} sources={sources} />
          <Group gap={4}>
            <ActionIcon
              variant="subtle"
              color="gray"
              aria-label={text('ask.again')}
              title={text('ask.again')}
              disabled={!onAskAgain}
              onClick={onAskAgain}
            >
              <Icon name="sync" size={16} />
            </ActionIcon>
            <ActionIcon
              variant="subtle"
              color="gray"
              aria-label={text('ask.edit')}
              title={text('ask.edit')}
              disabled={!onEdit}
              onClick={onEdit}
            >
              <Icon name="edit" size={16} />
            </ActionIcon>
          </Group>
        </Group>
      )}
    </Stack>
  );
}

/** What else to do is said by the answer, in the language of the question. */
function AddDocuments({ agent }: { agent: Pick<Agent, 'datastoreIds'> }): ReactNode {
  const [datastoreId] = agent.datastoreIds;
  if (datastoreId === undefined) return null;
  return (
    <Permitted>
      <AddDocumentsButton datastoreId={datastoreId} />
    </Permitted>
  );
}

/** Nothing for administrators who may not choose a model. */
function ModelsLink(): ReactNode {
  const { text } = useTranslator();
  const ofServer = useQuery(chatQuery);
  const own = useQuery({ ...ownQuery, enabled: ofServer.isError });
  if (!ofServer.data && !own.data) return null;
  return (
    <Anchor size="sm" renderRoot={(props) => <Link to="/settings" search={{ tab: 'models' }} {...props} />}>
      {text('ask.models')}
    </Anchor>
  );
}

/** The sources that an answer cites, on paper: below the answer, with their quotes and addresses. */
function PrintedSources({ sources }: { sources: readonly Source[] }): ReactNode {
  const { text } = useTranslator();
  const cited = sources.flatMap((source, index) => (source.cited ? [{ source, number: index + 1 }] : []));
  if (cited.length === 0) return null;
  return (
    <ul className={classes['onPaper']} aria-hidden>
      {cited.map(
        ({ source: { datasource_name, title, page_number, source, quote, text: passage }, number }) => (
          <li key={number}>
            [{number}] <strong>{title ?? datasource_name}</strong>
            {page_number !== undefined && `, ${text('ask.page', { page: page_number })}`}
            {source !== datasource_name && `, ${source}`}
            <div className={classes['passage']}>{shownQuote(quote?.text ?? passage)}</div>
          </li>
        ),
      )}
    </ul>
  );
}
