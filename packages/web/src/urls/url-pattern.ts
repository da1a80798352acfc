import { normalizePercentEncoding } from './percent-encoding.js';

/** `*` is `segment`, `**` is `any`, and a double star before a slash is `folders`: none, one or more of them. */
type Token = { literal: string } | { wildcard: 'segment' | 'any' | 'folders' };

/**
 * A glob on URLs, as people write them into `include` and `exclude`.
 *
 * - `*` is any run of characters without `/`; `**` any run at all. Everything else, `?` too, stands for itself.
 * - `https://…` is compared with the whole URL; `/…` with the path; anything else, such as `*.pdf` or `drafts/**`,
 *   with the end of the path from some `/` on. A pattern with a `?` in it sees path and query, others the path alone.
 * - `**` between slashes may also be no folder at all, and `/docs/**` is `/docs` too.
 * - A pattern fits as a whole. Case matters, except in a host; `é` and `%C3%A9` are the same.
 *
 * Matching takes time proportional to pattern times URL, whatever the pattern.
 */
export class UrlPattern {
  private readonly tokens: Token[];
  private readonly isWholeUrl: boolean;
  private readonly seesQuery: boolean;
  private readonly coversItsFolder: boolean;

  constructor(readonly source: string) {
    this.isWholeUrl = source.includes('://');
    this.seesQuery = source.includes('?');
    this.coversItsFolder = source.endsWith('/**');
    this.tokens = tokenize(this.isWholeUrl ? withLowerCaseHost(source) : anchored(source));
  }

  /** @param url normalised, see `normalizeUrl` */
  matches(url: URL): boolean {
    const path = this.seesQuery ? url.pathname + url.search : url.pathname;
    const subject = this.isWholeUrl ? `${url.protocol}//${url.host}${path}` : path;
    return fits(this.tokens, subject) || (this.coversItsFolder && fits(this.tokens, `${subject}/`));
  }
}

function anchored(source: string): string {
  return source.startsWith('/') || source.startsWith('**') ? source : `**/${source}`;
}

function withLowerCaseHost(source: string): string {
  const [, origin = '', path = ''] = /^([^/]*\/\/[^/]*)(.*)$/s.exec(source) ?? [];
  return origin.toLowerCase() + (path || '/');
}

function tokenize(source: string): Token[] {
  const pieces = source.match(/(?<=^|\/)\*\*\/|\*+|[^*]+/g) ?? [];
  return pieces.map((piece) => {
    if (!piece.startsWith('*')) return { literal: normalizePercentEncoding(piece) };
    if (piece.endsWith('/')) return { wildcard: 'folders' };
    return { wildcard: piece.length > 1 ? 'any' : 'segment' };
  });
}

/** Follows all ways through the pattern at once, as the set of places in the subject that they have reached. */
function fits(tokens: readonly Token[], subject: string): boolean {
  let reached = new Set([0]);
  for (const token of tokens) {
    reached =
      'literal' in token ? afterLiteral(reached, subject, token.literal) : after(reached, subject, token);
    if (reached.size === 0) return false;
  }
  return reached.has(subject.length);
}

function afterLiteral(reached: ReadonlySet<number>, subject: string, literal: string): Set<number> {
  const next = new Set<number>();
  for (const at of reached) if (subject.startsWith(literal, at)) next.add(at + literal.length);
  return next;
}

function after(
  reached: ReadonlySet<number>,
  subject: string,
  { wildcard }: { wildcard: 'segment' | 'any' | 'folders' },
): Set<number> {
  const next = new Set<number>();
  let isOpen = false;
  for (let at = 0; at <= subject.length; at += 1) {
    const follows = subject[at - 1];
    if (wildcard === 'segment' && follows === '/') isOpen = false;
    if (reached.has(at)) isOpen = true;
    if (isOpen && (wildcard !== 'folders' || reached.has(at) || follows === '/')) next.add(at);
  }
  return next;
}
