import {
  type AgentAnswer,
  type AgentQuery,
  CitewellError,
  type Feedback,
  type Message,
  type Source,
} from '@citewell/sdk';
import { useCallback, useEffect, useRef, useState } from 'react';
import { client } from '../client.js';

/** A question and what is known of its answer. */
export interface Turn {
  readonly id: number;
  readonly question: string;
  readonly text: string;
  readonly sources: readonly Source[];
  readonly state: 'streaming' | 'complete' | 'stopped' | 'failed';
  readonly abstained: boolean;
  /** Null until the answer is complete. */
  readonly messageId: string | null;
  /** As it was when the conversation was loaded. */
  readonly feedback: Feedback | null;
  readonly error: unknown;
}

/** Messages that are loaded of an earlier conversation. */
const HISTORY = 100;

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
 * A conversation with an agent.
 *
 * @param canAnswer false while no document is ready: questions wait until it is true
 * @param settings override those of the agent for the next question
 * @param onConversation is called with the id of a conversation that begins
 */
export function useChat(
  agentId: string,
  {
    conversationId,
    canAnswer,
    settings,
    onConversation,
  }: {
    conversationId?: string | undefined;
    canAnswer: boolean;
    settings?: Omit<AgentQuery, 'query' | 'conversationId'>;
    onConversation?: (id: string) => void;
  },
): Chat {
  const [turns, setTurns] = useState<readonly Turn[]>([]);
  const [isLoading, setIsLoading] = useState(false);
  const [loadError, setLoadError] = useState<unknown>(null);
  const isStreaming = turns.at(-1)?.state === 'streaming';
  /** The conversation that `turns` shows. */
  const shown = useRef<string | undefined>(undefined);
  const abort = useRef<AbortController | null>(null);
  const ready = useGate(canAnswer);

  useEffect(() => {
    if (conversationId === shown.current) return;
    abort.current?.abort();
    shown.current = conversationId;
    setTurns([]);
    setLoadError(null);
    if (conversationId === undefined) return;
    let isCurrent = true;
    setIsLoading(true);
    client.conversations
      .get(conversationId, { agentId, limit: HISTORY })
      .then(({ messages }) => isCurrent && setTurns(turnsOf(messages.toReversed())))
      .catch((error: unknown) => {
        // An unknown conversation begins with the next question.
        const isUnknown = error instanceof CitewellError && error.code === 'NOT_FOUND';
        if (isCurrent && !isUnknown) setLoadError(error);
      })
      .finally(() => isCurrent && setIsLoading(false));
    return () => {
      isCurrent = false;
    };
  }, [agentId, conversationId]);
  useEffect(() => () => abort.current?.abort(), []);

  const ask = useCallback(
    async (question: string): Promise<void> => {
      if (isLoading || isStreaming) return;
      const controller = new AbortController();
      abort.current = controller;
      const asked = newTurn(question);
      const update = (change: (turn: Turn) => Turn): void =>
        setTurns((current) => current.map((turn) => (turn.id === asked.id ? change(turn) : turn)));
      setTurns((current) => [...current, asked]);
      try {
        await ready(controller.signal);
        const query = { ...settings, query: question, conversationId: shown.current ?? null };
        for await (const event of client.agents.stream(agentId, query, { signal: controller.signal })) {
          if (event.type === 'text') update((turn) => ({ ...turn, text: turn.text + event.text }));
          else {
            update((turn) => completed(turn, event.response));
            shown.current = event.response.conversationId;
            onConversation?.(event.response.conversationId);
          }
        }
      } catch (error) {
        const wasStopped = controller.signal.aborted;
        update((turn) => ({ ...turn, state: wasStopped ? 'stopped' : 'failed', error }));
      }
    },
    [agentId, settings, onConversation, ready, isLoading, isStreaming],
  );
  const stop = useCallback(() => abort.current?.abort(), []);
  return { turns, isLoading, isStreaming, loadError, ask, stop };
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

let lastId = 0;

function newTurn(question: string): Turn {
  return {
    id: (lastId += 1),
    question,
    text: '',
    sources: [],
    state: 'streaming',
    abstained: false,
    messageId: null,
    feedback: null,
    error: null,
  };
}

function completed(turn: Turn, { answer, sources, abstained, messageId }: AgentAnswer): Turn {
  return { ...turn, text: answer, sources, abstained, messageId, state: 'complete' };
}

/** The turns of stored messages, oldest first. A question without an answer was interrupted. */
function turnsOf(messages: readonly Message[]): Turn[] {
  const turns: Turn[] = [];
  for (const { id, from, text, sources, abstained = false, rating, comment } of messages) {
    const last = turns.at(-1);
    if (from === 'human') turns.push({ ...newTurn(text), state: 'stopped' });
    else if (last)
      turns[turns.length - 1] = {
        ...last,
        text,
        sources,
        abstained,
        messageId: id,
        feedback: rating === undefined ? null : { rating, comment },
        state: 'complete',
      };
  }
  return turns;
}

/** Whether a failed question may succeed when it is asked again. */
export function isWorthRetrying(error: unknown): boolean {
  return (
    !(error instanceof CitewellError) || error.status === 0 || error.status === 429 || error.status >= 500
  );
}
