import { type AgentAnswer, type AgentQuery, CitewellError, markSentences, type Message } from '@citewell/sdk';
import { useCallback, useEffect, useRef, useState } from 'react';
import { client } from '../../client.js';
import { type AnswerNews, followAnswer } from './follow-answer.js';
import { newTurn, type Turn, turnsOf } from './turn.js';
import { useSession } from '../../identity/sign-in/session.js';

/** Messages per request. */
const PAGE = 100;

interface Chat {
  readonly turns: readonly Turn[];
  /** The earlier messages of the conversation are being loaded. */
  readonly isLoading: boolean;
  readonly isStreaming: boolean;
  /** Why the earlier messages could not be loaded. */
  readonly loadError: unknown;
  /** Does nothing while an answer is being written or earlier messages are being loaded. */
  ask(question: string): Promise<void>;
  stop(): void;
}

/**
 * A conversation with an agent. Answers go on when the page is left, and are followed when it is opened again.
 *
 * @param canAnswer false while no document is ready: questions wait until it is true
 * @param settings override those of the agent for the next question
 * @param onConversation is called with the id of a conversation that begins
 * @param draft keeps a question until the server has it
 */
export function useChat(
  agentId: string,
  {
    conversationId,
    canAnswer,
    settings,
    onConversation,
    draft,
  }: {
    conversationId?: string | undefined;
    canAnswer: boolean;
    settings?: Omit<AgentQuery, 'query' | 'conversationId'>;
    onConversation?: (id: string) => void;
    draft: Pick<Draft, 'keep' | 'release'>;
  },
): Chat {
  const [turns, setTurns] = useState<readonly Turn[]>([]);
  const [isLoading, setIsLoading] = useState(false);
  const [loadError, setLoadError] = useState<unknown>(null);
  const isStreaming = turns.some(({ state }) => state === 'streaming');
  /** The conversation that `turns` shows. */
  const shown = useRef<string | undefined>(undefined);
  /** Of the answers that are being followed. */
  const leave = useRef(new AbortController());
  const stops = useRef(new Map<number, () => void>());
  const ready = useGate(canAnswer);
  const { keep, release } = draft;

  const update = useCallback(
    (id: number, change: Partial<Turn>): void =>
      setTurns((current) => current.map((turn) => (turn.id === id ? { ...turn, ...change } : turn))),
    [],
  );
  const fail = useCallback(
    async (id: number, messageId: string | null, error: unknown): Promise<void> => {
      update(id, { state: 'failed', error });
      if (messageId === null || shown.current === undefined) return;
      const { messages } = await client.conversations.get(shown.current, { agentId, limit: PAGE });
      const sources = messages.find((message) => message.id === messageId)?.sources ?? [];
      update(id, { sources });
    },
    [agentId, update],
  );
  const follow = useCallback(
    async (
      turn: Turn,
      begin: Parameters<typeof followAnswer>[2]['begin'],
      signal: AbortSignal,
      onNews: (news: AnswerNews) => void = () => undefined,
    ): Promise<void> => {
      const { id, messageId } = turn;
      try {
        for await (const news of followAnswer(client.agents, agentId, { begin, messageId, signal })) {
          if (signal.aborted) return;
          if (news.type === 'text') update(id, { text: news.text });
          else if (news.type === 'response') update(id, completed(news.response));
          else update(id, { messageId: news.messageId });
          onNews(news);
        }
      } finally {
        stops.current.delete(id);
      }
    },
    [agentId, update],
  );

  useEffect(() => {
    // React may leave and enter the page at once.
    if (leave.current.signal.aborted) leave.current = new AbortController();
    if (conversationId === shown.current) return;
    leave.current.abort();
    leave.current = new AbortController();
    shown.current = conversationId;
    setTurns([]);
    setLoadError(null);
    setIsLoading(conversationId !== undefined);
    if (conversationId === undefined) return;
    const { signal } = leave.current;
    const resume = async (turn: Turn, messageId: string): Promise<void> => {
      stops.current.set(turn.id, () => stopAnswer(agentId, messageId));
      try {
        await follow(turn, () => client.agents.follow(agentId, messageId, { signal }), signal);
      } catch (error) {
        if (!signal.aborted) fail(turn.id, messageId, error).catch(() => undefined);
      }
    };
    allMessages(conversationId, agentId, signal)
      .then((messages) => {
        const loaded = turnsOf(messages);
        setTurns(loaded);
        for (const turn of loaded)
          if (turn.state === 'streaming' && turn.messageId !== null) void resume(turn, turn.messageId);
      })
      .catch((error: unknown) => {
        // An unknown conversation begins with the next question.
        const isUnknown = error instanceof CitewellError && error.code === 'NOT_FOUND';
        if (!signal.aborted && !isUnknown) setLoadError(error);
      })
      .finally(() => !signal.aborted && setIsLoading(false));
  }, [agentId, conversationId, fail, follow]);
  useEffect(
    () => () => {
      leave.current.abort();
      shown.current = undefined;
    },
    [],
  );

  const ask = useCallback(
    async (question: string): Promise<void> => {
      if (isLoading || isStreaming) return;
      const turn = newTurn(question);
      const waiting = new AbortController();
      const { signal } = leave.current;
      const ended = AbortSignal.any([signal, waiting.signal]);
      let answerId: string | null = null;
      let [wantsStop, isAsking] = [false, false];
      const stop = (): void => {
        wantsStop = true;
        if (answerId !== null) stopAnswer(agentId, answerId);
        // While the server stores the question, only its answer can tell what to stop.
        else if (!isAsking) waiting.abort();
      };
      stops.current.set(turn.id, stop);
      setTurns((current) => [...current, turn]);
      keep(question);
      try {
        await ready(ended);
        isAsking = true;
        const query = { ...settings, query: question, conversationId: shown.current ?? null };
        const begin = () => client.agents.streamResumable(agentId, query, { signal: ended });
        await follow(turn, begin, ended, (news) => {
          isAsking = false;
          release(question);
          if (news.type === 'started') {
            answerId = news.messageId;
            shown.current = news.conversationId;
            onConversation?.(news.conversationId);
          }
          if (wantsStop && news.type !== 'response') stop();
        });
      } catch (error) {
        if (signal.aborted) return;
        if (waiting.signal.aborted) update(turn.id, { state: 'stopped', error });
        // Without its sources, if they cannot be loaded.
        else fail(turn.id, answerId, error).catch(() => undefined);
      }
    },
    [agentId, settings, onConversation, keep, release, ready, isLoading, isStreaming, fail, follow, update],
  );
  const stop = useCallback(() => {
    for (const stopTurn of stops.current.values()) stopTurn();
  }, []);
  return { turns, isLoading, isStreaming, loadError, ask, stop };
}

/** Whoever stops an answer sees whether it ends. */
function stopAnswer(agentId: string, messageId: string): void {
  client.agents.stop(agentId, messageId).catch(() => undefined);
}

/** All messages of a conversation, oldest first: the page can be printed. */
async function allMessages(id: string, agentId: string, signal: AbortSignal): Promise<Message[]> {
  const messages: Message[] = [];
  for await (const message of client.conversations.messages(id, { agentId, limit: PAGE }, { signal }))
    messages.push(message);
  return messages.toReversed();
}

/** @returns a function that resolves when the gate is open. It throws the reason of the signal when it is aborted. */
function useGate(isOpen: boolean): (signal: AbortSignal) => Promise<void> {
  const state = useRef({ isOpen, waiting: [] as (() => void)[] });
  useEffect(() => {
    state.current.isOpen = isOpen;
    if (isOpen) for (const proceed of state.current.waiting.splice(0)) proceed();
  }, [isOpen]);
  return useCallback(
    (signal) =>
      new Promise((resolve, reject) => {
        if (state.current.isOpen) resolve();
        else state.current.waiting.push(resolve);
        signal.addEventListener('abort', () => reject(signal.reason), { once: true });
      }),
    [],
  );
}

function completed({
  answer,
  sentences,
  sources,
  abstained,
  finishReason,
  messageId,
  state,
}: AgentAnswer): Partial<Turn> {
  return {
    text: markSentences(answer, sentences),
    sources,
    sentences,
    abstained,
    finishReason,
    messageId,
    state: state ?? 'complete',
  };
}

/** Whether a failed question may succeed when it is asked again. */
export function isWorthRetrying(error: unknown): boolean {
  return (
    !(error instanceof CitewellError) || error.status === 0 || error.status === 429 || error.status >= 500
  );
}

/** The question that is being written. */
export interface Draft {
  /** The text of the field. */
  readonly text: string;
  readonly change: (text: string) => void;
  /** Empties the field. The question is kept until {@link release}. */
  readonly send: () => void;
  /** Keeps a question that the server does not have yet. */
  readonly keep: (question: string) => void;
  /** Forgets a question that the server has. */
  readonly release: (question: string) => void;
}

/** The draft of a question to an agent. It outlives a reload of the page and the end of the session, in this tab. */
export function useDraft(agentId: string): Draft {
  // Nobody who signs in to another organization finds it.
  const name = `citewell-draft ${useSession().organization.id} ${agentId}`;
  const [text, setText] = useState(() => sessionStorage.getItem(name) ?? '');
  const keep = useCallback((question: string) => sessionStorage.setItem(name, question), [name]);
  const release = useCallback(
    (question: string) => {
      // Another question may have been begun.
      if (sessionStorage.getItem(name) === question) sessionStorage.removeItem(name);
    },
    [name],
  );
  const change = useCallback(
    (draft: string) => {
      setText(draft);
      keep(draft);
    },
    [keep],
  );
  const send = useCallback(() => setText(''), []);
  return { text, change, send, keep, release };
}
