import { type AgentAnswer, type Citewell, CitewellError, type ResumableAnswerEvent } from '@citewell/sdk';

/** What is known of an answer: its ids, its whole text so far, or how it ended. */
export type AnswerNews =
  | { type: 'started'; conversationId: string; messageId: string }
  | { type: 'text'; text: string }
  | { type: 'response'; response: AgentAnswer };

const MAX_ATTEMPTS = 15;
const PAUSE_MS = 1_000;

/**
 * Reads an answer to its end. When the connection breaks, it comes back to the answer: the server may have been restarted,
 * or a computer has slept.
 *
 * @param begin asks the question, or comes back to the answer
 * @param messageId null for a question that is being asked
 * @param pauseMs for tests
 * @throws the error with which the answer ended, or the last one of the connection
 */
export async function* followAnswer(
  agents: Pick<Citewell['agents'], 'follow'>,
  agentId: string,
  {
    begin,
    messageId,
    signal,
  }: {
    begin: () => AsyncIterable<ResumableAnswerEvent>;
    messageId: string | null;
    signal: AbortSignal;
  },
  pauseMs = PAUSE_MS,
): AsyncGenerator<AnswerNews, void, undefined> {
  let id = messageId;
  let events = begin();
  for (let failures = 0; ;) {
    try {
      let text = '';
      for await (const event of events) {
        failures = 0;
        if (event.type === 'text') yield { type: 'text', text: (text += event.text) };
        else if (event.type === 'response') yield event;
        else {
          id = event.start.messageId;
          yield { type: 'started', conversationId: event.start.conversationId, messageId: id };
        }
      }
      return;
    } catch (error) {
      failures += 1;
      if (signal.aborted || id === null || failures > MAX_ATTEMPTS || !isInterruption(error)) throw error;
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
      events = agents.follow(agentId, id, { signal });
    }
  }
}

/** Whether the connection failed, not the answer. */
function isInterruption(error: unknown): boolean {
  return error instanceof CitewellError && ['NETWORK', 'TIMEOUT', 'STREAM_INCOMPLETE'].includes(error.code);
}
