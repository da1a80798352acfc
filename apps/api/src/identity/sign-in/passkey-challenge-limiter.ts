import { ApiError } from '../../http/api-error.js';
import { clientNetwork } from '../../http/client-network.js';
import { RateLimiter } from '../../http/rate-limiter.js';

const CHALLENGES_PER_MINUTE = 30;

/** Limits the challenges that an address gets without a session: each is a row. */
export class PasskeyChallengeLimiter {
  private readonly addresses = new RateLimiter(CHALLENGES_PER_MINUTE);

  /**
   * @param address of the client
   * @throws {@link ApiError} `RATE_LIMIT`
   */
  count(address: string): void {
    const retryAfterSeconds = this.addresses.take(clientNetwork(address));
    if (retryAfterSeconds === 0) return;
    const sentence = `Too many attempts to sign in. Try again in ${retryAfterSeconds} seconds.`;
    throw new ApiError('RATE_LIMIT', sentence, { retryAfterSeconds });
  }
}
