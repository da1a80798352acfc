import { openConfluenceExport } from './confluence-export.js';
import type { ExportArchive, ExportContents } from './export-archive.js';
import { openNotionExport } from './notion-export.js';
import { openObsidianVault } from './obsidian-export.js';
import { openSlackExport } from './slack-export.js';
import { openTakeout } from './takeout-export.js';

/** The most specific evidence first: notes of Notion may also have links in brackets. */
const KINDS = [openSlackExport, openNotionExport, openConfluenceExport, openTakeout, openObsidianVault];

/**
 * Recognizes an export of another program by the structure and the content of an archive. Files are read one after the
 * other, at most 4 MB of each, in this process.
 *
 * @returns null for any other archive
 */
export async function openExport(archive: ExportArchive): Promise<ExportContents | null> {
  for (const open of KINDS) {
    const contents = await open(archive);
    if (contents !== null) return contents;
  }
  return null;
}
