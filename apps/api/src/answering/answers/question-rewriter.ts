import { querySchema } from '@citewell/contracts/schemas';
import { type ChatModel, readText } from '@citewell/models';
import {
  type AnalyzedQuestion,
  analyzedQuestions,
  isRewriteOf,
  rewritePrompt,
  type Turn,
} from '@citewell/retrieval';

const REWRITE_TIMEOUT_MS = 10_000;
/** A question needs 100 at most. Models that reason need more before. */
const REWRITE_TOKENS = 1_000;
const MAX_REWRITTEN_LENGTH = 2_000;

/** The questions of a message as they are searched, and what is searched if they find nothing. */
export interface StandaloneQuestions {
  readonly questions: readonly AnalyzedQuestion[];
  /** Empty: nothing else. */
  readonly otherwise: readonly AnalyzedQuestion[];
}

/**
 * The questions of a message, each after the earlier questions of its conversation. A model rewrites a message that is not
 * the first. Rewriting is optional: a reply that is no rewrite of the message is not used, and the message itself is searched
 * if the reply finds nothing.
 *
 * @throws the signal's reason when it is aborted
 */
export async function standaloneQuestions(
  message: AnalyzedQuestion,
  history: readonly Turn[],
  model: ChatModel | null,
  signal: AbortSignal,
): Promise<StandaloneQuestions> {
  const asked = history.filter(({ from }) => from === 'human').map(({ text }) => text);
  const earlier = asked.toReversed().flatMap((text) => analyzedQuestions(text).toReversed());
  const questions = analyzedQuestions(message.text).map((question) => question.after(earlier));
  if (!model || history.length === 0) return { questions, otherwise: [] };
  const rewritten = await rewrite(message.text, history, model, signal);
  if (rewritten === null || !isRewriteOf(rewritten, message.text, history))
    return { questions, otherwise: [] };
  return { questions: analyzedQuestions(rewritten), otherwise: questions };
}

/** The reply of the model; null if it fails, or replies with no question. */
async function rewrite(
  message: string,
  history: readonly Turn[],
  model: ChatModel,
  signal: AbortSignal,
): Promise<string | null> {
  const { system, user } = rewritePrompt(history, message);
  const messages = [
    { role: 'system' as const, content: system },
    { role: 'user' as const, content: user },
  ];
  const timeout = AbortSignal.any([signal, AbortSignal.timeout(REWRITE_TIMEOUT_MS)]);
  try {
    const reply = await readText(model, { messages, temperature: 0, maxTokens: REWRITE_TOKENS }, timeout);
    return querySchema.safeParse(reply.trim().slice(0, MAX_REWRITTEN_LENGTH)).data ?? null;
  } catch {
    signal.throwIfAborted();
    return null;
  }
}
