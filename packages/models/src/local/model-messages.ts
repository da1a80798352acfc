/** What the process of a local model does. Sent as its argument, in JSON. */
export interface ModelProcessOptions {
  /** Directory of `installRuntime`. */
  runtime: string;
  /** Directory of the model's files. */
  directory: string;
  /** The name in the configuration: a hub id or a directory. */
  name: string;
}

/** Sent to the process. */
export type ModelRequest =
  | { id: number; embed: readonly string[]; kind: 'document' | 'query' }
  | { id: number; score: readonly string[]; question: string }
  | { id: number; cancel: true };

/** Sent by the process: `ready` or `failed` once, then one result or error per request that is not cancelled. */
export type ModelReply =
  | { ready: { fingerprint: string; maxTokens: number } }
  | { failed: string }
  | { id: number; vectors: Float32Array[]; tokens: number }
  | { id: number; scores: number[]; tokens: number }
  | { id: number; error: string };
