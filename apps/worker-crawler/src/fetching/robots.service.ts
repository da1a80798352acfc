import type { Config } from '@citewell/config';
import { CONFIG } from '@citewell/infrastructure';
import {
  fetchRobots,
  GuardedHttpClient,
  type RobotsAnswer,
  robotsFor,
  type RobotsRules,
} from '@citewell/web';
import { Inject, Injectable } from '@nestjs/common';

const MAX_ORIGINS = 10_000;

/** The robots.txt of each origin, cached while it is fresh. */
@Injectable()
export class RobotsService {
  private readonly answers = new Map<string, RobotsAnswer>();
  private readonly requests = new Map<string, Promise<RobotsAnswer>>();

  constructor(
    @Inject(GuardedHttpClient) private readonly client: GuardedHttpClient,
    @Inject(CONFIG) private readonly config: Pick<Config, 'CRAWL_USER_AGENT'>,
  ) {}

  /**
   * The rules for this crawler on a URL's host, and why they are not known if the host is in trouble.
   *
   * @throws as {@link answerFor}
   */
  async rulesFor(url: string, signal: AbortSignal): Promise<{ rules: RobotsRules; problem: string | null }> {
    const { robots, problem } = await this.answerFor(url, signal);
    return { rules: robots.rulesFor(this.config.CRAWL_USER_AGENT), problem };
  }

  /**
   * @param refresh ignores the cache
   * @throws WebFetchError of kind `blocked`, or the signal's reason
   */
  async answerFor(url: string, signal: AbortSignal, { refresh = false } = {}): Promise<RobotsAnswer> {
    const { origin } = new URL(url);
    const cached = this.answers.get(origin);
    if (!refresh && cached && Date.now() < cached.expiresAtMs) return cached;
    const request = this.requests.get(origin) ?? this.request(origin, cached);
    this.requests.set(origin, request);
    return untilAborted(request, signal);
  }

  /** Several runs may wait for the same answer, so none of them can abort the request. */
  private async request(origin: string, previous: RobotsAnswer | undefined): Promise<RobotsAnswer> {
    try {
      const outcome = await fetchRobots(this.client, origin);
      return this.remember(origin, robotsFor(outcome, Date.now(), previous));
    } finally {
      this.requests.delete(origin);
    }
  }

  private remember(origin: string, answer: RobotsAnswer): RobotsAnswer {
    this.answers.delete(origin);
    this.answers.set(origin, answer);
    const [oldest] = this.answers.keys();
    if (this.answers.size > MAX_ORIGINS && oldest !== undefined) this.answers.delete(oldest);
    return answer;
  }
}

function untilAborted<Value>(promise: Promise<Value>, signal: AbortSignal): Promise<Value> {
  return new Promise((resolve, reject) => {
    const abandon = (): void => reject(signal.reason);
    if (signal.aborted) abandon();
    signal.addEventListener('abort', abandon, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', abandon));
  });
}
