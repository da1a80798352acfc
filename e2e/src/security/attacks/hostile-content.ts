import type { Routes } from './hostile-server.js';

/** A web site that attacks its crawler. */
export interface HostileSite {
  readonly name: string;
  /** The site begins at `/`. */
  readonly routes: Routes;
  /** The expected status, with the code of the error if there is one. A regular expression. */
  readonly outcome: string;
}

/** A file that attacks its parser. */
export interface HostileFile {
  /** Its extension tells the type. */
  readonly name: string;
  readonly content: string | Uint8Array<ArrayBuffer>;
  /** As that of a site; `refused` with the status of the response if the file is not accepted. */
  readonly outcome: string;
}

export const MEGABYTE = 1024 * 1024;

/** Texts in a row. @param make is called with 0, 1, 2, … */
export function times(count: number, make: (n: number) => string): string {
  return Array.from({ length: count }, (_, n) => make(n)).join('');
}

/** A text that looks random and is the same for the same number: repetitions compress too well to be accepted. */
export function scramble(n: number): string {
  return ((n * 2_654_435_761) % 2 ** 32).toString(36);
}

/** Scrambled words. */
export function noise(words: number): string {
  return times(words, (n) => `${scramble(n)} `);
}
