import type { Readable } from 'node:stream';

/**
 * Who may read a document, as its source says: everyone who may read the library, or these people and groups.
 * A source that has permissions and does not tell those of a document gives empty lists: nobody. People are named by their
 * e-mail, whose case does not matter.
 */
export type SourceAccess =
  'library' | { readonly people: readonly string[]; readonly groups: readonly string[] };

/** A document as its source lists it. */
export interface SourceDocument {
  /** Identifies the document in its source, also after a change of its content. At most 1,024 characters. */
  readonly id: string;
  /** Where people find it in the source: names separated by `/`, without one at the beginning. Unique in the source. */
  readonly path: string;
  /** Equal as long as the content is: a hash or an ETag where the source has one, else size and time of change. */
  readonly version: string;
  /** Null if the source does not tell it. */
  readonly bytes: number | null;
  readonly modifiedAt: Date | null;
  /** Where a person opens the document, if it has an address. */
  readonly url?: string;
  readonly access: SourceAccess;
}

/** Something that a source lists and cannot give, with the reason as a sentence for the user. */
export interface SkippedDocument {
  readonly id: string;
  readonly path: string;
  readonly reason: string;
  /** Whether it is a folder that could not be listed: what is below `path` is unknown, and not gone. */
  readonly isFolder?: boolean;
  /** Whether the source names readers of it: then nobody is told of it. Default: false. */
  readonly isRestricted?: boolean;
}

/** A group that `access` of documents names, with all of its members by e-mail. */
export interface SourceGroup {
  readonly name: string;
  readonly people: readonly string[];
}

/** A part of an inventory. */
export interface InventoryPage {
  readonly documents: readonly SourceDocument[];
  readonly skipped: readonly SkippedDocument[];
  /** A group that an inventory does not list has no members after its end. Default: none. */
  readonly groups?: readonly SourceGroup[];
  /**
   * Where the inventory goes on after this page, also in another process. Null only after the last page: it says that
   * everything was listed.
   */
  readonly cursor: string | null;
}

/** The content of a document. */
export interface FetchedDocument {
  /** The version that `content` has. It may be newer than the listed one. */
  readonly version: string;
  /** The media type of `content`, if the source knows it. Default: the name and the content of the document tell it. */
  readonly mediaType?: string;
  /**
   * The bytes, read once. It fails with a {@link SourceError} `changed` if the document was changed while it was read.
   */
  readonly content: Readable;
}

/** Notices changes of a source, until it is closed. It may notice more than there are, and may miss some. */
export interface SourceWatch {
  /** Notices changes of all that is there now. Called before the first change, and after each. */
  refresh(): Promise<void>;
  close(): void;
}

/** An opened source. All methods throw {@link SourceError}, or the reason of their signal. */
export interface Source {
  /**
   * Whether an inventory lists only recent documents, as a feed does. Then a document that is not listed any more is not
   * gone: it stays. Default: false, the inventory lists all documents.
   */
  readonly listsRecentOnly?: boolean;
  /**
   * Tests address, credentials and permissions.
   *
   * @returns what was found, as a sentence for the user
   */
  check(signal: AbortSignal): Promise<string>;
  /**
   * Lists all documents. An iteration that ends without a page whose cursor is null has failed: nobody may conclude that
   * the documents it has not listed are gone.
   *
   * @param cursor of the last page that was processed; null for the beginning
   */
  inventory(cursor: string | null, signal: AbortSignal): AsyncIterable<InventoryPage>;
  fetch(document: Pick<SourceDocument, 'id' | 'path'>, signal: AbortSignal): Promise<FetchedDocument>;
  /** Begins to notice changes. Default: the source tells none, and is synched by its schedule. */
  watch?(onChange: () => void): SourceWatch;
  /** Ends connections and processes. The source cannot be used afterwards. */
  close(): Promise<void>;
}

/**
 * Why a source cannot do something.
 *
 * - `unavailable`: it does not answer. Later it may.
 * - `limited`: it asks to wait.
 * - `denied`: address or credentials are wrong, or rights are missing. A person has to do something.
 * - `gone`: this document is not there any more.
 * - `changed`: this document was changed while it was read. Later it can be read.
 * - `unreadable`: this document cannot be read, now and later.
 */
export type SourceErrorKind = 'unavailable' | 'limited' | 'denied' | 'gone' | 'changed' | 'unreadable';

/** The message is a sentence for the user, without secrets. */
export class SourceError extends Error {
  override readonly name = 'SourceError';

  constructor(
    readonly kind: SourceErrorKind,
    message: string,
    /** `retryAfterMs`: how long the source asks to wait. */
    readonly options: { readonly cause?: unknown; readonly retryAfterMs?: number } = {},
  ) {
    super(message, { cause: options.cause });
  }
}
