import type { LanguageFiles } from '@citewell/documents/recognition';

export interface RecognitionCall {
  /** Whether the file is a picture and not a PDF. */
  readonly isPicture: boolean;
  /** The files of the pictures, if these are in a document. They are recognized instead of pages. */
  readonly pictureOf?: (number: number) => string;
  readonly signal: AbortSignal;
  /** Called after each page with the number of processed pages. */
  readonly onProgress: (done: number) => void;
  /** Recognizes a page in a parser process. @returns null when the page cannot be decoded */
  readonly inSandbox: (page: number, languages: LanguageFiles) => Promise<string | null>;
}

/** The part of `TextRecognition` that the sandbox uses. */
export interface PageRecognition {
  isAvailable(): Promise<boolean>;
  recognize(
    path: string,
    pages: readonly number[],
    call: RecognitionCall,
  ): Promise<ReadonlyMap<number, string>>;
}
