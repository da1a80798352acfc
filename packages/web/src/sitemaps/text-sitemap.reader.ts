import { MAX_ENTRY_URL_LENGTH, type SitemapEntry, toEntry } from './sitemap-entry.js';
import type { SitemapReader } from './sitemap-reader.js';
import type { SitemapReport } from './sitemap-summary.js';

/** Reads one absolute address a line. Empty lines, and lines that begin with `#`, are passed over. */
export class TextSitemapReader implements SitemapReader {
  readonly isStopped = false;
  private line = '';
  private found: SitemapEntry[] = [];

  constructor(private readonly report: SitemapReport) {
    report.kind = 'text';
  }

  write(text: string): void {
    const [first = '', ...others] = text.split(/[\r\n]/);
    this.line += first;
    for (const line of others) {
      this.finishLine();
      this.line = line;
    }
    // One character more than allowed is enough to know that it is too long.
    this.line = this.line.slice(0, MAX_ENTRY_URL_LENGTH + 1);
  }

  end(): void {
    this.finishLine();
  }

  take(): SitemapEntry[] {
    const taken = this.found;
    this.found = [];
    return taken;
  }

  private finishLine(): void {
    const url = this.line.trim();
    this.line = '';
    if (url === '' || url.startsWith('#')) return;
    // No base: what is relative in a text may be anything.
    const entry = toEntry({ url, lastmod: '', base: 'about:blank' }, 'page', this.report);
    if (entry) this.found.push(entry);
  }
}
