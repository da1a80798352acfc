import { normalizePercentEncoding } from '../urls/percent-encoding.js';

/** One `Allow` or `Disallow` line. */
export interface RobotsRule {
  readonly allows: boolean;
  readonly pattern: RobotsPattern;
  /** In the file, from 1. */
  readonly line: number;
}

/**
 * A rule's pattern, ready to be compared (RFC 9309, section 2.2.3): `*` is any run of characters, a `$` at the end is
 * the end of path and query, anything else stands for itself, and whatever follows the pattern is covered too.
 */
export class RobotsPattern {
  /** How specific the pattern is: the longest one that fits decides. In octets, the escapes being settled. */
  readonly length: number;
  private readonly pieces: readonly string[];
  private readonly isAnchored: boolean;

  /** @param source of characters up to U+00FF, each standing for an octet */
  constructor(private readonly source: string) {
    this.isAnchored = source.endsWith('$');
    const body = this.isAnchored ? source.slice(0, -1) : source;
    this.pieces = body.split(/\*+/).map(literal);
    this.length = this.pieces.join('*').length + (this.isAnchored ? 1 : 0);
  }

  /** @param target path and query as from `robotsTarget` */
  matches(target: string): boolean {
    const [first = '', ...others] = this.pieces;
    if (!target.startsWith(first)) return false;
    const last = this.isAnchored ? others.pop() : undefined;
    if (this.isAnchored && last === undefined) return target === first;
    let at = first.length;
    for (const piece of others) {
      // The earliest place leaves the most room for what follows.
      const found = target.indexOf(piece, at);
      if (found < 0) return false;
      at = found + piece.length;
    }
    return last === undefined || (target.length - last.length >= at && target.endsWith(last));
  }

  /** As it is written in the file. */
  toString(): string {
    return Buffer.from(this.source, 'latin1').toString();
  }
}

/** What patterns are compared with: path and query, in the spelling that patterns have too. */
export function robotsTarget(url: URL): string {
  return literal(url.pathname + url.search);
}

/** `*` and `$` mean themselves here; escaped, as a pattern has to write them, they cannot be taken for wildcards. */
function literal(text: string): string {
  const escaped = text.replace(/[\u0080-\u00ff]/g, (octet) => `%${octet.charCodeAt(0).toString(16)}`);
  return normalizePercentEncoding(escaped).replaceAll('*', '%2A').replaceAll('$', '%24');
}
