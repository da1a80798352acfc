import type { ChatModel, EmbeddingModel, RerankModel } from '@citewell/models';

const REQUEST = {
  messages: [{ role: 'user' as const, content: 'Say in one short sentence that you are ready.' }],
};
const MAX_CHARACTERS = 200;

/** What a model answers to a short request, at most 200 characters. @throws ModelError */
export async function sampleOf(model: ChatModel, signal: AbortSignal): Promise<string> {
  let sample = '';
  for await (const event of model.stream(REQUEST, { signal })) {
    if ('text' in event) sample += event.text;
    if (sample.length >= MAX_CHARACTERS) break;
  }
  return sample.slice(0, MAX_CHARACTERS).toWellFormed().trim();
}

/** Embeds a short text. @throws ModelError */
export async function dimensionsOf(model: EmbeddingModel, signal: AbortSignal): Promise<number> {
  const [vector] = await model.embed(['test'], { kind: 'query', signal });
  return vector?.length ?? 0;
}

/** Scores a passage that answers a question, and one that does not. @throws ModelError */
export function scoresOf(model: RerankModel, signal: AbortSignal): Promise<number[]> {
  const passages = ['The library opens at nine in the morning.', 'Bananas are yellow.'];
  return model.rerank('When does the library open?', passages, { signal });
}
