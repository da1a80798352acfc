import PostalMime, { type Address, type Email } from 'postal-mime';
import { singleLine } from '../document/canonical-text.js';
import { DocumentError } from '../document/document-error.js';
import type { DocumentParser } from '../document-parser.js';
import { addHtml } from '../html/add-html.js';
import { addPlainText } from '../plain-text/plain-text.parser.js';

/** A file without any of these is no message. */
const KNOWN_HEADERS: ReadonlySet<string> = new Set(
  'content-type date from message-id mime-version received subject to'.split(' '),
);

/**
 * Reads messages (RFC 5322, MIME): the main header fields, the body as plain text or else as HTML, forwarded
 * messages, and the names of attachments.
 */
export const emlParser: DocumentParser = {
  async parse({ bytes }, builder) {
    const mail = await readMail(bytes);
    const { subject, from, date, text = '', html = '' } = mail;
    builder
      .setTitle(subject)
      .setMetadata('author', from && addressText(from))
      .setMetadata('published_at', date)
      .block('paragraph', headerLines(mail).join('\n'));
    if (text.trim() === '') addHtml(html, builder);
    else addPlainText(text, builder);
    builder.leaveHeadings().block('paragraph', attachmentLines(mail).join('\n'));
  },
};

async function readMail(bytes: Uint8Array<ArrayBuffer>): Promise<Email> {
  let mail: Email;
  try {
    mail = await PostalMime.parse(bytes);
  } catch (error) {
    // PostalMime throws only when a limit is exceeded.
    throw new DocumentError('TOO_COMPLEX', error instanceof Error ? error.message : String(error), {
      cause: error,
      userMessage:
        'The message has more than 2 MB of header fields, or parts that are nested deeper than 256 levels. Save its text as another file type and upload that.',
    });
  }
  if (mail.headers.some(({ key }) => KNOWN_HEADERS.has(key))) return mail;
  throw new DocumentError('CORRUPT_FILE', 'no header of a message', {
    userMessage:
      'The file is not an e-mail: it has no header fields such as From or Subject. Save the message again as .eml and upload the new file.',
  });
}

function headerLines({ from, to = [], cc = [], subject = '', headers }: Email): string[] {
  const fields: readonly (readonly [name: string, value: string])[] = [
    ['From', from === undefined ? '' : addressText(from)],
    ['To', to.map(addressText).join(', ')],
    ['Cc', cc.map(addressText).join(', ')],
    ['Date', headers.find(({ key }) => key === 'date')?.value ?? ''],
    ['Subject', subject],
  ];
  // Encoded words may contain line breaks, which would look like further fields.
  return fields
    .map(([name, value]) => [name, singleLine(value)] as const)
    .filter(([, value]) => value !== '')
    .map(([name, value]) => `${name}: ${value}`);
}

function addressText({ name, address, group }: Address): string {
  if (group !== undefined) return `${name}: ${group.map(addressText).join(', ')};`;
  return name === '' ? address : `${name} <${address}>`;
}

/** Pictures within an HTML body are not listed. */
function attachmentLines({ attachments }: Email): string[] {
  return attachments
    .filter(({ related }) => related !== true)
    .map(({ filename, mimeType }) => `Attachment: ${singleLine(filename ?? mimeType)}`);
}
