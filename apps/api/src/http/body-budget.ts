import { ApiError } from './api-error.js';

/** Bytes of bodies that all requests together may hold in memory. */
const MAX_BYTES = 128 * 1024 * 1024;
/** Bytes that the requests of one key may hold. */
const MAX_BYTES_PER_KEY = 64 * 1024 * 1024;
/** Smaller bodies do not count, so that a few large ones do not block questions. */
const FREE_BYTES = 256 * 1024;
const RETRY_SECONDS = 1;

/** The bytes of one body. */
export interface Reservation {
  /** Counts more bytes. @returns the bytes of the body so far @throws {@link ApiError} `RATE_LIMIT` */
  add(bytes: number): number;
  /** Bytes of the body so far. */
  readonly size: number;
  /** Gives the bytes back. Further calls have no effect. */
  release(): void;
}

/** Limits the bytes of bodies in memory: a parsed body needs several times its size until its request ends. */
export class BodyBudget {
  private total = 0;
  private readonly byKey = new Map<string, number>();

  open(key: string): Reservation {
    let size = 0;
    let counted = 0;
    return {
      get size() {
        return size;
      },
      add: (bytes) => {
        size += bytes;
        if (size > FREE_BYTES) {
          this.count(key, size - counted);
          counted = size;
        }
        return size;
      },
      release: () => {
        this.uncount(key, counted);
        counted = 0;
      },
    };
  }

  private count(key: string, bytes: number): void {
    const ofKey = (this.byKey.get(key) ?? 0) + bytes;
    if (ofKey > MAX_BYTES_PER_KEY || this.total + bytes > MAX_BYTES) {
      throw new ApiError('RATE_LIMIT', 'Too many large requests are being processed. Try again later.', {
        retryAfterSeconds: RETRY_SECONDS,
      });
    }
    this.total += bytes;
    this.byKey.set(key, ofKey);
  }

  private uncount(key: string, bytes: number): void {
    this.total -= bytes;
    const ofKey = (this.byKey.get(key) ?? 0) - bytes;
    if (ofKey > 0) this.byKey.set(key, ofKey);
    else this.byKey.delete(key);
  }
}
