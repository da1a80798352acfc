import type { MessageEntity } from '@citewell/database';
import type { Turn } from '@citewell/retrieval';

/**
 * The turns of a conversation that a model gets as its history: those whose answer has text and did not fail. Others would
 * only be questions without answers.
 *
 * @param messages oldest first. Each answer follows its question
 */
export function historyOf(messages: readonly Pick<MessageEntity, 'author' | 'text' | 'state'>[]): Turn[] {
  return messages
    .filter((message, index) => {
      const answer = message.author === 'agent' ? message : messages[index + 1];
      const isAnswered = answer?.author === 'agent' && answer.text !== '';
      return isAnswered && (answer.state === 'complete' || answer.state === 'stopped');
    })
    .map(({ author, text }) => ({ from: author, text }));
}
