import type { ExportKind } from '@citewell/contracts/schemas';
import type { ArchiveFile } from '../archive/archive-files.js';
import type { ByteSource } from '../archive/zip-directory.js';
import { inflateZipEntry } from '../archive/zip-entries.js';
import { DocumentError } from '../document/document-error.js';
import type { FileType } from '../file-type/file-type.js';

/** Larger texts are neither searched for links nor converted. */
const MAX_TEXT_BYTES = 4 * 1024 * 1024;

/** A file and the archive that contains it. */
export interface PlacedFile extends ArchiveFile {
  readonly source: ByteSource;
}

/** A document of an export. */
export interface ExportDocument {
  readonly file: PlacedFile;
  /** Its path without what changes from export to export, such as the folder around all files. */
  readonly id: string;
  /** What people call it, such as the title of a page. */
  readonly name: string;
  /** The names of what it belongs to, with slashes between them; `''` at the top. */
  readonly folder: string;
  /** The files that it links to. */
  readonly links: readonly PlacedFile[];
  /** What the document says of itself in fields, such as its tags. */
  readonly properties?: Readonly<Record<string, unknown>>;
  /** The text in place of the file's bytes; null if these cannot be converted. */
  readonly text?: { readonly type: FileType; read(): Promise<string | null> };
}

/** What an export consists of. */
export interface ExportContents {
  readonly kind: ExportKind;
  readonly documents: readonly ExportDocument[];
  /** A sentence for the user about what was left out; null for nothing. */
  readonly note: string | null;
}

/** The files of an archive that may be an export. */
export class ExportArchive {
  private readonly byPath: ReadonlyMap<string, PlacedFile>;
  private readonly allNames: ReadonlySet<string>;

  /**
   * @param names of all entries, hidden ones too
   * @param signal ends all reading
   */
  constructor(
    readonly files: readonly PlacedFile[],
    readonly names: readonly string[],
    private readonly signal: AbortSignal,
  ) {
    this.byPath = new Map(files.map((file) => [file.path, file]));
    this.allNames = new Set(names);
  }

  at(path: string): PlacedFile | undefined {
    return this.byPath.get(path);
  }

  /** Whether there is a file with this path, or an empty one. */
  has(path: string): boolean {
    return this.byPath.has(path) || this.allNames.has(path);
  }

  /** The file with a path that is relative to the folder of another file, without `?` and `#`. */
  relativeTo({ path }: PlacedFile, reference: string): PlacedFile | undefined {
    const parts = folderOf(path).split('/');
    for (const part of reference.split('/')) {
      if (part === '..') parts.pop();
      else if (part !== '.') parts.push(part);
    }
    return this.at(parts.filter((part) => part !== '').join('/'));
  }

  /**
   * The text of a file, or its beginning.
   *
   * @returns null for a damaged file, for one that is not UTF-8, and for one that is larger than {@link MAX_TEXT_BYTES}
   */
  async text({ source, entry }: PlacedFile, maxBytes = MAX_TEXT_BYTES): Promise<string | null> {
    if (entry.inflatedBytes > maxBytes && maxBytes === MAX_TEXT_BYTES) return null;
    const pieces: Buffer[] = [];
    let length = 0;
    try {
      for await (const piece of inflateZipEntry(source, entry)) {
        this.signal.throwIfAborted();
        pieces.push(piece);
        length += piece.length;
        if (length >= maxBytes) break;
      }
    } catch (error) {
      if (error instanceof DocumentError) return null;
      throw error;
    }
    const bytes = Buffer.concat(pieces);
    try {
      return new TextDecoder('utf-8', { fatal: true }).decode(bytes.subarray(0, maxBytes), {
        // The limit may divide a character.
        stream: bytes.length >= maxBytes,
      });
    } catch {
      return null;
    }
  }

  /** The value of a file of JSON; null if it cannot be read, or is larger than `maxBytes`. */
  async json(file: PlacedFile, maxBytes = MAX_TEXT_BYTES): Promise<unknown> {
    const text = file.entry.inflatedBytes > maxBytes ? null : await this.text(file, maxBytes);
    try {
      return text === null ? null : JSON.parse(text);
    } catch {
      return null;
    }
  }
}

/** The folder that holds an export, if all files are in it; else the top of the archive. */
export function commonFolder({ files }: ExportArchive, folder: string): string {
  return files.every(({ path }) => path.startsWith(folder)) ? folder : '';
}

/** A file that stays as it is, below the folder that holds the export. */
export function plainDocument(file: PlacedFile, root: string): ExportDocument {
  const path = file.path.slice(root.length);
  return { file, id: path, name: baseName(path), folder: folderOf(path).slice(0, -1), links: [] };
}

/** The folder of a path, with a slash at its end; `''` at the top. */
export function folderOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/') + 1);
}

export function baseName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/** A path without the extension of its last part. */
export function withoutExtension(path: string): string {
  const dot = path.lastIndexOf('.');
  return dot > path.lastIndexOf('/') + 1 ? path.slice(0, dot) : path;
}

/** A reference of a link without `?` and `#`, and without escapes; null for an address. */
export function referenceOf(href: string): string | null {
  if (/^(?:[a-z][a-z\d+.-]*:|\/\/)/i.test(href)) return null;
  return unescaped(href.split(/[?#]/, 1)[0] ?? '');
}

/** Without escapes such as `%20`. Wrong ones stay. */
export function unescaped(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** The addresses of the links and pictures of a text in Markdown. */
export function* markdownLinks(markdown: string): Generator<string> {
  for (const [, pointed, plain] of markdown.matchAll(
    /\]\((?:<([^<>\n]*)>|([^()\s]*(?:\([^()\s]*\)[^()\s]*)*))/g,
  )) {
    const href = pointed ?? plain ?? '';
    if (href !== '') yield href;
  }
}

/** Letters and digits in one case, to compare titles with the names that programs make of them. */
export function comparable(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, '');
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A text that is not empty; undefined for anything else. */
export function textIn(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value : undefined;
}
