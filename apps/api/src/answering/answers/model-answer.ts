import { setImmediate } from 'node:timers/promises';
import type { AgentAnswer, SourceTable, Usage } from '@citewell/contracts/schemas';
import {
  type ChatMessage,
  type ChatModel,
  type ChatRequest,
  type FinishReason,
  ModelError,
} from '@citewell/models';
import {
  abstention,
  abstentionInstruction,
  assembleContext,
  type AssembledContext,
  countTokens,
  DEFAULT_SYSTEM_PROMPT,
  incompleteMessage,
  type Language,
  type PassageQuote,
  type ProtectedText,
  renderPrompt,
  usesContext,
} from '@citewell/retrieval';
import { ApiError } from '../../http/api-error.js';
import { chunkIdOf } from '../search/passage.mapper.js';
import type { FoundPassage } from '../search/retriever.service.js';
import { queryingModel, TABLES_LINE } from '../tables/querying-model.js';
import type { TableOffer } from '../tables/table-queries.service.js';
import { type AnsweredPrompt, type AnswerSink, ModelText } from './answer-filters.js';
import type { PreparedAnswer } from './answer-preparation.service.js';
import { isStopped } from './abort-reasons.js';
import { frameLines } from './answer-support.js';
import { resolveSampling } from './prompts.js';

/** Which passages an answer cites, by number from 1, and the tokens that it used. */
export interface WrittenAnswer {
  cited: ReadonlySet<number>;
  /** The quotes of which the answer consists, by the number of their passage; absent if a model wrote the answer. */
  quotes?: ReadonlyMap<number, PassageQuote>;
  /** The rows of tables that the answer is about, by the number of the passage that is cited for them. */
  tables?: ReadonlyMap<number, SourceTable>;
  usage?: Usage;
  /** Absent: the answer is complete. */
  finishReason?: AgentAnswer['finishReason'];
  /** The end of the answer, if it is a sentence about why the answer is not complete. */
  notice?: string;
  /** The answer was stopped before its end. */
  isStopped?: true;
  /** The documents do not contain the answer: nothing relevant was found, or the model said so. */
  isAbstained?: true;
}

/** An answer, and the passages that the model was given. */
export interface ModelAnswer extends WrittenAnswer {
  passages: FoundPassage[];
  /** How many passages, or parts of one, the model could not be given because they exceed its context. */
  leftOut: number;
}

/** Fewer tokens of passages are of no use. */
const MIN_CONTEXT_TOKENS = 200;
/** Kept for the answer, if the query does not limit it: this share of the context of the model, up to a maximum. */
const ANSWER_SHARE = 0.25;
const MAX_ANSWER_TOKENS = 2_048;
/** The tokens of a model are not those that we count. */
const COUNT_TOLERANCE = 1.2;

/** A fast model sends much at once, and `for await` alone lets nothing else run before all of it is processed. */
const MAX_BLOCKING_MS = 10;

/** What the operator has to check if a model writes nothing. */
const EMPTY_ANSWER_SENTENCES: Readonly<Record<Exclude<FinishReason, 'content_filter' | 'refusal'>, string>> =
  {
    stop: 'The model returned an empty answer. Ask again. If it stays empty, the operator should check the model, its chat template and the prompts of the agent.',
    length:
      'The model used all of its tokens before it began the answer, such as for reasoning. Raise maxTokens, or ask the operator to raise the token limit of the model or to turn its reasoning off.',
    tool_calls:
      'The model called a tool that it was not offered, instead of writing an answer. The operator should check the prompts of the agent, or use another model.',
    error:
      'The model stopped before it wrote an answer. Ask again. If it happens again, the operator should check the log of the model server.',
  };

/** Offers the tables of passages to the model; null if they have none. */
type OfferTables = (passages: readonly FoundPassage[]) => Promise<TableOffer | null>;

/**
 * Lets the model answer from the passages, and query the tables that they are from. If the prompt exceeds the context of the
 * model, as far as that is known or as its server says, the model gets no history and no tables, and then fewer passages.
 *
 * @param contextTokens the limit of the configuration for all passages
 */
export async function writeModelAnswer(
  prepared: PreparedAnswer & { model: ChatModel; language?: Language; offerTables?: OfferTables },
  candidates: readonly FoundPassage[],
  contextTokens: number,
  sink: AnswerSink,
  signal: AbortSignal,
): Promise<ModelAnswer> {
  const { model, question, language, offerTables = async () => null } = prepared;
  const passages = candidates.map(toContextPassage);
  const assemble = (maxTokens: number): AssembledContext<FoundPassage> =>
    assembleContext(passages, { maxTokens });
  const whole = assemble(contextTokens);
  const limit = (await model.contextTokens?.(signal)) ?? null;
  let offer = await offerTables(whole.passages);
  let { budget, hasHistory } = fit(prepared, whole.tokens + (offer ? countTokens(offer.text) : 0), limit);
  for (;;) {
    const context = budget >= whole.tokens ? whole : assemble(budget);
    if (context !== whole) offer = null;
    const text = offer ? `${context.text}\n\n${TABLES_LINE}\n\n${offer.text}` : context.text;
    const request = requestOf(prepared, { ...context, text }, hasHistory);
    const asked = {
      question: question.text,
      ...(language === undefined ? {} : { language }),
      passageCount: context.passages.length,
      passageText: context.text,
      frame: frameLines(question.text, passages),
    };
    sink.onPassages(context.passages);
    try {
      const written = await writeWithModel(
        offer ? queryingModel(model, offer) : model,
        request,
        { ...asked, ...abstentionOf(prepared), protectedTexts: protectedTexts(prepared) },
        sink,
        signal,
      );
      const leftOut = leftOutOf(whole, context);
      if (written.isAbstained) return { ...written, passages: [], leftOut };
      const tables = offer?.sources() ?? new Map();
      return { ...written, passages: context.passages, leftOut, ...(tables.size > 0 ? { tables } : {}) };
    } catch (error) {
      // The server refuses a prompt before it writes.
      const isTooLong = error instanceof ModelError && error.reason === 'too-long';
      if (!isTooLong || budget / 2 < MIN_CONTEXT_TOKENS) throw error;
      budget = Math.floor(Math.min(budget, whole.tokens) / 2);
      hasHistory = false;
    }
  }
}

/** Tokens of passages that fit into the context of the model, and whether the history fits, too. */
function fit(
  prepared: PreparedAnswer,
  tokens: number,
  limit: number | null,
): { budget: number; hasHistory: boolean } {
  if (limit === null) return { budget: tokens, hasHistory: true };
  const empty = { text: '', passages: [], tokens: 0 };
  const answer = prepared.query.maxTokens ?? Math.min(MAX_ANSWER_TOKENS, Math.floor(limit * ANSWER_SHARE));
  const roomFor = (hasHistory: boolean): number => {
    const { messages } = requestOf(prepared, empty, hasHistory);
    const fixed = messages.reduce((sum, { content }) => sum + countTokens(content), 0);
    return Math.floor((limit - answer) / COUNT_TOLERANCE) - fixed;
  };
  const hasHistory = roomFor(true) >= Math.min(tokens, MIN_CONTEXT_TOKENS);
  return { budget: Math.max(MIN_CONTEXT_TOKENS, Math.min(tokens, roomFor(hasHistory))), hasHistory };
}

function leftOutOf(whole: AssembledContext<FoundPassage>, context: AssembledContext<FoundPassage>): number {
  if (context === whole) return 0;
  return Math.max(1, whole.passages.length - context.passages.length);
}

function requestOf(
  prepared: PreparedAnswer,
  context: AssembledContext<FoundPassage>,
  hasHistory: boolean,
): ChatRequest {
  const { query, question, agent, prompts, history } = prepared;
  const past = (hasHistory ? history : []).map(({ from, text }) => ({
    role: from === 'human' ? ('user' as const) : ('assistant' as const),
    content: text,
  }));
  const { abstains, isOwnPrompt } = abstentionOf(prepared);
  const system = [
    prompts.system.replaceAll('{context}', () => context.text),
    // Placeholders in the instructions of a client are text.
    prompts.instructions,
    abstains ? abstentionInstruction(isOwnPrompt) : '',
  ];
  const user = renderPrompt(prompts.user, { query: question.text, context: context.text });
  const messages = toMessages(system.filter((part) => part !== '').join('\n\n'), past, user);
  return { messages, ...resolveSampling(query, agent) };
}

/** What an answer must not repeat of its prompt. Placeholders are no part of it, and a client knows its own instructions. */
function protectedTexts(prepared: PreparedAnswer): ProtectedText[] {
  const { prompts } = prepared;
  const { abstains, isOwnPrompt } = abstentionOf(prepared);
  const texts = [
    { text: prompts.system.replaceAll('{context}', '\n'), hasFacts: isOwnPrompt },
    { text: prompts.user.replaceAll(/\{(?:context|query)\}/g, '\n'), hasFacts: true },
  ];
  return abstains ? [...texts, { text: abstentionInstruction(isOwnPrompt), hasFacts: false }] : texts;
}

/** Whether the model is asked to say that the passages do not contain the answer. */
function abstentionOf({ agent, prompts, datastores }: PreparedAnswer): {
  abstains: boolean;
  isOwnPrompt: boolean;
} {
  const showsPassages = usesContext(prompts.user) || usesContext(prompts.system);
  return {
    abstains: agent.restrictToSources && datastores.length > 0 && showsPassages,
    isOwnPrompt: prompts.system !== DEFAULT_SYSTEM_PROMPT,
  };
}

/** A passage with the properties that the context shows. */
export function toContextPassage(passage: FoundPassage) {
  const { run } = passage;
  return {
    ...passage,
    chunkId: chunkIdOf(run.datasourceId, passage.contentHash),
    datasourceName: run.datasourceName,
    revision: run.revision,
  };
}

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
  let modelText = new ModelText(prompt);
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
      if ('text' in event) await add(modelText.push(event.text));
      else if ('usage' in event) usage = event.usage;
      else if ('finishReason' in event) ({ finishReason } = event);
      else {
        modelText = new ModelText(prompt);
        text = '';
        onRetract();
      }
    }
  } catch (error) {
    if (!isStopped(signal)) throw error;
  }
  await add(modelText.flush());
  const usages = usage ? { usage } : {};
  if (isStopped(signal)) return { cited: modelText.cited, isStopped: true, ...usages };
  if (modelText.hasAbstained) {
    if (text.trim() === '') await onText(abstention(prompt.question, prompt.language));
    return { cited: new Set(), isAbstained: true, ...usages };
  }
  if (text.trim() === '' && !isDeclined(finishReason)) throw emptyAnswer(finishReason);
  if (finishReason === 'stop') return { cited: modelText.cited, finishReason, ...usages };
  const notice = incompleteMessage(prompt.question, finishReason, prompt.language);
  await onText(endOfIncomplete(text, notice));
  return { cited: modelText.cited, finishReason, notice, ...usages };
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
