const MAX_NAME_LENGTH = 255;
const MAX_METADATA_TEXT = 500;
const MAX_METADATA_LENGTH = 4_000;

/** What another product has of a document. Files and texts are read when it is its turn. */
export type Content =
  | { readonly kind: 'file'; readonly path: string; readonly encoding?: string }
  /** `saveAs` writes the file to a path, and resolves with its media type, or an empty text. */
  | { readonly kind: 'download'; saveAs(path: string): Promise<string> }
  /** `isOriginal`: there never was a file. */
  | { readonly kind: 'text'; readonly isOriginal?: true; read(): Promise<string> }
  | {
      readonly kind: 'web';
      readonly type: 'web_page' | 'web_site';
      readonly config: Record<string, unknown>;
    };

/** A document of another product. */
export interface FoundDocument {
  /** Name of the datastore that it comes to. */
  readonly library: string;
  readonly name: string;
  /** Finds it again when the import is repeated. */
  readonly customId: string;
  readonly metadata: Record<string, unknown>;
  /** What there is, best first: the next one is taken if one cannot be read. */
  readonly contents: readonly Content[];
}

/** Something that does not come, with the reason as a sentence. */
export interface LeftOut {
  readonly library: string;
  readonly name: string;
  readonly reason: string;
}

export type Found = FoundDocument | LeftOut;

/** A name that the service accepts: one line with at most 255 characters, of which the end is kept. */
export function cleanName(name: unknown): string {
  const line = (typeof name === 'string' ? name : '')
    .toWellFormed()
    .replace(/\p{Cc}+/gu, ' ')
    .trim();
  if (line === '') return 'Untitled';
  return line.length <= MAX_NAME_LENGTH ? line : `…${line.slice(1 - MAX_NAME_LENGTH)}`.toWellFormed();
}

/** Only fields with a value, and no long texts: the service limits metadata. */
export function cleanMetadata(fields: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const entries = Object.entries(fields).flatMap(([key, value]): [string, unknown][] => {
    if (value === undefined || value === null || value === '') return [];
    if (typeof value !== 'string') return [[key, value]];
    return [[key, value.slice(0, MAX_METADATA_TEXT).toWellFormed().replaceAll('\0', '')]];
  });
  let length = 0;
  return Object.fromEntries(
    entries.filter((entry) => (length += JSON.stringify(entry).length) <= MAX_METADATA_LENGTH),
  );
}

/** A date of another product: seconds, milliseconds or nanoseconds since 1970, or a text. Undefined if it is none. */
export function toInstant(value: unknown): string | undefined {
  const number = Number(value);
  const ms = Number.isNaN(number)
    ? Date.parse(String(value))
    : number > 1e17
      ? number / 1e6
      : number > 1e11
        ? number
        : number * 1_000;
  const date = new Date(ms);
  return value === null || value === undefined || value === '' || Number.isNaN(date.getTime())
    ? undefined
    : date.toISOString();
}

/** A JSON object in a column, or in an answer; empty for anything else. */
export function toObject(value: unknown): Record<string, unknown> {
  try {
    const parsed: unknown = typeof value === 'string' ? JSON.parse(value) : value;
    return typeof parsed === 'object' && parsed !== null ? (parsed as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

export function toList(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

/** A text or number in a column, or in an answer; empty for anything else. */
export function toText(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}
