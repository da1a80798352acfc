import type { VisitorError } from '@citewell/contracts/visitor-errors';
import type { PublicSource } from '@citewell/sdk';

/** A question and its answer, as far as it has arrived. */
export interface Turn {
  readonly question: string;
  /** When it is complete, with marks: see `markSentences`. */
  answer: string;
  sources: readonly PublicSource[];
  abstained: boolean;
  /** With which the answer is followed and stopped on the server. Null: it is not, or it has ended. */
  messageId: string | null;
  state: 'searching' | 'streaming' | 'done' | 'stopped' | 'failed';
  /** Why the answer failed. */
  error: VisitorError | null;
}

export function newTurn(question: string): Turn {
  return {
    question,
    answer: '',
    sources: [],
    abstained: false,
    messageId: null,
    state: 'searching',
    error: null,
  };
}

export function isInProgress({ state }: Turn): boolean {
  return state === 'searching' || state === 'streaming';
}
