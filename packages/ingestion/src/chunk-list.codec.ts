import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';

/** What the list of a run's chunks says of one: everything that it is shown with, but the text, which is a slice. */
export interface ListedChunk {
  readonly ordinal: number;
  /** UTF-16 offsets into the canonical text. */
  readonly start: number;
  readonly end: number;
  readonly page?: number;
  readonly headingPath: readonly string[];
  readonly contentHash: string;
}

/** JSON lets them stand in a string as they are; Node's readline ends a line at each. */
const UNICODE_LINE_ENDS = /[\u2028\u2029]/g;

/**
 * One line of the list, its end included: a JSON array `[ordinal, start, end, page or null, headingPath,
 * contentHash]`. Lines stand in the order of the ordinals, so a page of the list is read without the rest.
 */
export function toChunkLine(chunk: ListedChunk): string {
  const { ordinal, start, end, page, headingPath, contentHash } = chunk;
  const json = JSON.stringify([ordinal, start, end, page ?? null, headingPath, contentHash]);
  return `${json.replace(UNICODE_LINE_ENDS, (character) => (character === '\u2028' ? '\\u2028' : '\\u2029'))}\n`;
}

/**
 * The chunks behind an ordinal, at most `limit`. Reads no further than it has to, and destroys the stream then.
 *
 * @param after the last ordinal that is not wanted; -1 for the beginning
 * @throws TypeError when a line is not one of ours; the stream's own error when it fails
 */
export async function readChunkList(source: Readable, after: number, limit: number): Promise<ListedChunk[]> {
  const chunks: ListedChunk[] = [];
  // Readline says nothing when its input fails: the iterator would just end.
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
  if (!Array.isArray(fields)) throw new TypeError('a line of the list of chunks is no array');
  const [ordinal, start, end, page, headingPath, contentHash] = fields as unknown[];
  if (typeof ordinal !== 'number' || typeof start !== 'number' || typeof end !== 'number') {
    throw new TypeError('a listed chunk has no place');
  }
  if (typeof contentHash !== 'string') throw new TypeError('a listed chunk has no hash');
  return {
    ordinal,
    start,
    end,
    ...(typeof page === 'number' ? { page } : {}),
    headingPath: Array.isArray(headingPath) ? headingPath.map(String) : [],
    contentHash,
  };
}
