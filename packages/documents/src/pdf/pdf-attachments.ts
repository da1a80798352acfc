import type { PDFDocumentProxy } from 'pdfjs-dist/legacy/build/pdf.mjs';
import type { DocumentBuilder } from '../document/document-builder.js';

const MAX_ATTACHMENTS = 100;
const MAX_NAME_CHARACTERS = 200;

/** Names the files that are attached to the file (ISO 32000-1, 7.11.4), as in e-mail. Their content is not read. */
export async function addPdfAttachments(pdf: PDFDocumentProxy, builder: DocumentBuilder): Promise<void> {
  // A damaged list of names must not make the text unreadable.
  const attachments: unknown = await pdf.getAttachments().catch(() => null);
  if (!(attachments instanceof Map)) return;
  const lines: string[] = [];
  for (const attachment of attachments.values()) {
    const name: unknown =
      typeof attachment === 'object' && attachment !== null ? Reflect.get(attachment, 'filename') : undefined;
    if (typeof name === 'string' && lines.length < MAX_ATTACHMENTS) lines.push(attachmentLine(name));
  }
  builder.leaveHeadings().block('paragraph', lines.join('\n'));
}

export function attachmentLine(name: string): string {
  return `Attachment: ${name.replace(/\s+/g, ' ').trim().slice(0, MAX_NAME_CHARACTERS)}`;
}
