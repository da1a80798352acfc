import { RobotsFile } from './robots-file.js';

/**
 * How long a file or its absence is valid. RFC 9309, section 2.4, allows 24 hours; changes should take effect
 * sooner.
 */
const FRESH_MS = 10 * 60 * 1000;
/** Nothing may be fetched while a file cannot be reached, so it is asked for again soon. */
const RETRY_MS = 5_000;

const ALLOW_ALL = new RobotsFile('');
const DISALLOW_ALL = new RobotsFile('User-agent: *\nDisallow: /');

/** The result of fetching a robots.txt. */
export type RobotsOutcome =
  | { kind: 'file'; content: Uint8Array; url: string }
  /** Any status other than 2xx, after at most five redirects. */
  | { kind: 'status'; status: number }
  | { kind: 'too-many-redirects' }
  /** No response. @param problem the reason, for the person who entered the URL */
  | { kind: 'unreachable'; problem: string };

/** What applies to a host until `expiresAtMs`. */
export interface RobotsAnswer {
  /**
   * - `file`: the rules of the file
   * - `unavailable` (RFC 9309): a 3xx or 4xx status except 429, or too many redirects: everything is allowed
   * - `unreachable`: the server is in trouble, so the last known file applies, or nothing is allowed
   */
  readonly state: 'file' | 'unavailable' | 'unreachable';
  readonly robots: RobotsFile;
  /** When to ask again, in milliseconds since the epoch. */
  readonly expiresAtMs: number;
  /** The reason for `unreachable`, for the person who entered the URL; else null. */
  readonly problem: string | null;
}

/**
 * Interprets an outcome (RFC 9309, section 2.3.1). After a 4xx status everything is allowed. After 5xx, 429
 * or no response nothing is allowed. (The RFC treats 429 like other 4xx, but that server asks for fewer
 * requests.)
 *
 * @param previous the last answer, expired or not; its file remains valid while the server is in trouble
 */
export function robotsFor(outcome: RobotsOutcome, nowMs: number, previous?: RobotsAnswer): RobotsAnswer {
  switch (outcome.kind) {
    case 'file':
      return reached('file', new RobotsFile(outcome.content, outcome.url), nowMs);
    case 'too-many-redirects':
      return reached('unavailable', ALLOW_ALL, nowMs);
    case 'status':
      return outcome.status >= 500 || outcome.status === 429
        ? unreachable(unreadable(`The server responded with status ${outcome.status}.`), nowMs, previous)
        : reached('unavailable', ALLOW_ALL, nowMs);
    case 'unreachable':
      return unreachable(outcome.problem, nowMs, previous);
  }
}

/** A sentence for problems of the file alone: those of its server are the problem of every page. */
export function unreadable(reason: string): string {
  return `The robots.txt of the web server cannot be read. ${reason}`;
}

function reached(state: 'file' | 'unavailable', robots: RobotsFile, nowMs: number): RobotsAnswer {
  return { state, robots, expiresAtMs: nowMs + FRESH_MS, problem: null };
}

function unreachable(problem: string, nowMs: number, previous: RobotsAnswer | undefined): RobotsAnswer {
  const hasFile = previous !== undefined && previous.robots !== ALLOW_ALL;
  return {
    state: 'unreachable',
    robots: hasFile ? previous.robots : DISALLOW_ALL,
    expiresAtMs: nowMs + RETRY_MS,
    problem,
  };
}
