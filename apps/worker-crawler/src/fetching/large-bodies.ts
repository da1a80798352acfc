import { Slots } from '@citewell/ingestion';
import { Injectable } from '@nestjs/common';

/** Bytes beyond which a body is large. Few pages are. */
export const LARGE_BYTES = 2 * 1024 * 1024;
const MAX_LARGE_BODIES = 2;

/** To be called before more than {@link LARGE_BYTES} of a body are read. Waits for a permit, once. */
export type ReserveLargeBody = () => Promise<void>;

/** Bounds memory: few large bodies are held at a time. The servers of the others wait. */
@Injectable()
export class LargeBodies {
  private readonly permits = new Slots(MAX_LARGE_BODIES);

  /** @param work uses one body; its permit is released when the work has ended */
  async during<Result>(
    signal: AbortSignal,
    work: (reserve: ReserveLargeBody) => Promise<Result>,
  ): Promise<Result> {
    let release: (() => void) | undefined;
    try {
      return await work(async () => {
        release ??= await this.permits.take({ count: 1 }, signal);
      });
    } finally {
      release?.();
    }
  }
}
