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
    const subject = `/${path.normalize().toLowerCase()}`;
    const matches = (glob: Glob): boolean => glob.matches(subject);
    return !this.exclude.some(matches) && (this.include.length === 0 || this.include.some(matches));
  }
}

function globOf(pattern: string): Glob {
  const isAnchored = pattern.startsWith('/') || pattern.startsWith('**');
  return new Glob((isAnchored ? pattern : `**/${pattern}`).normalize().toLowerCase());
}
