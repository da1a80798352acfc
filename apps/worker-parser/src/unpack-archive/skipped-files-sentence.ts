import type { SkippedFile } from '@citewell/documents';

/** Files that the sentence names. */
const MAX_NAMED = 10;

/** A sentence for the user about the files of an archive that were skipped; null for none. */
export function skippedFilesSentence(skipped: readonly SkippedFile[]): string | null {
  if (skipped.length === 0) return null;
  const named = skipped.slice(0, MAX_NAMED).map(({ path, reason }) => `${path} (${reason})`);
  const more = skipped.length - named.length;
  const list = [...named, ...(more > 0 ? [`and ${more.toLocaleString('en')} more`] : [])].join(', ');
  return skipped.length === 1
    ? `1 file was skipped: ${list}.`
    : `${skipped.length.toLocaleString('en')} files were skipped: ${list}.`;
}
