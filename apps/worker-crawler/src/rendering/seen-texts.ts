import { sha256 } from '../page-reader/sha256.js';

/** Texts that are remembered, of all hosts. */
const MAX_TEXTS = 5_000;

/**
 * The texts of the pages that were fetched last. Pages of a host that have the same text without a browser may be the
 * shell of an application.
 */
export class SeenTexts {
  private readonly urls = new Map<string, string>();

  /** Whether another page of the host has the text. Remembers the text for the page. */
  isElsewhere(url: string, text: Uint8Array): boolean {
    const key = `${new URL(url).host} ${sha256(text)}`;
    const known = this.urls.get(key);
    if (known !== undefined) return known !== url;
    const [oldest] = this.urls.keys();
    if (oldest !== undefined && this.urls.size >= MAX_TEXTS) this.urls.delete(oldest);
    this.urls.set(key, url);
    return false;
  }
}
