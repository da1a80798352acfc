import type { AgentAnswer, PublicAnswer } from '@citewell/contracts/schemas';

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
  const cited = sources.flatMap((source, index) => {
    const {
      datasource_name,
      title,
      source: origin,
      text,
      source_url,
      page_number,
      recognized,
      confidence,
      heading_path,
      quote,
      added,
    } = source;
    const fields = {
      datasource_name,
      source: origin,
      text,
      ...(title === undefined ? {} : { title }),
      ...(source_url === undefined ? {} : { source_url }),
      ...(page_number === undefined ? {} : { page_number }),
      ...(recognized === undefined ? {} : { recognized }),
      ...(confidence === undefined ? {} : { confidence }),
      ...(heading_path === undefined ? {} : { heading_path }),
      ...(quote === undefined ? {} : { quote }),
      ...(added === undefined ? {} : { added }),
    };
    return source.cited ? [{ number: index + 1, ...fields }] : [];
  });
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
