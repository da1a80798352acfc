import type { Readable } from 'node:stream';
import type { Progress } from '@citewell/documents';
import type { FileType } from '@citewell/documents/file-type';
import type { PageStore, PictureDescriber } from './page-recognition.js';
import type { ParseRequest } from './parse-protocol.js';

export interface SandboxInput {
  /**
   * The file's bytes, or its path. A stream is always consumed or destroyed. Bytes in memory are sent to the process
   * without a copy of the file: that is faster for small files. Their pages are not recognized.
   */
  readonly source: Readable | Uint8Array | string;
  readonly fileType: FileType;
  /** For the log, and a hint for the language of its text. */
  readonly fileName: string;
  /** The encoding that the user has chosen. */
  readonly encoding?: string | undefined;
  /** The character set that the transport declared, such as the one of an HTTP header. */
  readonly declaredEncoding?: string;
}

export interface SandboxCall {
  /** Such as an organization: the holders that wait for a process take turns. Default: all calls share one. */
  readonly holder?: string;
  readonly signal?: AbortSignal;
  /** Pages, slides or sheets parsed so far. Called at most about ten times a second. */
  readonly onProgress?: (progress: Progress) => void;
  /** Keeps what is recognized, so that a later call for the same file goes on where this one ended. */
  readonly pageStore?: PageStore;
  /** Without one, pictures are not described. Only pictures that recognition has read are. */
  readonly describer?: PictureDescriber;
}

export interface TakenProcess {
  readonly holder: string;
  readonly signal: AbortSignal;
  /** Whether the folder of the process gets files. */
  readonly hasFiles: boolean;
  /** For the log. */
  pid?: number | undefined;
}

export type FileToParse = Omit<ParseRequest, 'maxCharacters' | 'recognizedPath' | 'source' | 'tablesPath'> &
  Pick<SandboxInput, 'source'>;

export interface FirstCall {
  readonly scan: string;
  readonly signal: AbortSignal;
  readonly onProgress: (progress: Progress) => void;
}

export interface RecognizedCall extends TakenProcess {
  readonly onProgress: (progress: Progress) => void;
  readonly pageStore: PageStore | undefined;
  readonly describer: PictureDescriber | undefined;
}
