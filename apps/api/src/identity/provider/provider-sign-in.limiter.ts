import { Injectable } from '@nestjs/common';
import { ApiError } from '../../http/api-error.js';
import { clientNetwork } from '../../http/client-network.js';
import { RateLimiter } from '../../http/rate-limiter.js';

/** Each sign-in takes three requests, and the people of an office share one address. */
const REQUESTS_PER_MINUTE = 600;

/** Limits the requests that strangers make to sign in at providers. */
@Injectable()
export class ProviderSignInLimiter {
  private readonly limiter = new RateLimiter(REQUESTS_PER_MINUTE);

  /** @param address of the client @throws {@link ApiError} `RATE_LIMIT` */
  count(address: string): void {
    const retryAfterSeconds = this.limiter.take(clientNetwork(address));
    if (retryAfterSeconds > 0)
      throw new ApiError('RATE_LIMIT', 'Too many attempts to sign in. Try again later.', {
        retryAfterSeconds,
      });
  }
}
