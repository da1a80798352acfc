import type { SourceConfig } from '@citewell/contracts/schemas';
import { Glob } from '@citewell/web/glob';

/**
 * Which documents of a source are wanted, by their paths. A pattern without a `/` at its beginning is compared with the
 * end of the path, starting after any `/`: `*.pdf`, `drafts/**`. Capital and small letters are the same.
 */
export class PathFilter {
  private readonly include: readonly Glob[];
  private readonly exclude: readonly Glob[];

  constructor({ include = [], exclude = [] }: Pick<SourceConfig, 'include' | 'exclude'>) {
    this.include = include.map(globOf);
    this.exclude = exclude.map(globOf);
  }

  isWanted(path: string): boolean {
    return this.mayContain(path) && (this.include.length === 0 || isMatched(path, this.include));
  }

  /** Whether documents in a folder may be wanted. A pattern such as `*.pdf` does not match the folder of such files. */
  mayContain(folder: string): boolean {
    return !isMatched(folder, this.exclude);
  }
}

function isMatched(path: string, globs: readonly Glob[]): boolean {
  const subject = `/${path.normalize().toLowerCase()}`;
  return globs.some((glob) => glob.matches(subject));
}

function globOf(pattern: string): Glob {
  const isAnchored = pattern.startsWith('/') || pattern.startsWith('**');
  return new Glob((isAnchored ? pattern : `**/${pattern}`).normalize().toLowerCase());
}
