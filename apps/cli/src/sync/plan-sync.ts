import { isUnlikely } from '@citewell/sources/removal-check';

/** A file of the folder. */
export interface LocalFile {
  /** Path in the folder: names separated by `/`, composed (NFC). */
  readonly path: string;
  readonly customId: string;
  readonly sha256: string;
}

/** A document of the library that a sync of this folder has made. */
export interface SyncedDocument {
  readonly id: string;
  readonly name: string;
  readonly customId: string;
  /** Undefined if the server does not tell it. */
  readonly sha256?: string | null;
}

/** What is in the folder besides the files, by custom id. */
export interface Kept {
  /** Something is there that cannot be read now: its document stays. */
  isKept(document: SyncedDocument): boolean;
  /** The person leaves it out, so the safety check does not count it, unless nothing is left. */
  isLeftOut(document: SyncedDocument): boolean;
}

export interface SyncPlan<File extends LocalFile = LocalFile> {
  readonly unchanged: number;
  /** Documents that stay although their files are not listed. */
  readonly kept: number;
  /** New files with the bytes of a document whose file is gone. The document keeps its id and its vectors. */
  readonly moves: readonly { readonly document: SyncedDocument; readonly file: File }[];
  readonly uploads: readonly File[];
  /** Documents whose files are gone. */
  readonly removals: readonly SyncedDocument[];
  /** How many documents are gone, if so many that an outage of the folder is more likely; else null. */
  readonly suspicious: { readonly gone: number; readonly total: number } | null;
}

/** Compares a folder with the documents of earlier syncs. @param files with different custom ids */
export function planSync<File extends LocalFile>(
  files: readonly File[],
  documents: readonly SyncedDocument[],
  { isKept, isLeftOut }: Kept,
): SyncPlan<File> {
  const byId = new Map(files.map((file) => [file.customId, file]));
  const placed = new Map<string, SyncedDocument>();
  const missing: SyncedDocument[] = [];
  const again: SyncedDocument[] = [];
  let kept = 0;
  for (const document of documents) {
    if (placed.has(document.customId)) again.push(document);
    else if (byId.has(document.customId)) placed.set(document.customId, document);
    else if (isKept(document)) kept += 1;
    else missing.push(document);
  }
  const movable = Map.groupBy(missing, ({ sha256 }) => sha256 ?? '');
  const moves: { document: SyncedDocument; file: File }[] = [];
  const uploads: File[] = [];
  let unchanged = 0;
  for (const file of files) {
    const there = placed.get(file.customId);
    if (there !== undefined) {
      if (there.sha256 === file.sha256) unchanged += 1;
      else uploads.push(file);
      continue;
    }
    const document = movable.get(file.sha256)?.shift();
    if (document) moves.push({ document, file });
    else uploads.push(file);
  }
  const moved = new Set(moves.map(({ document }) => document));
  const removals = missing.filter((document) => !moved.has(document));
  const leftOut = removals.filter(isLeftOut).length;
  const isAll = removals.length > 0 && removals.length === documents.length - again.length;
  // With a mistake in a pattern, everything is left out.
  const gone = isAll ? removals.length : removals.length - leftOut;
  const total = isAll ? removals.length : documents.length - again.length - leftOut;
  return {
    unchanged,
    kept,
    moves,
    uploads,
    // Two syncs at the same time may have made two documents of one file.
    removals: [...removals, ...again],
    suspicious: isUnlikely(gone, total) ? { gone, total } : null,
  };
}
