import { createHash } from 'node:crypto';
import { extensionOf, isTextual, typeOfExtension, typeOfMimeType } from '@citewell/documents/file-extensions';
import type { FetchMessageObject, MessageStructureObject } from 'imapflow';
import { pathNameOf } from '../path-names.js';
import type { SkippedDocument, SourceDocument } from '../source.js';

const MAX_ID_CHARACTERS = 1_024;
/** Attachments of one message that become documents. */
const MAX_ATTACHMENTS = 100;
const ID = /^(.*)\/([\w-]{22})(?:\/([\d.]+))?$/s;

/** What `FETCH` is asked for to describe a message. */
export const DESCRIPTION = {
  uid: true,
  envelope: true,
  bodyStructure: true,
  size: true,
  internalDate: true,
} as const;

/** Where a message, or a part of it, is: the id of its document. */
export interface MailLocation {
  /** Path of the folder, as the server has it. */
  readonly folder: string;
  readonly key: string;
  /** Number of the part (RFC 9051, section 6.4.5.1); absent for the message. */
  readonly part?: string;
}

export function parseId(id: string): MailLocation | null {
  const [, folder, key, part] = ID.exec(id) ?? [];
  if (folder === undefined || key === undefined) return null;
  return { folder, key, ...(part !== undefined && { part }) };
}

/**
 * Identifies a message by what does not change when a server numbers its messages anew, or when a message is copied:
 * Message-ID, date, sender, subject and size. Several messages may have the same Message-ID.
 */
export function keyOf({ envelope, size }: FetchMessageObject): string {
  const from = envelope?.from?.map(({ address }) => address ?? '') ?? [];
  const date = isDate(envelope?.date) ? envelope.date.toISOString() : '';
  const fields = [envelope?.messageId ?? '', date, ...from, envelope?.subject ?? '', size ?? 0];
  return createHash('sha256').update(JSON.stringify(fields)).digest('base64url').slice(0, 22);
}

/** The documents of a message: itself, and its attachments that are files with text of their own. */
export function documentsOf(
  message: FetchMessageObject,
  folder: { readonly path: string; readonly names: readonly string[] },
): (SourceDocument | SkippedDocument)[] {
  const key = keyOf(message);
  const id = `${folder.path}/${key}`;
  const { envelope, internalDate, size } = message;
  const sent = [envelope?.date, internalDate].map((date) => new Date(date ?? Number.NaN)).find(isDate);
  const day = sent?.toISOString().slice(0, 10) ?? '';
  // The key makes the path unique.
  const title = [day, pathNameOf(envelope?.subject ?? ''), key.slice(0, 8)]
    .filter((part) => part !== '')
    .join(' ');
  const path = [...folder.names.map((name) => pathNameOf(name) || '_'), title].join('/');
  if (id.length > MAX_ID_CHARACTERS - 50)
    return [
      {
        id: id.slice(-MAX_ID_CHARACTERS),
        path: `${path}.eml`,
        reason: 'The path of its folder is too long.',
      },
    ];
  const common = { modifiedAt: sent ?? null, access: 'library' } as const;
  const attachments = message.bodyStructure === undefined ? [] : [...attachmentsOf(message.bodyStructure)];
  const listed: (SourceDocument | SkippedDocument)[] = [
    { id, path: `${path}.eml`, version: key, bytes: size ?? null, ...common },
    ...attachments.slice(0, MAX_ATTACHMENTS).map(({ part, name }) => ({
      id: `${id}/${part}`,
      path: `${path}/${part} ${pathNameOf(name)}`.trimEnd(),
      version: `${key}/${part}`,
      // What the server tells is the size in base64.
      bytes: null,
      ...common,
    })),
  ];
  if (attachments.length > MAX_ATTACHMENTS)
    listed.push({
      id: `${id}/${attachments[MAX_ATTACHMENTS]?.part}`,
      path: `${path}/more`,
      reason: `It has ${attachments.length} attachments. The first ${MAX_ATTACHMENTS} are read.`,
    });
  return listed;
}

interface Attachment {
  readonly part: string;
  readonly name: string;
}

/** Attachments that the document of the message does not have: it has those of plain text, and attached messages. */
function* attachmentsOf(node: MessageStructureObject, isRelated = false): Generator<Attachment> {
  for (const [index, child] of (node.childNodes ?? []).entries())
    // Behind its first part, this one has the pictures of a page.
    yield* attachmentsOf(child, isRelated || (node.type === 'multipart/related' && index > 0));
  if (node.childNodes !== undefined && node.childNodes.length > 0) return;
  const name = node.dispositionParameters?.['filename'] ?? node.parameters?.['name'] ?? '';
  const type = typeOfExtension(extensionOf(name)) ?? typeOfMimeType(node.type);
  if (type === null || isTextual(type)) return;
  if (isRelated && node.id !== undefined) return;
  yield { part: node.part ?? '1', name };
}

function isDate(date: unknown): date is Date {
  return date instanceof Date && !Number.isNaN(date.getTime());
}
