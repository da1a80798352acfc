import { Injectable } from '@nestjs/common';
import { ApiError } from '../../http/api-error.js';
import { clientNetwork } from '../../http/client-network.js';
import { RateLimiter } from '../../http/rate-limiter.js';

/** Of an address, and of an account. */
const ATTEMPTS_PER_MINUTE = 10;
/** Of all addresses together. */
const ALL_ATTEMPTS_PER_MINUTE = 300;
const ALL = 'all';

/** Limits failed attempts to sign in. Attempts in progress count, too. */
@Injectable()
export class SignInLimiter {
  private readonly addresses: RateLimiter;
  private readonly accounts: RateLimiter;
  private readonly all: RateLimiter;

  /** @param now clock in ms */
  constructor(now?: () => number) {
    this.addresses = new RateLimiter(ATTEMPTS_PER_MINUTE, now);
    this.accounts = new RateLimiter(ATTEMPTS_PER_MINUTE, now);
    this.all = new RateLimiter(ALL_ATTEMPTS_PER_MINUTE, now);
  }

  /**
   * Counts an attempt. Many addresses together cannot lock an address out that has no failed attempts, except from one
   * account: its password must not be guessed from many addresses.
   *
   * @param address of the client
   * @param account e-mail, whether or not a person has it
   * @returns takes the attempt back, because it did not fail
   * @throws {@link ApiError} `RATE_LIMIT`
   */
  count(address: string, account?: string): () => void {
    const network = clientNetwork(address);
    const hasFailed = !this.addresses.isFull(network);
    let retryAfterSeconds = this.addresses.take(network);
    if (retryAfterSeconds === 0) {
      const waitForAll = this.all.take(ALL);
      if (hasFailed) retryAfterSeconds = waitForAll;
    }
    assertNone(retryAfterSeconds);
    const takeBackOfAccount = account === undefined ? undefined : this.countAccount(account);
    return () => {
      this.addresses.spend(network, -1);
      this.all.spend(ALL, -1);
      takeBackOfAccount?.();
    };
  }

  /** Counts an attempt at an account, from whatever address. {@link count} has counted the address. */
  countAccount(account: string): () => void {
    assertNone(this.accounts.take(account));
    return () => this.accounts.spend(account, -1);
  }
}

function assertNone(retryAfterSeconds: number): void {
  if (retryAfterSeconds === 0) return;
  throw new ApiError(
    'RATE_LIMIT',
    `Too many attempts to sign in have failed. Try again in ${retryAfterSeconds} seconds.`,
    { retryAfterSeconds },
  );
}
