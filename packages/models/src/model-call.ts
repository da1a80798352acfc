import type { ModelError, ModelErrorKind } from './model.error.js';

/** A request to a provider that has ended. */
export interface ModelCall {
  readonly kind: 'chat' | 'embedding' | 'rerank';
  /** `aborted` is the caller's decision: by its signal, or because it stopped reading. */
  readonly outcome: 'done' | 'aborted' | ModelErrorKind;
  /** For a chat model, includes the time that the caller needs to consume the answer. */
  readonly seconds: number;
  /** Tokens that the provider has reported; 0 if it reports none. */
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly failure?: ModelError | undefined;
}

/** Is called once for each request to a provider, when the request has ended. */
export type OnModelCall = (call: ModelCall) => void;
