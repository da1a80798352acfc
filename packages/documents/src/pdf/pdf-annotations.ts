import { AnnotationIndex, type PdfLink } from './annotation-index.js';
import { objectsOf } from './pdf-objects.js';

/**
 * What a PDF's bytes tell of its annotations: the links to web and mail addresses, and which pages have others, such as
 * the fields of a form. Asking the engine for them costs half of what reading the text does. Links to other places of
 * the file are left out.
 */
export class PdfAnnotations {
  private constructor(private readonly index: AnnotationIndex | null) {}

  /** To be called before the engine takes the bytes over. Whatever they are, it does not throw. */
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
   * In the order in which the file lists them, some hundreds at the most; none of a file that is encrypted.
   *
   * @param page number of its object
   */
  linksOn(page: number): PdfLink[] {
    return this.index?.linksOf(page) ?? [];
  }

  /** Whether a page has annotations that are no links; of an encrypted file nobody knows, and each may. @param page as above */
  mayHaveOthersOn(page: number): boolean {
    return this.index?.hasOthers(page) ?? true;
  }
}

/** The strings of such a file cannot be read without its key. */
function isEncrypted(file: Buffer): boolean {
  const word = '/Encrypt';
  for (let at = file.indexOf(word); at >= 0; at = file.indexOf(word, at + 1)) {
    if (/^\/Encrypt\s*(?:\d+\s+\d+\s+R|<<)/.test(file.toString('latin1', at, at + 64))) return true;
  }
  return false;
}
