import {
  fetchRobots,
  GuardedHttpClient,
  HostGate,
  type RobotsAnswer,
  robotsFor,
  type RobotsRules,
} from '@citewell/web';
import type { Config } from '@citewell/config';
import { CONFIG } from '@citewell/infrastructure';
import { Inject, Injectable } from '@nestjs/common';

const MAX_ORIGINS = 10_000;
/** While a file cannot be reached nothing may be fetched, so it is asked for again soon. */
const RETRY_MS = 5_000;

/** How long an answer is waited for. */
export interface AnswerWait {
  readonly signal: AbortSignal;
  /** Ends the wait as well, with its reason. */
  readonly patience?: AbortSignal | undefined;
}

/** What hosts allow us: their robots.txt, kept as long as it counts. */
@Injectable()
export class RobotsService {
  private readonly answers = new Map<string, { answer: RobotsAnswer; askedAtMs: number }>();
  private readonly asking = new Map<string, Promise<RobotsAnswer>>();

  constructor(
    @Inject(GuardedHttpClient) private readonly client: GuardedHttpClient,
    @Inject(HostGate) private readonly gate: Pick<HostGate, 'watch'>,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /**
   * The rules for us on a URL's host, and why they are not known, of a host in trouble; else null.
   *
   * @throws as {@link answerFor}
   */
  async rulesFor(url: string, wait: AnswerWait): Promise<{ rules: RobotsRules; problem: string | null }> {
    const { robots, problem } = await this.answerFor(url, wait);
    return { rules: robots.rulesFor(this.config.CRAWL_USER_AGENT), problem };
  }

  /**
   * @param isAnew whether what is kept does not count
   * @throws WebFetchError of kind `blocked`, or a signal's reason
   */
  async answerFor(url: string, { signal, patience }: AnswerWait, isAnew = false): Promise<RobotsAnswer> {
    const { origin } = new URL(url);
    const known = this.answers.get(origin);
    if (!isAnew && known && isFresh(known.answer, known.askedAtMs, Date.now())) return known.answer;
    const asking = this.asking.get(origin) ?? this.ask(origin, known?.answer);
    this.asking.set(origin, asking);
    return untilAborted(asking, patience ? AbortSignal.any([signal, patience]) : signal);
  }

  /** Several sites may wait for the answer, so that none of them can call the question off. */
  private async ask(origin: string, previous: RobotsAnswer | undefined): Promise<RobotsAnswer> {
    const ended = this.gate.watch(new URL(origin).host);
    try {
      const outcome = await fetchRobots(this.client, origin);
      return this.remember(origin, robotsFor(outcome, Date.now(), previous));
    } finally {
      ended();
      this.asking.delete(origin);
    }
  }

  private remember(origin: string, answer: RobotsAnswer): RobotsAnswer {
    this.answers.delete(origin);
    this.answers.set(origin, { answer, askedAtMs: Date.now() });
    const [oldest] = this.answers.keys();
    if (this.answers.size > MAX_ORIGINS && oldest !== undefined) this.answers.delete(oldest);
    return answer;
  }
}

function isFresh({ state, expiresAtMs }: RobotsAnswer, askedAtMs: number, now: number): boolean {
  return now < (state === 'unreachable' ? Math.min(expiresAtMs, askedAtMs + RETRY_MS) : expiresAtMs);
}

function untilAborted<Value>(promise: Promise<Value>, signal: AbortSignal): Promise<Value> {
  return new Promise((resolve, reject) => {
    const abandon = (): void => reject(signal.reason);
    if (signal.aborted) abandon();
    signal.addEventListener('abort', abandon, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', abandon));
  });
}
