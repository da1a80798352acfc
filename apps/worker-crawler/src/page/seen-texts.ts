import { sha256 } from '../page-reader/sha256.js';

/** Lines that are remembered, of all hosts. */
const MAX_LINES = 50_000;
/** Further lines of a page are not compared. */
const MAX_LINES_OF_PAGE = 500;
/** Smallest share of the characters of a text in lines that other pages have. */
const MIN_SHARED = 0.8;
/** Of a longer text, all lines: members that classes inherit are most of the text of many pages. */
const MAX_SHELL_CHARACTERS = 5_000;
/** Stands for the URLs of several pages. */
const SEVERAL = '';

/**
 * The lines of the pages that were fetched last. A page whose text without a browser consists mostly of lines of other
 * pages of its host may be the shell of an application.
 */
export class SeenTexts {
  /** The page that has a line, by host and line. */
  private readonly pages = new Map<string, string>();

  /**
   * Whether other pages of the host have most of the text. Remembers the text for the page.
   *
   * @param text in the format of the blob store
   */
  isMostlyElsewhere(url: string, text: Uint8Array): boolean {
    const { host } = new URL(url);
    let characters = 0;
    let shared = 0;
    for (const line of linesOf(text)) {
      characters += line.length;
      if (this.isElsewhere(url, sha256(`${host} ${line}`))) shared += line.length;
    }
    const minShared = characters > MAX_SHELL_CHARACTERS ? 1 : MIN_SHARED;
    return characters > 0 && shared >= characters * minShared;
  }

  private isElsewhere(url: string, key: string): boolean {
    const known = this.pages.get(key);
    if (known === undefined) {
      const [oldest] = this.pages.keys();
      if (oldest !== undefined && this.pages.size >= MAX_LINES) this.pages.delete(oldest);
      this.pages.set(key, url);
    } else if (known !== url) this.pages.set(key, SEVERAL);
    return known !== undefined && known !== url;
  }
}

/** The different lines of a text. */
function linesOf(text: Uint8Array): Set<string> {
  const lines = Buffer.from(text.buffer, text.byteOffset, text.byteLength).toString('utf16le').split('\n');
  return new Set(lines.slice(0, MAX_LINES_OF_PAGE).filter((line) => line.trim() !== ''));
}
