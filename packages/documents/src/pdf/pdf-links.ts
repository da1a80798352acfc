import { LinkIndex, type PdfLink } from './link-index.js';
import { objectsOf } from './pdf-objects.js';

/**
 * The links of a PDF to web and mail addresses, read from its bytes: asking the engine for them costs half of what
 * reading the text does. Links to other places of the file are left out, and all of a file that is encrypted.
 */
export class PdfLinks {
  private constructor(private readonly index: LinkIndex) {}

  /** To be called before the engine takes the bytes over. Whatever they are, it does not throw. */
  static read(bytes: Uint8Array<ArrayBuffer>): PdfLinks {
    const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const index = new LinkIndex();
    const mayHaveLinks = file.includes('/URI') || file.includes('/ObjStm');
    if (mayHaveLinks && !isEncrypted(file)) {
      for (const object of objectsOf(file)) index.add(object);
      const add = index.secondPass();
      if (add !== null) for (const object of objectsOf(file)) add(object);
    }
    return new PdfLinks(index);
  }

  /** In the order in which the file lists them, some hundreds at the most. @param page number of its object */
  onPage(page: number): PdfLink[] {
    return this.index.linksOf(page);
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
