import { querySchema } from '@citewell/contracts/schemas';
import { type ChatModel, readText } from '@citewell/models';
import {
  AnalyzedQuestion,
  analyzedQuestions,
  askedQuestions,
  continues,
  needsRewrite,
  rewritePrompt,
  type Turn,
} from '@citewell/retrieval';

const REWRITE_TIMEOUT_MS = 10_000;
/** A question needs 100 at most. Models that reason need more before. */
const REWRITE_TOKENS = 1_000;
const MAX_REWRITTEN_LENGTH = 2_000;

/**
 * The questions of a message, as they are searched. The model rewrites a follow-up that cannot be understood on its own.
 * Rewriting is optional: when the model fails, the message is searched for as it is.
 *
 * @throws the signal's reason when it is aborted
 */
export async function standaloneQuestions(
  message: AnalyzedQuestion,
  history: readonly Turn[],
  model: ChatModel | null,
  signal: AbortSignal,
): Promise<AnalyzedQuestion[]> {
  const questions = analyzedQuestions(message.text);
  const texts = questions.map(({ text }) => text);
  // Words such as "it" in the background of a message refer to the background.
  const isFollowUp =
    needsRewrite(history, new AnalyzedQuestion(texts.join(' '))) ||
    (history.length > 0 && continues(message.text));
  if (!isFollowUp) return questions;
  if (!model) return withLastQuestion(texts, history) ?? questions;
  const { system, user } = rewritePrompt(history, message.text);
  const messages = [
    { role: 'system' as const, content: system },
    { role: 'user' as const, content: user },
  ];
  const timeout = AbortSignal.any([signal, AbortSignal.timeout(REWRITE_TIMEOUT_MS)]);
  let rewritten: string;
  try {
    rewritten = await readText(model, { messages, temperature: 0, maxTokens: REWRITE_TOKENS }, timeout);
  } catch {
    signal.throwIfAborted();
    return questions;
  }
  const { data } = querySchema.safeParse(rewritten.trim().slice(0, MAX_REWRITTEN_LENGTH));
  if (data !== undefined) return analyzedQuestions(data);
  return withLastQuestion(texts, history) ?? questions;
}

/**
 * Without a model, the previous question supplies the words that the follow-up leaves out. Both are one question. Null if
 * there is none, or if both together are too long.
 */
function withLastQuestion(texts: readonly string[], history: readonly Turn[]): AnalyzedQuestion[] | null {
  const last = history.findLast((turn) => turn.from === 'human');
  if (last === undefined) return null;
  const { data } = querySchema.safeParse([...texts, ...askedQuestions(last.text)].join('\n'));
  return data === undefined ? null : [new AnalyzedQuestion(data)];
}
