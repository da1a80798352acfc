import { type VisitorError, visitorErrorOf } from '@citewell/contracts/visitor-errors';
import {
  CitewellError,
  markSentences,
  type PublicAnswer,
  type RequestOptions,
  type ResumableAnswerEvent,
  type VisitorQuery,
} from '@citewell/sdk';
import type { ConversationStore, SavedConversation } from './conversation-store.js';
import { isInProgress, newTurn, type Turn } from './turn.js';

/** The methods for visitors of {@link import('@citewell/sdk').Agents}, with the agent filled in. */
export interface VisitedAgent {
  ask(query: VisitorQuery, options: RequestOptions): AsyncIterable<ResumableAnswerEvent<PublicAnswer>>;
  follow(
    messageId: string,
    visitorToken: string,
    options: RequestOptions,
  ): AsyncIterable<ResumableAnswerEvent<PublicAnswer>>;
  stop(messageId: string, visitorToken: string): Promise<unknown>;
}

/** The visitor's conversation: asks, remembers, and tells its view about every change. */
export class Conversation {
  turns: Turn[];
  /** How the server knows the conversation; null before its first answer. */
  private identity: Omit<SavedConversation, 'turns'> | null;
  private current: { turn: Turn; controller: AbortController; wantsStop: boolean } | null = null;

  constructor(
    private readonly agent: VisitedAgent,
    private readonly store: ConversationStore,
    private readonly onChange: (turn: Turn) => void,
  ) {
    const saved = store.load();
    this.identity = saved;
    this.turns = saved?.turns ?? [];
  }

  get isBusy(): boolean {
    return this.current !== null;
  }

  /** Continues an answer that was in progress when the page was left. */
  async resume(): Promise<void> {
    const turn = this.turns.find(({ messageId }) => messageId !== null);
    if (turn && !this.isBusy) await this.answer(turn);
  }

  /** Sends a question, unless an answer is in progress. Resolves when the answer has ended, also when it fails. */
  async send(question: string): Promise<void> {
    if (this.isBusy) return;
    const turn = newTurn(question);
    this.turns.push(turn);
    await this.answer(turn);
  }

  /** Asks the question of a failed turn again, or comes back to its answer if only the connection failed. */
  async retry(turn: Turn): Promise<void> {
    if (this.isBusy) return;
    Object.assign(turn, { ...newTurn(turn.question), messageId: turn.messageId });
    await this.answer(turn);
  }

  /** Ends the answer in progress. What has arrived stays. */
  stop(): void {
    if (this.current === null) return;
    this.current.wantsStop = true;
    this.stopNow(this.current);
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
    this.current = { turn, controller, wantsStop: false };
    this.onChange(turn);
    try {
      await this.read(this.current);
    } catch (error) {
      turn.state = controller.signal.aborted ? 'stopped' : 'failed';
      turn.error = controller.signal.aborted ? null : failureOf(error);
      if (turn.error !== 'interrupted') turn.messageId = null;
    }
    this.current = null;
    this.save();
    this.onChange(turn);
  }

  private async read(current: NonNullable<Conversation['current']>): Promise<void> {
    const { turn, controller } = current;
    const { signal } = controller;
    let text = '';
    for await (const event of this.events(turn, signal)) {
      signal.throwIfAborted();
      if (event.type === 'text') {
        text += event.text;
        Object.assign(turn, { answer: text, state: 'streaming' });
        this.onChange(turn);
      } else if (event.type === 'started') {
        const { messageId, conversationId, visitorId, visitorToken = '' } = event.start;
        turn.messageId = messageId;
        // A conversation that was forgotten meanwhile stays forgotten.
        if (this.turns.includes(turn)) this.identity = { conversationId, visitorId, visitorToken };
        this.save();
      } else this.complete(turn, event.response);
      if (current.wantsStop) this.stopNow(current);
    }
  }

  private events(turn: Turn, signal: AbortSignal): AsyncIterable<ResumableAnswerEvent<PublicAnswer>> {
    const { conversationId, visitorId, visitorToken } = this.identity ?? {};
    if (turn.messageId !== null && visitorToken !== undefined)
      return this.agent.follow(turn.messageId, visitorToken, { signal });
    return this.agent.ask({ query: turn.question, conversationId, visitorId, visitorToken }, { signal });
  }

  private complete(turn: Turn, response: PublicAnswer): void {
    const { sources, abstained, state, conversationId, visitorId, visitorToken } = response;
    const answer = markSentences(response.answer, response.sentences);
    Object.assign(turn, { answer, sources, abstained, messageId: null, state: state ?? 'done' });
    if (this.turns.includes(turn)) this.identity = { conversationId, visitorId, visitorToken };
  }

  /** Before the first event, only the server knows the answer that it begins: it is stopped after that event. */
  private stopNow({ turn, controller }: NonNullable<Conversation['current']>): void {
    const { messageId, state } = turn;
    const abort = (): void => controller.abort();
    if (messageId !== null && this.identity !== null)
      this.agent.stop(messageId, this.identity.visitorToken).catch(abort);
    else if (state === 'streaming') abort();
  }

  private save(): void {
    if (this.identity === null) return;
    const turns = this.turns.filter(
      (turn) => turn.messageId !== null || (turn.state !== 'failed' && !isInProgress(turn)),
    );
    this.store.save({ ...this.identity, turns });
  }
}

function failureOf(error: unknown): VisitorError {
  return error instanceof CitewellError ? visitorErrorOf(error.code, error.retryAfterSeconds) : 'other';
}
