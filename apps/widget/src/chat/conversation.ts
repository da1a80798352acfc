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

/** An answer that is being read. */
interface Reading {
  readonly turn: Turn;
  readonly controller: AbortController;
  /** With which the answer is stopped. Null: the server has not told it yet. */
  visitorToken: string | null;
  wantsStop: boolean;
  isStopping: boolean;
}

/** The visitor's conversation: asks, remembers, and tells its view about every change. */
export class Conversation {
  turns: Turn[];
  /** How the server knows the conversation; null before its first answer. */
  private identity: Omit<SavedConversation, 'turns'> | null;
  private current: Reading | null = null;

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
    this.stopOnce(this.current);
  }

  /** Forgets the conversation. Its answer in progress is stopped, as soon as it can be. */
  startOver(): void {
    this.stop();
    this.current = null;
    this.turns = [];
    this.identity = null;
    this.store.clear();
  }

  private async answer(turn: Turn): Promise<void> {
    const controller = new AbortController();
    const current: Reading = {
      turn,
      controller,
      visitorToken: this.identity?.visitorToken ?? null,
      wantsStop: false,
      isStopping: false,
    };
    this.current = current;
    this.onChange(turn);
    try {
      await this.read(current);
    } catch (error) {
      turn.state = controller.signal.aborted ? 'stopped' : 'failed';
      turn.error = controller.signal.aborted ? null : failureOf(error);
      if (turn.error !== 'interrupted') turn.messageId = null;
    }
    if (this.current !== current) return;
    this.current = null;
    this.save();
    this.onChange(turn);
  }

  private async read(current: Reading): Promise<void> {
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
        current.visitorToken = visitorToken;
        // A conversation that was forgotten meanwhile stays forgotten.
        if (this.turns.includes(turn)) this.identity = { conversationId, visitorId, visitorToken };
        this.save();
      } else this.complete(turn, event.response);
      this.stopOnce(current);
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
  private stopOnce(current: Reading): void {
    const { turn, controller, visitorToken, wantsStop, isStopping } = current;
    if (!wantsStop || isStopping) return;
    const abort = (): void => controller.abort();
    if (turn.messageId !== null && visitorToken !== null) {
      current.isStopping = true;
      this.agent.stop(turn.messageId, visitorToken).catch(abort);
    } else if (turn.state === 'streaming') abort();
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
