import type { Document } from '../document/document.js';
import type { FileType } from '../file-type/file-type.js';
import { parseDocument } from '../parse-document.js';

export function parse(content: string | Uint8Array, fileType: FileType): Promise<Document> {
  return parseDocument(Uint8Array.from(typeof content === 'string' ? Buffer.from(content) : content), {
    fileType,
  });
}

/** Summarizes blocks as pairs of kind, with the level of headings, and text. */
export function outline({ blocks, text }: Document): (readonly [string, string])[] {
  return blocks.map(({ kind, level = '', start, end }) => [`${kind}${level}`, text.slice(start, end)]);
}
