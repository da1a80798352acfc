import { createGunzip } from 'node:zlib';
import type { SitemapReport } from './sitemap-summary.js';

/** Lists of addresses reach 1/50; deflate can reach 1/1032. */
const MAX_RATIO = 250;
/** Small files may have any ratio. */
const RATIO_FREE_BYTES = 1024 * 1024;
/** As much as is unpacked at once: 4 KiB become 4 MiB at the most. */
const STEP_BYTES = 4096;

/**
 * Unpacks what is gzip by its first bytes, whatever its name and type, and passes anything else on. The end of a file
 * that is damaged or cut off is reported as `TRUNCATED`, after all that could be unpacked; damage costs the 4 KiB that it
 * is in.
 */
export async function* gunzipIfNeeded(
  bytes: AsyncIterable<Uint8Array>,
  report: SitemapReport,
): AsyncGenerator<Uint8Array> {
  const iterator = withHead(bytes, 2);
  let inflater: Inflater | null = null;
  let isFirst = true;
  try {
    for await (const chunk of iterator) {
      if (isFirst && isGzip(chunk)) inflater = new Inflater();
      isFirst = false;
      if (inflater === null) {
        yield chunk;
        continue;
      }
      for (let at = 0; at < chunk.length; at += STEP_BYTES) {
        const unpacked = await inflater.write(chunk.subarray(at, at + STEP_BYTES));
        // Said first: whoever reads what it has unpacked to may stop for another reason.
        if (inflater.isBomb)
          report.add('DECOMPRESSION_BOMB', `unpacks to more than ${MAX_RATIO} times its size`);
        yield* unpacked;
        if (inflater.error !== null) report.add('TRUNCATED', inflater.error.message);
        if (inflater.isBomb || inflater.error !== null) return;
      }
    }
    if (inflater === null) return;
    yield* await inflater.end();
    if (inflater.error !== null) report.add('TRUNCATED', inflater.error.message);
  } finally {
    inflater?.destroy();
  }
}

/** Whether bytes are the beginning of a gzip file (RFC 1952). */
export function isGzip(bytes: Uint8Array): boolean {
  return bytes[0] === 0x1f && bytes[1] === 0x8b;
}

/**
 * Step by step, because a stream that ends with an error throws away what it had unpacked before.
 */
class Inflater {
  error: Error | null = null;
  private readonly gunzip = createGunzip();
  private unpacked: Uint8Array[] = [];
  private bytesIn = 0;
  private bytesOut = 0;
  private hasEnded = false;
  private finishStep: () => void = () => undefined;

  constructor() {
    this.gunzip.on('data', (chunk: Uint8Array) => {
      this.bytesOut += chunk.byteLength;
      this.unpacked.push(chunk);
    });
    this.gunzip.on('error', (error) => {
      this.error = error;
      this.finishStep();
    });
    // Early, if something else stands behind the packed data.
    this.gunzip.on('end', () => {
      this.hasEnded = true;
      this.finishStep();
    });
  }

  get isBomb(): boolean {
    return this.bytesOut > RATIO_FREE_BYTES && this.bytesOut > this.bytesIn * MAX_RATIO;
  }

  write(packed: Uint8Array): Promise<Uint8Array[]> {
    this.bytesIn += packed.byteLength;
    return this.step((done) => this.gunzip.write(packed, () => done()));
  }

  end(): Promise<Uint8Array[]> {
    return this.step(() => this.gunzip.end());
  }

  destroy(): void {
    this.gunzip.destroy();
  }

  private async step(start: (done: () => void) => void): Promise<Uint8Array[]> {
    if (this.error === null && !this.hasEnded) {
      await new Promise<void>((resolve) => {
        this.finishStep = resolve;
        start(resolve);
      });
    }
    const unpacked = this.unpacked;
    this.unpacked = [];
    return unpacked;
  }
}

/** The same bytes, with a first chunk of at least so many, if there are so many. */
export async function* withHead(
  bytes: AsyncIterable<Uint8Array>,
  minBytes: number,
): AsyncGenerator<Uint8Array> {
  let head: Uint8Array | null = new Uint8Array();
  for await (const chunk of bytes) {
    if (head === null) {
      yield chunk;
      continue;
    }
    head = Buffer.concat([head, chunk]);
    if (head.length < minBytes) continue;
    yield head;
    head = null;
  }
  if (head !== null && head.length > 0) yield head;
}
