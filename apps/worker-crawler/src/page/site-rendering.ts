import { hash } from 'node:crypto';
import type { RenderingReason } from '@citewell/documents/web-page';
import { Slots } from '@citewell/ingestion';
import type { HtmlPage, PageResponse } from './page-loader.js';

/** Rendered pages of a group that decide for its other pages, and how many of them must have gained text. */
const TRIALS = 3;
const MIN_GAINS = 2;
/** As many trials for one reason decide for groups that are not decided: at least a third must have gained text. */
const MAX_TRIALS_FOR_REASON = 30;
const MIN_GAINS_FOR_REASON = 1 / 3;
/** More groups than this are forgotten, and decided again. */
const MAX_GROUPS = 1_000;
/** Letters that rendering adds to a page, as a share of the letters that the page has without it. */
const MIN_GAIN = 0.2;
/** A shell shows its text on early pages. */
const MAX_REMEMBERED_TEXTS = 10_000;

interface OpenOptions {
  /** Whether the crawl follows the links of the page. */
  readonly hasFollowedLinks: boolean;
  readonly signal: AbortSignal;
}

export type SiteRenderingReason = RenderingReason | 'repeated-text';

/**
 * What a crawl has learned about rendering the pages of its site. In memory: in another process, it begins anew.
 *
 * @param maxOpenMs how long pages of the crawl may be open in the browser, added up
 */
export class SiteRendering {
  private readonly groups = new Map<string, PageGroup>();
  private readonly tallies = new Map<SiteRenderingReason, Tally>();
  /** The page that had a text first, by the text's hash. */
  private readonly owners = new Map<string, string>();
  private openMs = 0;
  private hasRefused = false;

  constructor(private readonly maxOpenMs = Infinity) {}

  /** Why a page may need a browser: by itself, or because another page has its text. Null if it does not. */
  reasonFor({ page: { document, facts } }: HtmlPage, url: string): SiteRenderingReason | null {
    if (facts.needsRendering !== null) return facts.needsRendering;
    if (document === null || facts.scripts.length === 0) return null;
    const owner = this.owners.get(document.textHash) ?? url;
    if (this.owners.size < MAX_REMEMBERED_TEXTS) this.owners.set(document.textHash, owner);
    return owner === url ? null : 'repeated-text';
  }

  /** Pages that may need a browser for the same reason and have the same scripts. */
  groupOf(reason: SiteRenderingReason, { page: { facts } }: HtmlPage): PageGroup {
    const key = hash('sha256', [reason, ...new Set(facts.scripts)].toSorted().join('\n'));
    const known = this.groups.get(key);
    if (known !== undefined) return known;
    if (this.groups.size >= MAX_GROUPS) this.groups.clear();
    const tally = this.tallies.get(reason) ?? { trials: 0, gains: 0 };
    this.tallies.set(reason, tally);
    const group = new PageGroup(tally);
    this.groups.set(key, group);
    return group;
  }

  /** Counts the time that a page was open in the browser. */
  spend(milliseconds: number): void {
    this.openMs += milliseconds;
  }

  /** Whether no page is rendered any more. The user then reads {@link limit}. */
  refuses(): boolean {
    const isOver = this.openMs >= this.maxOpenMs;
    this.hasRefused ||= isOver;
    return isOver;
  }

  /** Why pages were not rendered, for the user; null if none was refused. */
  get limit(): string | null {
    if (!this.hasRefused) return null;
    const seconds = Math.round(this.maxOpenMs / 1_000);
    return `Some pages were not opened in a browser: the pages of one crawl may be open in it for ${seconds} s (RENDER_MS_PER_CRAWL).`;
  }
}

/** The trials of all groups with the same reason. A site can have other scripts on each page, and so many groups. */
interface Tally {
  trials: number;
  gains: number;
}

/**
 * Pages that are rendered, or not, together. The first {@link TRIALS} of them are rendered. The others are rendered only
 * if rendering added text to most of these, and not the same text to each of them, such as a menu or a consent notice.
 */
export class PageGroup {
  /** One page is rendered after the other until the group is decided. */
  private readonly trials = new Slots(1);
  /** Lines and links that rendering added to a page. */
  private readonly added = new Set<string>();
  /** The text of a page without rendering, by the text that it has with it. */
  private readonly texts = new Map<string, string>();
  private tried = 0;
  private gains = 0;
  private failures = 0;

  constructor(private readonly tally: Tally = { trials: 0, gains: 0 }) {}

  /** Whether further pages would be rendered if those that failed in the browser had gained text. */
  get hasFailed(): boolean {
    return this.isDecided && this.gains < MIN_GAINS && this.gains + this.failures >= MIN_GAINS;
  }

  /** Counts a page that could not be rendered as a trial that gained nothing. */
  countFailure(): void {
    this.failures += 1;
    this.countTrial();
  }

  private countTrial(): void {
    this.tried += 1;
    this.tally.trials += 1;
  }

  private get isDecided(): boolean {
    const { trials, gains } = this.tally;
    return this.tried >= TRIALS || (trials >= MAX_TRIALS_FOR_REASON && gains < trials * MIN_GAINS_FOR_REASON);
  }

  /** @param render returns the page as it was fetched, with the same bytes, if there is no browser or it failed */
  async open(
    fetched: HtmlPage,
    { hasFollowedLinks, signal }: OpenOptions,
    render: () => Promise<PageResponse>,
  ): Promise<PageResponse> {
    if (this.isDecided) return this.gains >= MIN_GAINS ? render() : fetched;
    const learned = await this.trials.hold({ count: 1 }, signal, async () =>
      this.isDecided ? null : this.learn(fetched, await render(), hasFollowedLinks),
    );
    return learned ?? this.open(fetched, { hasFollowedLinks, signal }, render);
  }

  /** @returns the rendered page, if it has something that neither the fetched page has nor rendering added to others */
  private learn(fetched: HtmlPage, shown: PageResponse, hasFollowedLinks: boolean): PageResponse {
    // A page without a browser, or one that redirects, shows nothing about the others.
    if (shown.kind !== 'html' || shown.bytes === fetched.bytes) return shown;
    const text = linesOf(fetched);
    const lines = without(linesOf(shown), text);
    const links = without(linksOf(shown), linksOf(fetched));
    const [known, seen] = [textHashOf(fetched), textHashOf(shown)];
    const other = lines.size > 0 ? this.texts.get(seen) : undefined;
    // Several addresses of one shell count once, so that a login form in front of all pages decides nothing.
    if (other === known) return shown;
    this.texts.set(seen, known);
    this.countTrial();
    // The text belongs to none of the pages that show it, such as a notice or an error.
    if (other !== undefined) return fetched;
    const ownLines = without(lines, this.added);
    const ownLinks = without(links, this.added);
    for (const part of [...lines, ...links]) this.added.add(part);
    // Of a line that has changed, only the new words count.
    const words = wordsOf(text);
    const gain = lettersOf(without(wordsOf(ownLines), words));
    if (gain > 0 && gain >= MIN_GAIN * lettersOf(words)) {
      this.gains += 1;
      this.tally.gains += 1;
    }
    return ownLines.size > 0 || (hasFollowedLinks && ownLinks.size > 0) ? shown : fetched;
  }
}

function without(all: ReadonlySet<string>, some: ReadonlySet<string>): Set<string> {
  return new Set([...all].filter((one) => !some.has(one)));
}

function textHashOf({ page: { document } }: HtmlPage): string {
  return document?.textHash ?? '';
}

function linesOf({ page: { document } }: HtmlPage): Set<string> {
  if (document === null) return new Set();
  const { buffer, byteOffset, byteLength } = document.text;
  const text = Buffer.from(buffer, byteOffset, byteLength).toString('utf16le');
  return new Set(text.split('\n').map((line) => line.trim()));
}

function linksOf({ page: { facts } }: HtmlPage): Set<string> {
  return new Set(facts.links.map(({ url }) => url));
}

function wordsOf(lines: ReadonlySet<string>): Set<string> {
  return new Set([...lines].flatMap((line) => line.match(/[\p{L}\p{M}\p{N}]+/gu) ?? []));
}

function lettersOf(words: ReadonlySet<string>): number {
  return [...words].reduce((sum, word) => sum + word.length, 0);
}
