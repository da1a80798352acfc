import { normalizePercentEncoding } from './percent-encoding.js';

/**
 * What stands between two places where any number of folders may be: texts, of which each but the first lies further on
 * in the path segment in which the one before it ends.
 */
type Stretch = readonly string[];

/**
 * A glob on URLs, as people write them into `include` and `exclude`.
 *
 * - `*` is any run of characters without `/`; `**` any run at all. Everything else, `?` too, stands for itself.
 * - `https://…` is compared with the whole URL; `/…` with the path; anything else, such as `*.pdf` or `drafts/**`,
 *   with the end of the path from some `/` on. A pattern with a `?` in it sees path and query, others the path alone.
 * - `**` between slashes may also be no folder at all, and `/docs/**` is `/docs` too.
 * - A pattern fits as a whole. Case matters, except in a host; `é` and `%C3%A9` are the same.
 *
 * Matching takes time proportional to pattern times URL, whatever the pattern, and for most patterns far less.
 */
export class UrlPattern {
  private readonly stretches: readonly Stretch[];
  private readonly isWholeUrl: boolean;
  private readonly seesQuery: boolean;
  private readonly coversItsFolder: boolean;

  constructor(readonly source: string) {
    this.isWholeUrl = source.includes('://');
    this.seesQuery = source.includes('?');
    this.coversItsFolder = source.endsWith('/**');
    this.stretches = stretchesOf(this.isWholeUrl ? withLowerCaseHost(source) : anchored(source));
  }

  /** @param url normalised, see `normalizeUrl` */
  matches(url: URL): boolean {
    const path = this.seesQuery ? url.pathname + url.search : url.pathname;
    const subject = this.isWholeUrl ? `${url.protocol}//${url.host}${path}` : path;
    return fits(this.stretches, subject) || (this.coversItsFolder && fits(this.stretches, `${subject}/`));
  }
}

function anchored(source: string): string {
  return source.startsWith('/') || source.startsWith('**') ? source : `**/${source}`;
}

function withLowerCaseHost(source: string): string {
  const [, origin = '', path = ''] = /^([^/]*\/\/[^/]*)(.*)$/s.exec(source) ?? [];
  return origin.toLowerCase() + (path || '/');
}

/** `**` is any number of folders, then a `*`. */
function stretchesOf(source: string): Stretch[] {
  let stretch = [''];
  const stretches = [stretch];
  for (const piece of source.match(/(?<=^|\/)\*\*\/|\*+|[^*]+/g) ?? []) {
    if (piece === '*') stretch.push('');
    else if (piece.startsWith('*')) stretches.push((stretch = piece.endsWith('/') ? [''] : ['', '']));
    else stretch[stretch.length - 1] = normalizePercentEncoding(piece);
  }
  return stretches;
}

/** Each stretch is put where it ends first: that leaves all room there is for what follows, so nothing is tried twice. */
function fits(stretches: readonly Stretch[], subject: string): boolean {
  if (!subject.endsWith(stretches.at(-1)?.at(-1) ?? '')) return false;
  let at = 0;
  for (const [index, stretch] of stretches.entries()) {
    const isLast = index === stretches.length - 1;
    let end = endOf(stretch, subject, at, isLast);
    while (end === null && index > 0) {
      // Where it does not fit from one place, it does not from another one of the same segment.
      at = subject.indexOf('/', at) + 1;
      if (at === 0) return false;
      end = endOf(stretch, subject, at, isLast);
    }
    if (end === null) return false;
    at = end;
  }
  return true;
}

/**
 * Where a stretch ends that begins at a place, as early as it can; the last one, at the end of the subject, which is known
 * to end with its last text. Null where it does not fit.
 */
function endOf(
  [first = '', ...others]: Stretch,
  subject: string,
  from: number,
  isLast: boolean,
): number | null {
  if (!subject.startsWith(first, from)) return null;
  let at = from + first.length;
  for (const [index, text] of others.entries()) {
    const slash = subject.indexOf('/', at);
    const segmentEnd = slash < 0 ? subject.length : slash;
    const skipped =
      isLast && index === others.length - 1
        ? subject.length - text.length - at
        : subject.slice(at, segmentEnd + text.length).indexOf(text);
    if (skipped < 0 || at + skipped > segmentEnd) return null;
    at += skipped + text.length;
  }
  return isLast && at < subject.length ? null : at;
}
