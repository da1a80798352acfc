import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';

/** A chunk in the list of a run's chunks: all fields but the text, which is a slice of the canonical text. */
export interface ListedChunk {
  readonly ordinal: number;
  /** UTF-16 offsets into the canonical text. */
  readonly start: number;
  readonly end: number;
  readonly page?: number;
  /** Of recognized text, in percent. */
  readonly confidence?: number;
  readonly headingPath: readonly string[];
  readonly contentHash: string;
}

/** Valid unescaped in a JSON string, but Node's readline ends a line at each. */
const UNICODE_LINE_ENDS = /[\u2028\u2029]/g;

/**
 * One line of the list with its line end: the JSON array `[ordinal, start, end, page or null, headingPath,
 * contentHash, confidence]`, without the last one for text that was not recognized. Lines are in the order of their ordinals, so a page of the list can be read without the
 * rest.
 */
export function toChunkLine(chunk: ListedChunk): string {
  const { ordinal, start, end, page, headingPath, contentHash, confidence } = chunk;
  const ofOcr = confidence === undefined ? [] : [confidence];
  const json = JSON.stringify([ordinal, start, end, page ?? null, headingPath, contentHash, ...ofOcr]);
  return `${json.replace(UNICODE_LINE_ENDS, (character) => (character === '\u2028' ? '\\u2028' : '\\u2029'))}\n`;
}

/**
 * Reads up to `limit` chunks after an ordinal, then destroys the stream. Reads no more lines than necessary.
 *
 * @param after the ordinal before the first chunk to return; -1 to start with the first one
 * @throws TypeError when a line is malformed; the stream's own error when it fails
 */
export async function readChunkList(source: Readable, after: number, limit: number): Promise<ListedChunk[]> {
  const chunks: ListedChunk[] = [];
  // When its input fails, readline ends its iterator without an error.
  let failure: Error | undefined;
  source.once('error', (error) => (failure = error));
  const lines = createInterface({ input: source, crlfDelay: Number.POSITIVE_INFINITY });
  try {
    let ordinal = -1;
    for await (const line of lines) {
      ordinal += 1;
      if (ordinal <= after) continue;
      chunks.push(fromChunkLine(line));
      if (chunks.length === limit) break;
    }
    if (failure) throw failure;
    return chunks;
  } finally {
    lines.close();
    source.destroy();
  }
}

function fromChunkLine(line: string): ListedChunk {
  const fields: unknown = JSON.parse(line);
  if (!Array.isArray(fields)) throw new TypeError('a line of the chunk list is not an array');
  const [ordinal, start, end, page, headingPath, contentHash, confidence] = fields as unknown[];
  if (typeof ordinal !== 'number' || typeof start !== 'number' || typeof end !== 'number') {
    throw new TypeError('a listed chunk has no ordinal, start or end');
  }
  if (typeof contentHash !== 'string') throw new TypeError('a listed chunk has no hash');
  return {
    ordinal,
    start,
    end,
    ...(typeof page === 'number' ? { page } : {}),
    headingPath: Array.isArray(headingPath) ? headingPath.map(String) : [],
    contentHash,
    ...(typeof confidence === 'number' ? { confidence } : {}),
  };
}
