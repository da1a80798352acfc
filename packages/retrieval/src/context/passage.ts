/** A retrieved chunk with the properties that context assembly needs. Callers may add their own. */
export interface Passage {
  readonly chunkId: string;
  readonly datasourceId: string;
  readonly datasourceName: string;
  /** The run that wrote the chunk. Chunks of different runs are slices of different texts. */
  readonly runId: string;
  readonly revision: number;
  /** UTF-16 offsets of `text` in the canonical text of the document; `end` is exclusive. */
  readonly start: number;
  readonly end: number;
  readonly text: string;
  /** Title, heading path, header row of a table: shown to the model, never quoted. */
  readonly header: string;
  readonly headingPath: readonly string[];
  /** Page on which the text begins, from 1; null in formats without pages. */
  readonly page: number | null;
  /** 0..1, higher is better. */
  readonly score: number;
}

/** Returns a copy of a passage with another range. Additional properties of the passage are kept. */
export function withRange<P extends Passage>(passage: P, range: Partial<Passage>): P {
  return { ...passage, ...range };
}
