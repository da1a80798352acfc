import { setImmediate } from 'node:timers/promises';
import type { ChatMessage, ChatModel, ChatRequest } from '@citewell/models';
import type { FinishReason, Usage } from '@citewell/contracts/schemas';
import {
  abstention,
  type AskedQuestion,
  incompleteMessage,
  noModelMessage,
  type PassageQuote,
  passagesMessage,
  type QuotablePassage,
  quoteAnswers,
} from '@citewell/retrieval';
import { ApiError } from '../../http/api-error.js';
import type { FoundPassage } from '../search/retriever.service.js';
import { type AnsweredPrompt, ModelTextFilters } from './model-text-filters.js';
import { isStopped } from './stopped-answer.js';

/** What the operator has to check if a model writes nothing. */
const EMPTY_ANSWER_SENTENCES: Readonly<Record<Exclude<FinishReason, 'content_filter' | 'refusal'>, string>> =
  {
    stop: 'The model returned an empty answer. Ask again. If it stays empty, the operator should check the model, its chat template and the prompts of the agent.',
    length:
      'The model used all of its tokens before it began the answer, such as for reasoning. Raise maxTokens, or ask the operator to raise the token limit of the model or to turn its reasoning off.',
    tool_calls:
      'The model called a tool instead of writing an answer, but agents have no tools. The operator should check the prompts of the agent, or use another model.',
    error:
      'The model stopped before it wrote an answer. Ask again. If it happens again, the operator should check the log of the model server.',
  };

/** Which passages an answer cites, by number from 1, and the tokens that it used. */
export interface WrittenAnswer {
  cited: ReadonlySet<number>;
  /** The quotes of which the answer consists, by the number of their passage; absent if a model wrote the answer. */
  quotes?: ReadonlyMap<number, PassageQuote>;
  usage?: Usage;
  /** Absent: the answer is complete. */
  finishReason?: FinishReason;
  /** The end of the answer, if it is a sentence about why the answer is not complete. */
  notice?: string;
  /** The answer was stopped before its end. */
  isStopped?: true;
  /** The documents do not contain the answer: nothing relevant was found, or the model said so. */
  isAbstained?: true;
}

/** Receives the pieces of the answer in order. Resolves when it can take the next one. */
export type OnText = (text: string) => Promise<void>;

/** What a caller may follow beside the text of an answer. */
export interface AnswerHooks {
  /** Receives the passages that the answer may cite, by number from 1, before the first piece. */
  onPassages(passages: readonly FoundPassage[]): void;
  /** All text so far was reasoning of the model, and does not belong to the answer. */
  onRetract(): void;
}

/** Receives the answer as it is written. */
export interface AnswerSink extends AnswerHooks {
  onText: OnText;
}

/** A fast model sends much at once, and `for await` alone lets nothing else run before all of it is processed. */
const MAX_BLOCKING_MS = 10;

/**
 * Streams a model's answer. Citations of passages that the model was not given are removed. An answer that is not complete
 * ends with a sentence about it, in the language of the question.
 *
 * @throws {@link ApiError} `EMPTY_ANSWER`
 */
export async function writeWithModel(
  model: ChatModel,
  request: ChatRequest,
  prompt: AnsweredPrompt,
  { onText, onRetract }: Omit<AnswerSink, 'onPassages'>,
  signal: AbortSignal,
): Promise<WrittenAnswer> {
  let filters = new ModelTextFilters(prompt);
  let text = '';
  let usage: Usage | undefined;
  let finishReason: FinishReason = 'stop';
  const add = async (piece: string): Promise<void> => {
    text += piece;
    await onText(piece);
  };
  let startedAtMs = performance.now();
  try {
    for await (const event of model.stream(request, { signal })) {
      if (performance.now() - startedAtMs >= MAX_BLOCKING_MS) {
        await setImmediate();
        startedAtMs = performance.now();
      }
      if ('text' in event) await add(filters.push(event.text));
      else if ('usage' in event) usage = event.usage;
      else if ('finishReason' in event) ({ finishReason } = event);
      else {
        filters = new ModelTextFilters(prompt);
        text = '';
        onRetract();
      }
    }
  } catch (error) {
    if (!isStopped(signal)) throw error;
  }
  await add(filters.flush());
  const usages = usage ? { usage } : {};
  if (isStopped(signal)) return { cited: filters.cited, isStopped: true, ...usages };
  if (filters.hasAbstained) {
    if (text.trim() === '') await onText(abstention(prompt.question));
    return { cited: new Set(), isAbstained: true, ...usages };
  }
  if (text.trim() === '' && !isDeclined(finishReason)) throw emptyAnswer(finishReason);
  if (finishReason === 'stop') return { cited: filters.cited, finishReason, ...usages };
  const notice = incompleteMessage(prompt.question, finishReason);
  await onText(endOfIncomplete(text, notice));
  return { cited: filters.cited, finishReason, notice, ...usages };
}

/** Writes an answer without a model: quotes of the best passages, or an abstention. Visitors need not know of models. */
export async function writeQuotes(
  questions: readonly AskedQuestion[],
  passages: readonly QuotablePassage[],
  { isVisitor }: { isVisitor: boolean },
  onText: OnText,
): Promise<WrittenAnswer> {
  const text = questions[0]?.question.text ?? '';
  const firstLine = isVisitor ? passagesMessage(text) : noModelMessage(text);
  const { answer, quotes } = quoteAnswers(questions, passages, firstLine);
  // In pieces, so that clients receive a stream with and without a model.
  for (const paragraph of answer.split(/(?<=\n\n)/)) await onText(paragraph);
  // A passage that answers several questions has the quote of the first one.
  const byNumber = new Map(
    quotes.toReversed().map(({ number, start, end, text: quote }) => [number, { start, end, text: quote }]),
  );
  return { cited: new Set(byNumber.keys()), quotes: byNumber };
}

/** The messages of a model call: system prompt, conversation so far, and the question in its template. */
export function toMessages(system: string, history: readonly ChatMessage[], user: string): ChatMessage[] {
  return [
    ...(system === '' ? [] : [{ role: 'system' as const, content: system }]),
    ...history,
    { role: 'user' as const, content: user },
  ];
}

/** Whether an answer without text says something: that there will be none. */
function isDeclined(reason: FinishReason): reason is 'content_filter' | 'refusal' {
  return reason === 'content_filter' || reason === 'refusal';
}

/** The error for an answer without text. */
function emptyAnswer(reason: Exclude<FinishReason, 'content_filter' | 'refusal'>): ApiError {
  return new ApiError('EMPTY_ANSWER', EMPTY_ANSWER_SENTENCES[reason]);
}

/** The end of an answer that is not complete: a paragraph of its own, after a code block that is still open. */
function endOfIncomplete(text: string, sentence: string): string {
  const fence = openFence(text);
  return `${fence === '' ? '' : `\n${fence}`}\n\n${sentence}`;
}

/** The fence of the code block at the end of a text; empty if there is none. */
function openFence(text: string): string {
  let open = '';
  for (const [, run = '', rest = ''] of text.matchAll(/^[ \t>]*(`{3,}|~{3,})(.*)$/gm)) {
    if (open === '') open = rest.includes('`') ? '' : run;
    else if (run.startsWith(open) && rest.trim() === '') open = '';
  }
  return open;
}
