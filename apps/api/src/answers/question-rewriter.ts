import { querySchema } from '@citewell/contracts/http';
import type { ChatModel } from '@citewell/models';
import { AnalyzedQuestion, needsRewrite, rewritePrompt, type Turn } from '@citewell/retrieval';

const REWRITE_TIMEOUT_MS = 10_000;
const REWRITE_TOKENS = 200;
const MAX_REWRITTEN_LENGTH = 2_000;

/**
 * The search query for a question. The model rewrites a follow-up that cannot be understood on its own.
 * Rewriting is optional: when the model fails, the question is searched for as it is.
 *
 * @throws the signal's reason when it is aborted
 */
export async function standaloneQuestion(
  question: AnalyzedQuestion,
  history: readonly Turn[],
  model: ChatModel | null,
  signal: AbortSignal,
): Promise<AnalyzedQuestion> {
  if (!needsRewrite(history, question)) return question;
  if (!model) return orElse(withLastQuestion(question.text, history), question);
  const { system, user } = rewritePrompt(history, question.text);
  const messages = [
    { role: 'system' as const, content: system },
    { role: 'user' as const, content: user },
  ];
  const timeout = AbortSignal.any([signal, AbortSignal.timeout(REWRITE_TIMEOUT_MS)]);
  let rewritten = '';
  try {
    for await (const event of model.stream(
      { messages, temperature: 0, maxTokens: REWRITE_TOKENS },
      { signal: timeout },
    )) {
      if ('text' in event) rewritten += event.text;
    }
  } catch {
    signal.throwIfAborted();
    return question;
  }
  return orElse(rewritten.trim().slice(0, MAX_REWRITTEN_LENGTH), question);
}

/** The search query obeys the limits of a question. Otherwise the question is searched for as it is. */
function orElse(text: string, question: AnalyzedQuestion): AnalyzedQuestion {
  const { data } = querySchema.safeParse(text);
  return data === undefined ? question : new AnalyzedQuestion(data);
}

/** Without a model, the previous question supplies the words that the follow-up leaves out. */
function withLastQuestion(question: string, history: readonly Turn[]): string {
  const last = history.findLast((turn) => turn.from === 'human');
  return last ? `${question}\n${last.text}` : question;
}
