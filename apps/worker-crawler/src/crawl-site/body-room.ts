import { RetryLaterError, Slots } from '@citewell/ingestion';
import { Injectable } from '@nestjs/common';

/** Bytes of a body with which it is large: hardly a page is. */
export const LARGE_BYTES = 2 * 1024 * 1024;
/** Large bodies in memory at once, with all that is made of them. */
const LARGE_BODIES = 2;
const LONGEST_WAIT_MS = 30_000;
/** What found no place is come back to after this long. */
const PAUSE_MS = 10_000;

/** Room in memory for what is fetched for one URL. */
export interface BodyRoom {
  /**
   * To be called before more than {@link LARGE_BYTES} of a body are taken in. Waits for a place, once.
   *
   * @throws RetryLaterError when that takes too long, since its host is kept waiting; the signal's reason
   */
  beLarge(): Promise<void>;
}

/**
 * Bodies are kept in memory from when they come until they are read and stored; dozens are, and each may be as large as
 * it is allowed to. So only a few large ones are taken in at once; the others' servers wait.
 */
@Injectable()
export class BodyRooms {
  private readonly places = new Slots(LARGE_BODIES);

  /** @param holder whose it is: what many of one's bodies take does not keep another's waiting */
  async hold<Result>(
    holder: string,
    signal: AbortSignal,
    work: (room: BodyRoom) => Promise<Result>,
  ): Promise<Result> {
    let leave: (() => void) | undefined;
    const beLarge = async (): Promise<void> => {
      leave ??= await this.place(holder, signal);
    };
    try {
      return await work({ beLarge });
    } finally {
      leave?.();
    }
  }

  private async place(holder: string, signal: AbortSignal): Promise<() => void> {
    const patience = AbortSignal.timeout(LONGEST_WAIT_MS);
    try {
      return await this.places.take({ count: 1, holder }, AbortSignal.any([signal, patience]));
    } catch {
      signal.throwIfAborted();
      throw new RetryLaterError('too many large bodies come at once', PAUSE_MS);
    }
  }
}
