/** A retrieved chunk, with what the assembly of a context needs; callers carry more along. */
export interface Passage {
  readonly chunkId: string;
  readonly datasourceId: string;
  readonly datasourceName: string;
  /** The run that wrote the chunk; chunks of different runs are slices of different texts. */
  readonly runId: string;
  readonly revision: number;
  /** UTF-16 offsets into the document's canonical text; `text` is that slice. */
  readonly start: number;
  readonly end: number;
  readonly text: string;
  /** Title, heading path, a table's header row: shown to the model, never quoted. */
  readonly header: string;
  readonly headingPath: readonly string[];
  /** The page, from 1, on which the slice begins; null where the format has none. */
  readonly page: number | null;
  /** 0..1, higher is better. */
  readonly score: number;
}

/** Makes one passage of a slice of another text range; everything that `from` carries besides stays. */
export function resliced<P extends Passage>(from: P, slice: Partial<Passage>): P {
  return { ...from, ...slice };
}
