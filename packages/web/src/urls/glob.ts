// A wildcard (`*`, `**` or `**/`), or a literal text without any `*`.
type Token = string;

/**
 * A pattern for paths.
 *
 * - `*` matches any characters except `/`; `**` matches any characters. All others stand for themselves.
 * - `**` between slashes also matches no folder at all, and `docs/**` also matches `docs`.
 * - The whole text must match. Case matters.
 *
 * Matching takes time proportional to pattern length times text length, whatever the pattern.
 */
export class Glob {
  private readonly tokens: readonly Token[];
  private readonly matchesFolder: boolean;

  /** @param normalize applied to the literal parts of the pattern */
  constructor(pattern: string, normalize: (literal: string) => string = (literal) => literal) {
    this.matchesFolder = pattern.endsWith('/**');
    this.tokens = (pattern.match(/(?<=^|\/)\*\*\/|\*+|[^*]+/g) ?? []).map((token) => {
      if (token.startsWith('*')) return /^\*{3,}$/.test(token) ? '**' : token;
      return normalize(token);
    });
  }

  matches(text: string): boolean {
    return this.matchesText(text) || (this.matchesFolder && this.matchesText(`${text}/`));
  }

  private matchesText(subject: string): boolean {
    let positions = new Uint8Array(subject.length + 1);
    positions[0] = 1;
    for (const token of this.tokens) positions = advance(positions, token, subject);
    return positions[subject.length] === 1;
  }
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
