import { ApiError } from '../../http/api-error.js';
import { RateLimiter } from '../../http/rate-limiter.js';

/** Of an e-mail, so that nobody's mailbox is filled. */
const PER_EMAIL_AND_HOUR = 5;
/** Minutes, which the limiters count as one. */
const PERIOD_MINUTES = 60;

/** Limits the requests of links by mail, whether or not the e-mail belongs to anybody. */
export class LinkLimiter {
  private readonly requesters: RateLimiter;
  private readonly emails: RateLimiter;

  /**
   * @param perHour of one requester
   * @param now clock in ms
   */
  constructor(perHour: number, now: () => number = () => performance.now()) {
    const slowClock = (): number => now() / PERIOD_MINUTES;
    this.requesters = new RateLimiter(perHour, slowClock);
    this.emails = new RateLimiter(PER_EMAIL_AND_HOUR, slowClock);
  }

  /** @throws {@link ApiError} `RATE_LIMIT` */
  count(requester: string, email: string): void {
    const wait = this.requesters.take(requester) || this.emails.take(email);
    if (wait === 0) return;
    const retryAfterSeconds = wait * PERIOD_MINUTES;
    throw new ApiError(
      'RATE_LIMIT',
      `Too many links were requested. Try again in ${Math.ceil(retryAfterSeconds / 60)} minutes.`,
      { retryAfterSeconds },
    );
  }
}
