import { PieceTokenizer } from './piece-tokenizer.js';

const MAGIC = 'CWSE';
const VERSION = 1;
const HEADER_BYTES = 20;

/**
 * A static embedding model: one vector per piece of the vocabulary. The vector of a text is the normalized sum of
 * the vectors of its pieces. The length of a piece's vector is its weight.
 *
 * Its file, little-endian:
 *
 * | bytes | content |
 * |---|---|
 * | 4 | `CWSE` |
 * | 4 × 4 | unsigned: version 1, number of pieces n, dimensions d, length of the next section in bytes |
 * | … | the pieces in UTF-8, separated by LF, padded with LF to a multiple of 4 bytes |
 * | 4 n | scale of each vector, float32 |
 * | 2 n | score of each piece, int16: its log probability in hundredths |
 * | n × d | vectors, int8, to be multiplied by their scale |
 */
export class StaticModel {
  readonly tokenizer: PieceTokenizer;
  readonly dimensions: number;
  private readonly scales: Float32Array;
  private readonly rows: Int8Array;

  /**
   * The model keeps the bytes and makes no copy of the vectors.
   *
   * @throws Error if the bytes are not a model of this version
   */
  constructor(file: Uint8Array) {
    // Float32Array requires aligned memory.
    const bytes = file.byteOffset % 4 === 0 ? file : file.slice();
    const { buffer, byteOffset } = bytes;
    const text = new TextDecoder();
    const view = new DataView(buffer, byteOffset, bytes.byteLength);
    const [version, count, dimensions, size] = [4, 8, 12, 16].map((at) =>
      at < HEADER_BYTES && bytes.byteLength >= HEADER_BYTES ? view.getUint32(at, true) : 0,
    ) as [number, number, number, number];
    const pieces = HEADER_BYTES;
    const scales = pieces + size;
    const scores = scales + 4 * count;
    const rows = scores + 2 * count;
    const valid = text.decode(bytes.subarray(0, 4)) === MAGIC && version === VERSION;
    if (!valid || bytes.byteLength !== rows + count * dimensions) {
      throw new Error('The file of the built-in embedding model is damaged. Install the server again.');
    }
    this.dimensions = dimensions;
    this.scales = new Float32Array(buffer, byteOffset + scales, count);
    this.rows = new Int8Array(buffer, byteOffset + rows, count * dimensions);
    this.tokenizer = new PieceTokenizer(
      text.decode(bytes.subarray(pieces, scales)).split('\n').slice(0, count),
      new Int16Array(buffer, byteOffset + scores, count),
    );
  }

  /** A unit vector; the zero vector, which is similar to nothing, if no piece of the text is known. */
  embed(text: string): Float32Array {
    const { dimensions, rows, scales } = this;
    const sum = new Float64Array(dimensions);
    for (const id of this.tokenizer.encode(text)) {
      const scale = scales[id]!;
      const row = id * dimensions;
      for (let at = 0; at < dimensions; at++) sum[at]! += scale * rows[row + at]!;
    }
    let squares = 0;
    for (let at = 0; at < dimensions; at++) squares += sum[at]! * sum[at]!;
    const factor = squares > 0 ? 1 / Math.sqrt(squares) : 0;
    const vector = new Float32Array(dimensions);
    for (let at = 0; at < dimensions; at++) vector[at] = sum[at]! * factor;
    return vector;
  }
}
