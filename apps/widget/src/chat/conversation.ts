import { type VisitorError, visitorErrorOf } from '@citewell/contracts/visitor-errors';
import {
  type AnswerEvent,
  CitewellError,
  type PublicAnswer,
  type RequestOptions,
  type VisitorQuery,
} from '@citewell/sdk';
import type { ConversationStore, SavedConversation } from './conversation-store.js';
import { isInProgress, newTurn, type Turn } from './turn.js';

/** Asks the agent. {@link import('@citewell/sdk').Agents.streamAsVisitor} with the agent filled in. */
export type Ask = (query: VisitorQuery, options: RequestOptions) => AsyncIterable<AnswerEvent<PublicAnswer>>;

/** The visitor's conversation: asks, remembers, and tells its view about every change. */
export class Conversation {
  turns: Turn[];
  /** How the server knows the conversation; null before its first answer. */
  private identity: Omit<SavedConversation, 'turns'> | null;
  private controller: AbortController | null = null;

  constructor(
    private readonly ask: Ask,
    private readonly store: ConversationStore,
    private readonly onChange: (turn: Turn) => void,
  ) {
    const saved = store.load();
    this.identity = saved;
    this.turns = saved?.turns ?? [];
  }

  get isBusy(): boolean {
    return this.controller !== null;
  }

  /** Sends a question, unless an answer is in progress. Resolves when the answer has ended, also when it fails. */
  async send(question: string): Promise<void> {
    if (this.isBusy) return;
    const turn = newTurn(question);
    this.turns.push(turn);
    await this.answer(turn);
  }

  /** Asks the question of a failed turn again. */
  async retry(turn: Turn): Promise<void> {
    if (this.isBusy) return;
    Object.assign(turn, newTurn(turn.question));
    await this.answer(turn);
  }

  /** Ends the answer in progress. What has arrived stays. */
  stop(): void {
    this.controller?.abort();
  }

  /** Forgets the conversation. */
  startOver(): void {
    this.stop();
    this.turns = [];
    this.identity = null;
    this.store.clear();
  }

  private async answer(turn: Turn): Promise<void> {
    const controller = new AbortController();
    this.controller = controller;
    this.onChange(turn);
    try {
      await this.read(turn, controller.signal);
    } catch (error) {
      turn.state = controller.signal.aborted ? 'stopped' : 'failed';
      turn.error = controller.signal.aborted ? null : failureOf(error);
    }
    this.controller = null;
    this.save();
    this.onChange(turn);
  }

  private async read(turn: Turn, signal: AbortSignal): Promise<void> {
    const { conversationId, visitorId, visitorToken } = this.identity ?? {};
    const query = { query: turn.question, conversationId, visitorId, visitorToken };
    for await (const event of this.ask(query, { signal })) {
      signal.throwIfAborted();
      if (event.type === 'text') {
        turn.answer += event.text;
        turn.state = 'streaming';
        this.onChange(turn);
      } else {
        const { response } = event;
        const { answer, sources, abstained } = response;
        Object.assign(turn, { answer, sources, abstained, state: 'done' });
        this.identity = {
          conversationId: response.conversationId,
          visitorId: response.visitorId,
          visitorToken: response.visitorToken,
        };
      }
    }
  }

  private save(): void {
    if (this.identity === null) return;
    const turns = this.turns.filter((turn) => turn.state !== 'failed' && !isInProgress(turn));
    this.store.save({ ...this.identity, turns });
  }
}

function failureOf(error: unknown): VisitorError {
  return error instanceof CitewellError ? visitorErrorOf(error.code, error.retryAfterSeconds) : 'other';
}
