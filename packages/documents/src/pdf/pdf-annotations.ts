import { AnnotationIndex, type PdfLink } from './annotation-index.js';
import { objectsOf } from './pdf-objects.js';

/**
 * The annotations of a PDF, read directly from its bytes: links to web and mail addresses, and which pages
 * have other annotations, such as form fields. Reading them with the engine would take half as long as
 * reading the text. Links within the file and to other files are ignored.
 */
export class PdfAnnotations {
  private constructor(private readonly index: AnnotationIndex | null) {}

  /** Call this before the engine takes ownership of the bytes. Never throws. */
  static read(bytes: Uint8Array<ArrayBuffer>): PdfAnnotations {
    const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    if (isEncrypted(file)) return new PdfAnnotations(null);
    const index = new AnnotationIndex();
    if (file.includes('/Annots') || file.includes('/ObjStm')) {
      for (const object of objectsOf(file)) index.add(object);
      const add = index.secondPass();
      if (add !== null) for (const object of objectsOf(file)) add(object);
    }
    return new PdfAnnotations(index);
  }

  /**
   * The links of a page, see {@link AnnotationIndex.linksOf}. None for an encrypted file.
   *
   * @param page object number of the page
   */
  linksOn(page: number): PdfLink[] {
    return this.index?.linksOf(page) ?? [];
  }

  /**
   * Whether a page has annotations other than links. True for all pages of an encrypted file, where this is
   * unknown.
   *
   * @param page object number of the page
   */
  mayHaveNonLinksOn(page: number): boolean {
    return this.index?.hasNonLinks(page) ?? true;
  }
}

/** Whether the file is encrypted: its strings cannot be read without the key. */
function isEncrypted(file: Buffer): boolean {
  const word = '/Encrypt';
  for (let at = file.indexOf(word); at >= 0; at = file.indexOf(word, at + 1)) {
    if (/^\/Encrypt\s*(?:\d+\s+\d+\s+R|<<)/.test(file.toString('latin1', at, at + 64))) return true;
  }
  return false;
}
