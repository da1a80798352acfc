import { normalizePercentEncoding } from './percent-encoding.js';

// A wildcard (`*`, `**` or `**/`), or a literal text without any `*`.
type Token = string;

/**
 * A glob for URLs, as users write it into `include` and `exclude`.
 *
 * - `*` matches any characters except `/`; `**` matches any characters. All others, `?` too, stand for
 *   themselves.
 * - `https://…` is compared with the whole URL and `/…` with the path. Anything else, such as `*.pdf` or
 *   `drafts/**`, is compared with the end of the path, starting after any `/`. A pattern with a `?` is
 *   compared with path and query.
 * - `**` between slashes also matches no folder at all, and `/docs/**` also matches `/docs`.
 * - The whole text must match. Case matters, except in a host; `é` and `%C3%A9` are equal.
 *
 * Matching takes time proportional to pattern length times URL length, whatever the pattern.
 */
export class UrlPattern {
  private readonly tokens: readonly Token[];
  private readonly isWholeUrl: boolean;
  private readonly hasQuery: boolean;
  private readonly matchesFolder: boolean;

  constructor(source: string) {
    this.isWholeUrl = source.includes('://');
    this.hasQuery = source.includes('?');
    this.matchesFolder = source.endsWith('/**');
    this.tokens = tokensOf(this.isWholeUrl ? withLowerCaseHost(source) : anchored(source));
  }

  /** @param url normalized, see `normalizeUrl` */
  matches(url: URL): boolean {
    const path = this.hasQuery ? url.pathname + url.search : url.pathname;
    const subject = this.isWholeUrl ? `${url.protocol}//${url.host}${path}` : path;
    return this.matchesText(subject) || (this.matchesFolder && this.matchesText(`${subject}/`));
  }

  private matchesText(subject: string): boolean {
    let positions = new Uint8Array(subject.length + 1);
    positions[0] = 1;
    for (const token of this.tokens) positions = advance(positions, token, subject);
    return positions[subject.length] === 1;
  }
}

function anchored(source: string): string {
  return source.startsWith('/') || source.startsWith('**') ? source : `**/${source}`;
}

function withLowerCaseHost(source: string): string {
  const [, origin = '', path = ''] = /^([^/]*\/\/[^/]*)(.*)$/s.exec(source) ?? [];
  return origin.toLowerCase() + (path || '/');
}

function tokensOf(source: string): Token[] {
  const tokens = source.match(/(?<=^|\/)\*\*\/|\*+|[^*]+/g) ?? [];
  return tokens.map((token) => {
    if (token.startsWith('*')) return /^\*{3,}$/.test(token) ? '**' : token;
    return normalizePercentEncoding(token);
  });
}

/**
 * Positions of the subject where a token can end, given those where it can start. Element `i` is 1 for
 * position `i`.
 */
function advance(starts: Uint8Array, token: Token, subject: string): Uint8Array<ArrayBuffer> {
  const ends = new Uint8Array(starts.length);
  const first = starts.indexOf(1);
  if (!token.startsWith('*')) {
    for (let at = first; at >= 0; at = starts.indexOf(1, at + 1))
      if (subject.startsWith(token, at)) ends[at + token.length] = 1;
    return ends;
  }
  /** Whether a wildcard that started earlier can match the character before `at`. */
  let isOpen = false;
  for (let at = first; at >= 0 && at < ends.length; at += 1) {
    const isStart = starts[at] === 1;
    const isAfterSlash = subject[at - 1] === '/';
    if (token === '*' && isAfterSlash) isOpen = false;
    if (isStart || (isOpen && (token !== '**/' || isAfterSlash))) ends[at] = 1;
    isOpen ||= isStart;
  }
  return ends;
}
