import { type AgentAnswer, type PublicAnswer, publicSourceSchema } from '@citewell/contracts/schemas';

/** Visitors need not know of models. */
const OF_MODELS: ReadonlySet<AgentAnswer['finishReason']> = new Set(['no_model', 'model_failed']);

/** What a visitor of a web page gets of an answer: the passages that it cites, and nothing internal. */
export function toPublicAnswer(
  {
    answer,
    conversationId,
    visitorId,
    messageId,
    abstained,
    finishReason,
    state,
    sentences,
    sources,
  }: AgentAnswer,
  visitorToken: string,
): PublicAnswer {
  const cited = sources.flatMap((source, index) =>
    // The schema removes internal fields.
    source.cited ? [publicSourceSchema.parse({ ...source, number: index + 1 })] : [],
  );
  return {
    answer,
    conversationId,
    visitorId,
    messageId,
    abstained,
    finishReason: OF_MODELS.has(finishReason) ? 'stop' : finishReason,
    ...(state ? { state } : {}),
    ...(sentences === undefined ? {} : { sentences }),
    sources: cited,
    visitorToken,
  };
}
