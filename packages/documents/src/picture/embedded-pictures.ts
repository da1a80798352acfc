import { createHash } from 'node:crypto';
import type { Document } from '../document/document.js';
import type { DocumentBuilder, PictureReader, PictureSource } from '../document/document-builder.js';
import { DocumentError } from '../document/document-error.js';
import { pictureSize } from './picture-size.js';

/** More pictures of a document are not recognized. Each takes about a second. */
const MAX_PICTURES = 100;
const MAX_PICTURE_BYTES = 32 * 1024 * 1024;
/** Of all pictures that are looked at. */
const MAX_TOTAL_BYTES = 128 * 1024 * 1024;
/** Twenty letters that a person can read take so many pixels: icons and lines are smaller. */
const MIN_SIDE = 12;
const MIN_PIXELS = 8_000;
/** More pixels do not fit into the memory of the recognition. */
const MAX_PIXELS = 60_000_000;

/** The pictures in a document that may show text: each once, in the order of the document, from 1. */
export class EmbeddedPictures implements PictureReader {
  /** Pictures to recognize, when there is no text of them yet. */
  readonly pending = new Map<number, Uint8Array>();
  private readonly seen = new Set<string>();
  private count = 0;
  private bytes = 0;
  private left = 0;
  private failed = 0;

  /** @param recognized the text of pictures by number, null for one without; undefined before recognition */
  constructor(private readonly recognized: ReadonlyMap<number, Document | null> | undefined) {}

  read({ size, bytes, description = '' }: PictureSource): Document | null {
    const file = size > MAX_PICTURE_BYTES || this.bytes + size > MAX_TOTAL_BYTES ? undefined : bytesOf(bytes);
    if (file === undefined) this.left += 1;
    if (file === undefined || file === null) return null;
    this.bytes += file.byteLength;
    if (!mayShowText(file)) return null;
    const hash = createHash('sha256').update(file).digest('base64');
    if (this.seen.has(hash)) return null;
    this.seen.add(hash);
    if (this.count >= MAX_PICTURES) {
      this.left += 1;
      return null;
    }
    this.count += 1;
    if (this.recognized === undefined) {
      this.pending.set(this.count, file);
      return null;
    }
    const text = this.recognized.get(this.count);
    if (text === undefined) this.failed += 1;
    // The description of a picture is part of the document where it is shown.
    return text == null || lettersOf(description).includes(lettersOf(text.text)) ? null : text;
  }

  /** Adds warnings about pictures that were not recognized. */
  finish(builder: DocumentBuilder): void {
    if (this.pending.size > 0) builder.setMetadata('unrecognizedPages', 'pictures');
    if (this.recognized === undefined) return;
    if (this.left > 0)
      builder.warn(
        'PARTLY_READ',
        `The text in ${counted(this.left)} was not recognized: a document has at most ${MAX_PICTURES} pictures whose text is. Upload the others as files.`,
      );
    if (this.failed > 0)
      builder.warn('PARTLY_READ', `Text recognition (OCR) failed on ${counted(this.failed)} of the file.`);
  }
}

/** @returns null for a file that cannot be unpacked */
function bytesOf(read: () => Uint8Array | null): Uint8Array | null {
  try {
    return read();
  } catch (error) {
    if (error instanceof DocumentError) return null;
    throw error;
  }
}

function mayShowText(file: Uint8Array): boolean {
  const size = pictureSize(file);
  if (size === null) return false;
  const { width, height } = size;
  const pixels = width * height;
  return (
    Math.min(width, height) >= MIN_SIDE &&
    pixels >= MIN_PIXELS &&
    (pixels <= MAX_PIXELS || pixels === Infinity)
  );
}

function counted(pictures: number): string {
  return pictures === 1 ? 'one picture' : `${pictures.toLocaleString('en')} pictures`;
}

function lettersOf(text: string): string {
  return text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '');
}
