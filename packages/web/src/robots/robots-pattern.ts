import { normalizePercentEncoding } from '../urls/percent-encoding.js';

/**
 * The path pattern of a rule (RFC 9309, section 2.2.3). `*` matches any characters, and a `$` at the end
 * matches the end of path and query. Everything else stands for itself. A pattern matches a prefix of the
 * target.
 */
export class RobotsPattern {
  /**
   * Octets of the pattern, with unescaped characters where possible. The longest pattern that matches
   * decides.
   */
  readonly length: number;
  private readonly pieces: readonly string[];
  private readonly isAnchored: boolean;

  /** @param source characters up to U+00FF, each of which stands for an octet */
  constructor(source: string) {
    this.isAnchored = source.endsWith('$');
    const body = this.isAnchored ? source.slice(0, -1) : source;
    this.pieces = body.split(/\*+/).map(literal);
    this.length = this.pieces.join('*').length + (this.isAnchored ? 1 : 0);
  }

  get hasWildcard(): boolean {
    return this.pieces.length > 1;
  }

  /** @param target path and query from `robotsTarget` */
  matches(target: string): boolean {
    const [first = '', ...others] = this.pieces;
    if (!target.startsWith(first)) return false;
    const last = this.isAnchored ? others.pop() : undefined;
    if (this.isAnchored && last === undefined) return target === first;
    let at = first.length;
    for (const piece of others) {
      // The earliest match leaves the most for the pieces that follow.
      const found = target.indexOf(piece, at);
      if (found < 0) return false;
      at = found + piece.length;
    }
    return last === undefined || (target.length - last.length >= at && target.endsWith(last));
  }
}

/**
 * The part of a URL that patterns are compared with: path and query, in the same spelling as the patterns.
 */
export function robotsTarget(url: URL): string {
  return literal(url.pathname + url.search);
}

/** A text in which `*` and `$` are escaped, so that they are not wildcards. */
function literal(text: string): string {
  const escaped = text.replace(/[\u0080-\u00ff]/g, (octet) => `%${octet.charCodeAt(0).toString(16)}`);
  return normalizePercentEncoding(escaped).replaceAll('*', '%2A').replaceAll('$', '%24');
}
