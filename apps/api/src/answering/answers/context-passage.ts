import { chunkIdOf } from '../search/passage.mapper.js';
import type { FoundPassage } from '../search/retriever.service.js';

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
