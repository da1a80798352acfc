import { type ExportArchive, type ExportContents, plainDocument } from './export-archive.js';

const ROOT = 'Takeout/';
const INDEX = 'archive_browser.html';
const HEAD_BYTES = 64 * 1024;
/** Fields that Gmail adds to the messages that it exports. */
const GMAIL_FIELD = /^X-(?:GM-THRID|Gmail-Labels):/im;

/** Recognizes an archive of Google Takeout: one folder with an index of its products, or with mail of Gmail. */
export async function openTakeout(archive: ExportArchive): Promise<ExportContents | null> {
  const { files } = archive;
  if (files.length === 0 || !files.every(({ path }) => path.startsWith(ROOT))) return null;
  const mailbox = files.find(({ path }) => path.endsWith('.mbox'));
  const mail = mailbox === undefined ? null : await archive.text(mailbox, HEAD_BYTES);
  const isIndex = (path: string): boolean => path === `${ROOT}${INDEX}`;
  if (!files.some(({ path }) => isIndex(path)) && !GMAIL_FIELD.test(mail ?? '')) return null;
  const documents = files.filter(({ path }) => !isIndex(path)).map((file) => plainDocument(file, ROOT));
  return { kind: 'takeout', documents, note: null };
}
