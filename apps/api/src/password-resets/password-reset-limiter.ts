import { ApiError } from '../http/api-error.js';
import { clientNetwork } from '../http/client-network.js';
import { RateLimiter } from '../http/rate-limiter.js';

/** Of an e-mail, so that nobody's mailbox is filled. */
const PER_EMAIL_AND_HOUR = 5;
const PER_ADDRESS_AND_HOUR = 30;
/** Minutes, which the limiters count as one. */
const PERIOD_MINUTES = 60;

/** Limits the requests of links, whether or not there is an account. */
export class PasswordResetLimiter {
  private readonly emails: RateLimiter;
  private readonly addresses: RateLimiter;

  /** @param now clock in ms */
  constructor(now: () => number = () => performance.now()) {
    const slowClock = (): number => now() / PERIOD_MINUTES;
    this.emails = new RateLimiter(PER_EMAIL_AND_HOUR, slowClock);
    this.addresses = new RateLimiter(PER_ADDRESS_AND_HOUR, slowClock);
  }

  /**
   * @param address of the client
   * @throws {@link ApiError} `RATE_LIMIT`
   */
  count(address: string, email: string): void {
    const wait = this.addresses.take(clientNetwork(address)) || this.emails.take(email);
    if (wait === 0) return;
    const retryAfterSeconds = wait * PERIOD_MINUTES;
    throw new ApiError(
      'RATE_LIMIT',
      `Too many links were requested. Try again in ${Math.ceil(retryAfterSeconds / 60)} minutes.`,
      { retryAfterSeconds },
    );
  }
}
