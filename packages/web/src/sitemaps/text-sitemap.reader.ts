import { MAX_ENTRY_URL_LENGTH, type SitemapEntry, toEntry } from './sitemap-entry.js';
import type { SitemapReader } from './sitemap-reader.js';

/** Reads one absolute URL per line. Other lines, such as comments with `#`, are ignored. */
export class TextSitemapReader implements SitemapReader {
  readonly isStopped = false;
  private line = '';

  write(text: string): SitemapEntry[] {
    const lines = (this.line + text).split(/[\r\n]/);
    // One character more than allowed makes the line too long.
    this.line = (lines.pop() ?? '').slice(0, MAX_ENTRY_URL_LENGTH + 1);
    return lines.flatMap(entryOf);
  }

  end(): SitemapEntry[] {
    return entryOf(this.line);
  }
}

function entryOf(line: string): SitemapEntry[] {
  // Without a base, relative URLs are invalid: a relative one could be any text.
  const entry = toEntry(line, 'about:blank', 'page');
  return entry === null ? [] : [entry];
}
