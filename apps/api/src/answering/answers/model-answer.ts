import { type ChatModel, type ChatRequest, ModelError } from '@citewell/models';
import {
  abstentionInstruction,
  assembleContext,
  type AssembledContext,
  countTokens,
  DEFAULT_SYSTEM_PROMPT,
  type ProtectedText,
  renderPrompt,
  usesContext,
} from '@citewell/retrieval';
import { chunkIdOf } from '../search/passage.mapper.js';
import type { FoundPassage } from '../search/retriever.service.js';
import type { PreparedAnswer } from './answer-preparation.service.js';
import { frameLines } from './answer-support.js';
import { type AnswerSink, toMessages, writeWithModel, type WrittenAnswer } from './answer-writer.js';
import { resolveSampling } from './prompts.js';

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

/**
 * Lets the model answer from the passages. If the prompt exceeds the context of the model, as far as that is known or as
 * its server says, the model gets no history, and then fewer passages.
 *
 * @param contextTokens the limit of the configuration for all passages
 */
export async function writeModelAnswer(
  prepared: PreparedAnswer & { model: ChatModel },
  candidates: readonly FoundPassage[],
  contextTokens: number,
  sink: AnswerSink,
  signal: AbortSignal,
): Promise<ModelAnswer> {
  const { model, question } = prepared;
  const passages = candidates.map(toContextPassage);
  const assemble = (maxTokens: number): AssembledContext<FoundPassage> =>
    assembleContext(passages, { maxTokens });
  const whole = assemble(contextTokens);
  const limit = (await model.contextTokens?.(signal)) ?? null;
  let { budget, hasHistory } = fit(prepared, whole.tokens, limit);
  for (;;) {
    const context = budget >= whole.tokens ? whole : assemble(budget);
    const request = requestOf(prepared, context, hasHistory);
    const asked = {
      question: question.text,
      passageCount: context.passages.length,
      passageText: context.text,
      frame: frameLines(question.text, passages),
    };
    sink.onPassages(context.passages);
    try {
      const written = await writeWithModel(
        model,
        request,
        { ...asked, ...abstentionOf(prepared), protectedTexts: protectedTexts(prepared) },
        sink,
        signal,
      );
      const leftOut = leftOutOf(whole, context);
      return { ...written, passages: written.isAbstained ? [] : context.passages, leftOut };
    } catch (error) {
      // The server refuses a prompt before it writes.
      const isTooLong = error instanceof ModelError && error.reason === 'too-long';
      if (!isTooLong || budget / 2 < MIN_CONTEXT_TOKENS) throw error;
      budget = Math.floor(Math.min(budget, whole.tokens) / 2);
      hasHistory = false;
    }
  }
}

/** How many tokens of passages the context of the model has room for, and whether it has room for the history. */
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
