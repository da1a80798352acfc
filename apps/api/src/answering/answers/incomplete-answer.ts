import type { FinishReason } from '@citewell/contracts/schemas';
import { ApiError } from '../../http/api-error.js';

/** What the operator has to check if a model writes nothing. */
const SENTENCES: Readonly<Record<Exclude<FinishReason, 'content_filter' | 'refusal'>, string>> = {
  stop: 'The model returned an empty answer. Ask again. If it stays empty, the operator should check the model, its chat template and the prompts of the agent.',
  length:
    'The model used all of its tokens before it began the answer, such as for reasoning. Raise maxTokens, or ask the operator to raise the token limit of the model or to turn its reasoning off.',
  tool_calls:
    'The model called a tool instead of writing an answer, but agents have no tools. The operator should check the prompts of the agent, or use another model.',
  error:
    'The model stopped before it wrote an answer. Ask again. If it happens again, the operator should check the log of the model server.',
};

/** Whether an answer without text says something: that there will be none. */
export function isDeclined(reason: FinishReason): reason is 'content_filter' | 'refusal' {
  return reason === 'content_filter' || reason === 'refusal';
}

/** The error for an answer without text. */
export function emptyAnswer(reason: Exclude<FinishReason, 'content_filter' | 'refusal'>): ApiError {
  return new ApiError('EMPTY_ANSWER', SENTENCES[reason]);
}

/** The end of an answer that is not complete: a paragraph of its own, after a code block that is still open. */
export function endOfIncomplete(text: string, sentence: string): string {
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
