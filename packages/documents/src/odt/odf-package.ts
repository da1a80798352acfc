import { ZipArchive } from '../archive/zip-archive.js';
import type { DocumentBuilder } from '../document/document-builder.js';
import { DocumentError } from '../document/document-error.js';
import type { OfficePackage } from '../office/office-package.js';
import { childText, descendant, descendants, readXmlTree } from '../xml/xml-tree.js';

/** The part with the content of an OpenDocument file. */
export const CONTENT = 'content.xml';

/**
 * Opens an OpenDocument file (ODF 1.3, part 2) and passes its metadata to the builder.
 *
 * @throws DocumentError PASSWORD_REQUIRED, or CORRUPT_FILE without content
 */
export function openPackage(
  bytes: Uint8Array,
  container: OfficePackage | undefined,
  builder: DocumentBuilder,
): ZipArchive {
  const archive = new ZipArchive(bytes, container?.archive);
  rejectEncrypted(archive);
  if (!archive.has(CONTENT)) throw new DocumentError('CORRUPT_FILE', `the part ${CONTENT} is missing`);
  addMetadata(archive, builder);
  return archive;
}

/** The manifest has the keys of encrypted parts (ODF 1.3, part 2, 4.4). */
function rejectEncrypted(archive: ZipArchive): void {
  const manifest = archive.readText('META-INF/manifest.xml');
  if (manifest === null) return;
  for (const entry of descendants(readXmlTree(manifest, 'manifest'), 'file-entry')) {
    if (descendant(entry, 'encryption-data') === undefined) continue;
    throw new DocumentError('PASSWORD_REQUIRED', `${entry.attributes['full-path']} is encrypted`);
  }
}

function addMetadata(archive: ZipArchive, builder: DocumentBuilder): void {
  const text = archive.readText('meta.xml');
  const meta = text === null ? undefined : descendant(readXmlTree(text, 'document-meta'), 'meta');
  const value = (name: string): string | undefined => childText(meta, name);
  builder
    .setTitle(value('title'))
    .setLanguage(value('language'))
    .setMetadata('author', value('initial-creator') ?? value('creator'))
    .setMetadata('subject', value('subject'))
    .setMetadata('keywords', value('keyword'))
    .setMetadata('created', value('creation-date'))
    .setMetadata('modified', value('date'));
}
