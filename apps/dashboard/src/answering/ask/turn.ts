import {
  CitewellError,
  type ErrorCode,
  type Feedback,
  markSentences,
  type Message,
  type Source,
  withoutMarkdown,
} from '@citewell/sdk';

/** A line break within a sentence, as texts with lines of limited length have them. */
const SOFT_BREAK = /(?<=[\p{L}\p{N},;])[ \t]*\n(?=\p{Ll})/gu;

/** A question and what is known of its answer. */
export interface Turn {
  readonly id: number;
  readonly question: string;
  /** Of an answer that has ended, with marks: see `markSentences`. */
  readonly text: string;
  readonly sources: readonly Source[];
  /** Of an answer that has ended. */
  readonly sentences: Message['sentences'];
  readonly state: 'streaming' | 'complete' | 'stopped' | 'failed';
  readonly abstained: boolean;
  /** Of an answer that has ended. */
  readonly finishReason: Message['finishReason'];
  /** Null until the question is stored. */
  readonly messageId: string | null;
  /** As it was when the conversation was loaded. */
  readonly feedback: Feedback | null;
  readonly error: unknown;
}

let lastId = 0;

export function newTurn(question: string): Turn {
  return {
    id: (lastId += 1),
    question,
    text: '',
    sources: [],
    sentences: undefined,
    state: 'streaming',
    abstained: false,
    finishReason: undefined,
    messageId: null,
    feedback: null,
    error: null,
  };
}

/** The turns of stored messages, oldest first. A question without an answer was interrupted. */
export function turnsOf(messages: readonly Message[]): Turn[] {
  const turns: Turn[] = [];
  for (const message of messages) {
    const {
      id,
      from,
      text,
      sentences,
      sources,
      abstained = false,
      finishReason,
      state = 'complete',
      error,
      rating,
      comment,
    } = message;
    const last = turns.at(-1);
    if (from === 'human') turns.push({ ...newTurn(text), state: 'stopped' });
    else if (last)
      turns[turns.length - 1] = {
        ...last,
        text: markSentences(text, sentences),
        sources,
        sentences,
        abstained,
        finishReason,
        messageId: id,
        feedback: rating === undefined ? null : { rating, comment },
        state: state === 'answering' ? 'streaming' : state,
        error: error ? new CitewellError(error.code as ErrorCode, error.message) : null,
      };
  }
  return turns;
}

/** Whether an answer is the first one of a conversation that says that there is no model, or that the model has failed. */
export function tellsOfModels(turns: readonly Pick<Turn, 'finishReason'>[], index: number): boolean {
  const reason = turns[index]?.finishReason;
  if (reason !== 'no_model' && reason !== 'model_failed') return false;
  return turns.findIndex(({ finishReason }) => finishReason === reason) === index;
}

/**
 * A quote as it is shown: a heading or a row of a table keeps its line, and dots separate its cells. Its element keeps line
 * breaks (`pre-line`).
 */
export function shownQuote(text: string): string {
  return withoutMarkdown(text).replace(SOFT_BREAK, ' ').replaceAll(' | ', ' · ').trim();
}
