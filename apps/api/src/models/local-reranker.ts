import { type LocalRerankModel, ModelError } from '@citewell/models';
import type { Reranker } from './reranker.js';

const RETRY_MS = 60_000;

export interface LocalRerankerOptions {
  /** Opens the model. The first time, this downloads it. */
  readonly open: (signal: AbortSignal) => Promise<LocalRerankModel>;
  /** Receives why the model is not ready. Null when it is. */
  readonly onState: (problem: ModelError | null) => void;
  /** The time in ms. Default: the clock of the process. */
  readonly now?: () => number;
}

/**
 * A local model of the settings. It is opened in the background when it is first needed, and again after a minute if that
 * fails. Until it is ready, passages keep the order of the search.
 */
export function localReranker({ open, onState, now = Date.now }: LocalRerankerOptions): Reranker {
  const closing = new AbortController();
  let model: LocalRerankModel | null = null;
  let retryAt = 0;
  const prepare = async (): Promise<void> => {
    retryAt = Number.POSITIVE_INFINITY;
    onState(new ModelError('transient', 'The model is being downloaded or loaded.'));
    try {
      const opened = await open(closing.signal);
      if (closing.signal.aborted) return await opened.close();
      model = opened;
      onState(null);
    } catch (error) {
      if (closing.signal.aborted) return;
      const isOfModel = error instanceof ModelError;
      onState(isOfModel ? error : new ModelError('permanent', 'The model could not be opened.'));
      retryAt = now() + RETRY_MS;
    }
  };
  return {
    async modelOf() {
      if (model === null && now() >= retryAt && !closing.signal.aborted) void prepare();
      return model;
    },
    close() {
      closing.abort();
      void model?.close();
    },
  };
}
