import type { Conversation, Message, Source } from '@citewell/contracts/schemas';
import type { ConversationView, MessageEntity } from '@citewell/database';

/** In characters (code points). */
const MAX_TITLE_LENGTH = 120;

/** Why an answer failed that has no reason: its process ended. */
export const INTERRUPTED = {
  code: 'ANSWER_INTERRUPTED',
  message: 'The server stopped while it wrote this answer. Ask again.',
};

export function toConversation({
  conversation: { agentId, visitorId, title, personId, shareId, sharedAt, createdAt, updatedAt },
  knownId,
  isOwn,
  personName,
  question,
  messages,
  unanswered,
  rating,
}: ConversationView): Conversation {
  return {
    id: knownId,
    agentId,
    visitorId,
    title: title ?? titleOf(question),
    own: isOwn,
    person: personId === null ? null : { id: personId, name: personName },
    share: isOwn && shareId !== null && sharedAt ? { id: shareId, sharedAt: sharedAt.toISOString() } : null,
    messageCount: messages,
    answered: !unanswered,
    rating,
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
  };
}

export function toMessage(message: MessageEntity): Message {
  const { id, author, text, createdAt, sources, abstained, finishReason, sentences } = message;
  const { state, error, rating, comment } = message;
  return {
    id,
    from: author,
    text,
    createdAt: createdAt.toISOString(),
    sources,
    ...(author === 'agent' ? { abstained, state } : {}),
    ...(finishReason === null ? {} : { finishReason }),
    ...(sentences === null ? {} : { sentences }),
    ...(state === 'failed' ? { error: error ?? INTERRUPTED } : {}),
    ...(rating ? { rating } : {}),
    ...(comment === null ? {} : { comment }),
  };
}

/** A message as others read it. The numbers of its citations stay, so passages that are not cited become empty. */
export function toSharedMessage(entity: MessageEntity): Message {
  const { rating: _, comment: __, sources, ...message } = toMessage(entity);
  return { ...message, sources: sources.map((source) => (source.cited ? source : NOT_CITED)) };
}

const NOT_CITED: Source = {
  chunk_id: '',
  datasource_id: '',
  datasource_name: '',
  datasource_type: '',
  source: '',
  score: 0,
  text: '',
  start: 0,
  end: 0,
  revision: 0,
  cited: false,
};

/** The question on one line, truncated. */
export function titleOf(question: string): string {
  const characters = [...question.replace(/\s+/g, ' ').trim()];
  if (characters.length <= MAX_TITLE_LENGTH) return characters.join('');
  return `${characters.slice(0, MAX_TITLE_LENGTH - 1).join('')}…`;
}
