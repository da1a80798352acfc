import type { ChatMessage, ChatModel, ChatRequest } from '@citewell/models';
import type { Usage } from '@citewell/contracts/http';
import { CitationStreamFilter, quoteAnswer } from '@citewell/retrieval';
import type { FoundPassage } from '../search/retriever.service.js';

/** A written answer, before it is framed: which of the passages it refers to, and what it cost. */
export interface WrittenAnswer {
  cited: ReadonlySet<number>;
  usage?: Usage;
}

/** Takes each piece of the answer, in order; resolves when there is room for more. */
export type OnText = (text: string) => Promise<void>;

/** Streams a model's answer; only citations of passages that it was given come through. */
export async function writeWithModel(
  model: ChatModel,
  request: ChatRequest,
  passageCount: number,
  onText: OnText,
  signal: AbortSignal,
): Promise<WrittenAnswer> {
  const citations = new CitationStreamFilter(passageCount);
  let usage: Usage | undefined;
  for await (const event of model.stream(request, { signal })) {
    if ('usage' in event) usage = event.usage;
    else await onText(citations.push(event.text));
  }
  await onText(citations.flush());
  return { cited: citations.cited, ...(usage ? { usage } : {}) };
}

/** Writes the answer that needs no model: the best passages, quoted. */
export async function writeQuotes(
  question: string,
  passages: readonly FoundPassage[],
  onText: OnText,
): Promise<WrittenAnswer> {
  const { answer, quotes } = quoteAnswer(question, passages);
  // In pieces, so that clients are exercised alike with and without a model.
  for (const paragraph of answer.split(/(?<=\n\n)/)) await onText(paragraph);
  return { cited: new Set(quotes.map((quote) => quote.number)) };
}

/** The messages of a model call: system prompt, what was said before, the question in its template. */
export function toMessages(system: string, history: readonly ChatMessage[], user: string): ChatMessage[] {
  return [
    ...(system === '' ? [] : [{ role: 'system' as const, content: system }]),
    ...history,
    { role: 'user' as const, content: user },
  ];
}
