import { RobotsFile } from './robots-file.js';

/**
 * How long a file, or its absence, counts before it is asked for again. RFC 9309, section 2.4, allows 24 hours; who has
 * just changed theirs should not have to wait for that.
 */
const FRESH_MS = 10 * 60 * 1000;
/** How long to wait before an unreachable file is tried again. */
const RETRY_MS = 30 * 60 * 1000;
/** After this time an unreachable file counts as absent, or its last copy as valid (RFC 9309, section 2.3.1.4). */
const GIVE_UP_MS = 30 * 24 * 3600 * 1000;

const ALLOW_ALL = new RobotsFile('');
const DISALLOW_ALL = new RobotsFile('User-agent: *\nDisallow: /');

/** How asking for a robots.txt went. */
export type RobotsOutcome =
  | { kind: 'file'; content: Uint8Array; url: string }
  /** Any status but 2xx, after up to five redirects were followed. */
  | { kind: 'status'; status: number }
  | { kind: 'too-many-redirects' }
  /** No answer: name, connection, TLS, time. @param problem for the person who gave the address */
  | { kind: 'unreachable'; problem: string };

/** What counts for a host until `expiresAtMs`. */
export interface RobotsAnswer {
  /**
   * `file`: what the file says. `absent`: there is none, so all is allowed. `unreachable`: the server is in trouble,
   * so nothing is allowed, or what its last copy says.
   */
  readonly state: 'file' | 'absent' | 'unreachable';
  readonly robots: RobotsFile;
  /** When to ask again, in milliseconds since the epoch. */
  readonly expiresAtMs: number;
  /** Since when the file cannot be reached; null while it can. */
  readonly unreachableSinceMs: number | null;
  /** What is wrong, for the person who gave the address; null while nothing is. */
  readonly problem: string | null;
}

/**
 * What an outcome means (RFC 9309, section 2.3.1). A 4xx status says that there is no file and everything may be
 * crawled; 5xx, 429 and silence say that nobody can tell, and nothing may be. (The RFC counts 429 among the 4xx; a
 * server that is asked for less is given less.)
 *
 * @param previous the answer that has expired, if there is one: its file stays valid while the server is in trouble
 */
export function robotsFor(outcome: RobotsOutcome, nowMs: number, previous?: RobotsAnswer): RobotsAnswer {
  switch (outcome.kind) {
    case 'file':
      return reached('file', new RobotsFile(outcome.content, outcome.url), nowMs);
    case 'too-many-redirects':
      return reached('absent', ALLOW_ALL, nowMs);
    case 'status':
      return outcome.status >= 500 || outcome.status === 429
        ? unreachable(`It answers with status ${outcome.status}.`, nowMs, previous)
        : reached('absent', ALLOW_ALL, nowMs);
    case 'unreachable':
      return unreachable(outcome.problem, nowMs, previous);
  }
}

function reached(state: 'file' | 'absent', robots: RobotsFile, nowMs: number): RobotsAnswer {
  return { state, robots, expiresAtMs: nowMs + FRESH_MS, unreachableSinceMs: null, problem: null };
}

function unreachable(problem: string, nowMs: number, previous: RobotsAnswer | undefined): RobotsAnswer {
  const sinceMs = previous?.unreachableSinceMs ?? nowMs;
  const kept =
    previous && previous.robots !== DISALLOW_ALL && previous.robots !== ALLOW_ALL ? previous.robots : null;
  const isGivenUp = nowMs - sinceMs >= GIVE_UP_MS;
  return {
    state: 'unreachable',
    robots: kept ?? (isGivenUp ? ALLOW_ALL : DISALLOW_ALL),
    expiresAtMs: nowMs + RETRY_MS,
    unreachableSinceMs: sinceMs,
    problem: `The robots.txt of the web server cannot be read. ${problem}`,
  };
}
