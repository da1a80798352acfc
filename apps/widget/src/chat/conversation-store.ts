import { newTurn, type Turn } from './turn.js';

/** What is remembered of a conversation. */
export interface SavedConversation {
  conversationId: string;
  visitorToken: string;
  visitorId: string;
  turns: Turn[];
}

const MAX_TURNS = 20;

/** Keeps one conversation of an agent in the browser. Without storage, such as in private mode, it keeps nothing. */
export class ConversationStore {
  private readonly name: string;

  constructor(
    private readonly storage: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'> | null,
    agentId: string,
  ) {
    this.name = `citewell:${agentId}`;
  }

  load(): SavedConversation | null {
    try {
      return parse(JSON.parse(this.storage?.getItem(this.name) ?? 'null'));
    } catch {
      return null;
    }
  }

  save({ turns, ...conversation }: SavedConversation): void {
    try {
      const saved = { ...conversation, turns: turns.slice(-MAX_TURNS) };
      this.storage?.setItem(this.name, JSON.stringify(saved));
    } catch {
      // The storage is full or forbidden. The conversation lasts until the page is left.
    }
  }

  clear(): void {
    try {
      this.storage?.removeItem(this.name);
    } catch {
      // As in `save`.
    }
  }
}

/** Another release may have saved it, and scripts of the page can change it. */
function parse(value: unknown): SavedConversation | null {
  if (!isObject(value)) return null;
  const { conversationId, visitorToken, visitorId, turns } = value;
  if (![conversationId, visitorToken, visitorId].every((field) => typeof field === 'string')) return null;
  if (!Array.isArray(turns) || !turns.every(isTurn)) return null;
  return {
    conversationId: String(conversationId),
    visitorToken: String(visitorToken),
    visitorId: String(visitorId),
    turns: turns.map((turn) => ({
      ...newTurn(turn.question),
      ...turn,
      state: turn.state === 'done' || turn.state === 'stopped' ? turn.state : 'searching',
      error: null,
    })),
  };
}

function isTurn(value: unknown): value is Turn {
  return (
    isObject(value) &&
    typeof value['question'] === 'string' &&
    typeof value['answer'] === 'string' &&
    typeof value['abstained'] === 'boolean' &&
    hasEndedOrGoesOn(value) &&
    Array.isArray(value['sources']) &&
    value['sources'].every(isSource)
  );
}

function hasEndedOrGoesOn({ state, messageId = null }: Record<string, unknown>): boolean {
  return state === 'done' || state === 'stopped' ? messageId === null : typeof messageId === 'string';
}

function isSource(value: unknown): boolean {
  return (
    isObject(value) &&
    typeof value['number'] === 'number' &&
    ['datasource_name', 'source', 'text'].every((field) => typeof value[field] === 'string')
  );
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
