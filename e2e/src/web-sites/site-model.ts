import { answerAt, type Content, type RandomSite } from './random-site.js';
import {
  beginningOf,
  belongs,
  isExcluded,
  linksOf,
  pointerOf,
  type Reach,
  type Reached,
  reachFrom,
} from './site-reach.js';

/** So many pages, and one of so many of a site, are not taken to be gone because nothing leads to them in one sync. */
const MANY_PAGES = 10;
const LARGE_SHARE = 4;

/** A page as it was after a sync. */
interface PageOfBefore extends Reached {
  /** `synched` or the code of its error. */
  readonly state: string;
  /** What a search finds it by; null where nothing serves. */
  readonly served: Content | null;
}

/** What a site's syncs so far have left behind. */
export interface Past {
  readonly sync: number;
  readonly pages: ReadonlyMap<string, PageOfBefore>;
  /** Whether paths led on to others when they were read last; null where that depends on the order of answers. */
  readonly ledOn: ReadonlyMap<string, boolean | null>;
  readonly hadSitemap: boolean;
  /** What belonged to the site as it was configured; null before the first sync. */
  readonly scope: string | null;
  /** Pages that were not looked at. */
  readonly staying: ReadonlySet<string>;
}

export const NO_PAST: Past = {
  sync: 0,
  pages: new Map(),
  ledOn: new Map(),
  hadSitemap: false,
  scope: null,
  staying: new Set(),
};

/** What a sync has made of a site, as its users see it. */
export interface Observed {
  /** `synched` or the code of an error, by path. */
  readonly states: Readonly<Record<string, string>>;
  /** Whether the site says that it is not complete, beside pages that failed; null where it has worse to say. */
  readonly isOpen: boolean | null;
}

/**
 * What a sync must make of a site. Whether a path is a page may depend on whether others are: of pages that name each
 * other, and of copies, one is. So nothing is predicted: each path is held against the other pages that were observed,
 * and a result that agrees with itself is right. Of two pages that name each other as canonical, either may stay.
 */
export class SiteModel {
  readonly sync: number;
  /** What the site leads to. */
  private readonly found: Reach;
  /** What is looked at. */
  private readonly reach: Reach;
  /** Whether something that leads on could not be read; null where the order of answers decides whether it had led on. */
  private readonly isOpen: boolean | null;
  /** Pages that were not looked at, and stay as they were. */
  private readonly staying: ReadonlySet<string>;

  constructor(
    private readonly site: RandomSite,
    private readonly past: Past,
    private readonly observed: Observed,
  ) {
    this.sync = past.sync + 1;
    const isSitemapMissing = past.hadSitemap && site.sitemapStatus !== 200;
    this.found = reachFrom(site, isSitemapMissing ? [] : beginningOf(site));
    const { found } = this;
    const lost = this.lostBeside(found);
    const isUnread = isSitemapMissing || this.isSomeUnread(found);
    const doubted = isUnread === true ? [] : this.doubted(found, lost);
    // Before it was interrupted, it may have doubted this already; and what has moved is not lost.
    const isSure = doubted.length === 0 || (!site.isInterrupted && !this.hasMoved(found, lost));
    const isLookedAt = doubted.length > 0 && (isSure || observed.isOpen === true);
    const isIncomplete = !isLookedAt && (isUnread ?? observed.isOpen ?? false);
    this.reach = isLookedAt || isIncomplete ? this.with(found, isLookedAt ? doubted : lost) : found;
    this.isOpen = isSure ? this.saysOpen(isLookedAt, isUnread) : null;
    const { maxDepth = Infinity } = site;
    const kept = lost.filter(
      ([, { depth }]) => (this.isOpen ?? observed.isOpen) && isUnread !== false && depth > maxDepth,
    );
    this.staying = new Set(kept.map(([path]) => path));
  }

  /** What is wrong, in words; empty where nothing is. */
  problems(): string[] {
    const { states, isOpen } = this.observed;
    const paths = [...new Set([...Object.keys(states), ...this.reach.keys()])].toSorted();
    const wrong = paths.flatMap((path) => {
      const expected = this.expectedOf(path);
      const is = states[path] ?? 'absent';
      return expected.includes(is) ? [] : `${path} is ${is}, and should be ${expected.join(' or ')}`;
    });
    if (this.isOpen !== null && isOpen !== null && this.isOpen !== isOpen)
      wrong.push(`the site ${isOpen ? 'says' : 'does not say'} that it is not complete`);
    return wrong;
  }

  /** What a search must find a page by. */
  servedBy(path: string): Content | null {
    const before = this.past.pages.get(path)?.served ?? null;
    if (this.staying.has(path)) return before;
    const content = this.contentOf(path);
    if (!(path in this.observed.states) || this.isGone(path)) return null;
    if (content === null) return before;
    // As long as a stub leads nowhere, what it said before serves on.
    return content.refresh !== undefined && this.target(path) !== null ? (before ?? content) : content;
  }

  /** What this sync leaves behind for the next one. */
  after(): Past {
    const { past, site, reach } = this;
    const ledOn = new Map(this.isOpen === false ? [] : past.ledOn);
    for (const path of reach.keys()) ledOn.set(path, this.leadsOn(path, reach));
    const pages = Object.entries(this.observed.states).map(([path, state]) => {
      const how = reach.get(path) ?? past.pages.get(path) ?? { depth: 0, origin: 'link' };
      return [path, { ...how, state, served: this.servedBy(path) }] as const;
    });
    const hadSitemap = site.sitemapStatus === 200 || (site.sitemapStatus === 403 && past.hadSitemap);
    return {
      sync: this.sync,
      pages: new Map(pages),
      ledOn,
      hadSitemap,
      scope: scopeOf(site),
      staying: this.staying,
    };
  }

  private expectedOf(path: string): string[] {
    const how = this.reach.get(path);
    if (this.staying.has(path)) return [this.past.pages.get(path)?.state ?? 'absent'];
    if (how === undefined || isExcluded(this.site, path)) return ['absent'];
    const answer = answerAt(this.site, path);
    if ('redirect' in answer)
      return how.origin === 'seed' && this.leadsAway(path) ? ['PAGE_REFUSED'] : ['absent'];
    if ('status' in answer) {
      if (answer.status === 403) return ['PAGE_REFUSED'];
      if (answer.status === 500) return ['FETCH_FAILED'];
      // A link that leads nowhere is the business of its page; what is listed should be there. Nobody has said what
      // counts for what the start points to, nor for what only was listed before.
      if (how.origin === 'link' || how.origin === 'lost') return ['absent'];
      return how.origin === 'sitemap' && this.isOpen === false ? ['PAGE_GONE'] : ['PAGE_GONE', 'absent'];
    }
    const { kind, noindex } = answer.content;
    if (kind === 'empty' || (kind === 'page' && noindex)) return ['absent'];
    if (this.target(path) !== null && this.leadsToPage(path)) return ['absent'];
    const mayHaveMoved = how.origin === 'lost' && this.hasMoved(this.found, [[path, how]]);
    if (mayHaveMoved) return ['absent', 'synched'];
    return this.isCopy(path) ? ['absent'] : ['synched'];
  }

  /** Whether a path points to a page, or to what stands for one, other than itself. */
  private leadsToPage(path: string): boolean {
    const target = this.target(path);
    return target !== null && this.standsForPage(target, new Set([path]));
  }

  /** @param seen what was come from: that is looked for another page */
  private standsForPage(path: string, seen: Set<string>): boolean {
    if (seen.has(path)) return false;
    if (this.isPage(path)) return true;
    seen.add(path);
    const target = this.target(path);
    if (target !== null && this.standsForPage(target, seen)) return true;
    return this.pagesLike(path).some((page) => !seen.has(page));
  }

  private isCopy(path: string): boolean {
    return this.pagesLike(path).some((other) => {
      const isKept = this.isFailing(other) && this.past.pages.has(path);
      return this.target(other) !== path && !isKept && !this.comesBefore(path, other);
    });
  }

  /**
   * Whether of two with the same bytes it can only be the first that is the page: the one that has said so since before,
   * the shorter, the first. Of two that say so only now, either may be where one was a page before, or where
   * the sync was interrupted: then one may have come before.
   */
  private comesBefore(path: string, other: string): boolean {
    const [isNew, isOtherNew] = [this.saysNew(path), this.saysNew(other)];
    if (this.site.isInterrupted && (isNew || isOtherNew)) return false;
    if (isNew !== isOtherNew) return isOtherNew;
    if (this.past.pages.has(path) !== this.past.pages.has(other)) return false;
    return path.length === other.length ? path < other : path.length < other.length;
  }

  /** Whether it did not say what it says before this sync. */
  private saysNew(path: string): boolean {
    const before = this.past.pages.get(path)?.served;
    const content = this.contentOf(path) ?? before;
    return before?.word !== content?.word || before === null;
  }

  /** Other pages that say the same bytes. */
  private pagesLike(path: string): string[] {
    const bytes = this.bytesOf(path);
    if (bytes === null) return [];
    return Object.keys(this.observed.states).filter(
      (other) => other !== path && this.isPage(other) && this.bytesOf(other) === bytes,
    );
  }

  private bytesOf(path: string): string | null {
    const content = this.contentOf(path) ?? this.servedBy(path);
    const served = this.servedBy(path);
    // What serves something else than is there stands for no bytes.
    return content === null || (served !== null && served.word !== content.word)
      ? null
      : JSON.stringify(content);
  }

  /** A page, or one that could not be fetched and serves on. */
  private isPage(path: string): boolean {
    return path in this.observed.states && this.servedBy(path) !== null;
  }

  private contentOf(path: string): Content | null {
    const answer = answerAt(this.site, path);
    return 'content' in answer ? answer.content : null;
  }

  /** Where a path points to within the site. */
  private target(path: string, reach = this.reach): string | null {
    const how = reach.get(path);
    const target = pointerOf(this.site, path);
    return how && target !== null && belongs(this.site, target, how) ? target : null;
  }

  private isGone(path: string): boolean {
    const answer = answerAt(this.site, path);
    return 'status' in answer && (answer.status === 404 || answer.status === 410);
  }

  private isFailing(path: string): boolean {
    return 'status' in answerAt(this.site, path) && !this.isGone(path);
  }

  private isSomeUnread(reach: Reach): boolean | null {
    const led = [...reach].map(([path, { origin }]) => {
      if (origin !== 'seed') return this.isFailing(path) && this.hadLedOn(path);
      if (!this.isFailing(path) && !this.isGone(path) && !this.leadsAway(path, reach)) return false;
      return true;
    });
    return led.includes(true) || (led.includes(null) ? null : false);
  }

  private leadsAway(path: string, reach = this.reach): boolean {
    return 'redirect' in answerAt(this.site, path) && this.target(path, reach) === null;
  }

  private hadLedOn(path: string): boolean | null {
    const ledOn = this.past.ledOn.get(path);
    return ledOn === undefined ? false : ledOn;
  }

  private leadsOn(path: string, reach: Reach): boolean | null {
    if (this.isFailing(path)) return this.hadLedOn(path);
    if (this.target(path, reach) !== null) return true;
    const how = reach.get(path);
    if (how?.origin === 'lost') return this.hadLedOn(path);
    if (how === undefined || how.origin === 'sitemap') return false;
    if (!linksOf(this.site, path).some((link) => link !== path && reach.has(link))) return false;
    // At the end of a site, what else leads there counts, if that was come to before.
    return how.depth < (this.site.maxDepth ?? Infinity) || null;
  }

  /** Whether the site says that it is not complete. @param isLookedAt whether pages were that nothing leads to */
  private saysOpen(isLookedAt: boolean, isUnread: boolean | null): boolean | null {
    if (!isLookedAt) return isUnread;
    const isSomeKept = [...this.reach].some(
      ([path, { origin }]) => origin === 'lost' && path in this.observed.states,
    );
    return isSomeKept || (isUnread ?? this.isSomeUnread(this.reach));
  }

  /**
   * Pages that nothing leads to any more, and that are looked at all the same: many at once, and those of before, until
   * an hour has passed. Not where the site is configured anew.
   */
  private doubted(found: Reach, lost: readonly [string, Reached][]): [string, Reached][] {
    if (this.past.scope !== scopeOf(this.site)) return [];
    const left = Object.keys(this.observed.states).filter((path) => found.has(path));
    const anew = lost.filter(([, { origin }]) => origin !== 'lost').length;
    const areMany = anew >= Math.max(MANY_PAGES, (lost.length + left.length) / LARGE_SHARE);
    return lost
      .filter(([, { origin }]) => areMany || origin === 'lost')
      .map(([path, { depth }]) => [path, { depth, origin: 'lost' }]);
  }

  /** Whether what one of these said is found elsewhere. */
  private hasMoved(found: Reach, lost: readonly (readonly [string, unknown])[]): boolean {
    const words = new Set([...found.keys()].map((path) => this.contentOf(path)?.word));
    return lost.some(([path]) => words.has(this.past.pages.get(path)?.served?.word));
  }

  /** Pages of before that nothing leads to. */
  private lostBeside(found: Reach): [string, Reached][] {
    return [...this.past.pages]
      .filter(([path]) => !found.has(path) && !isExcluded(this.site, path))
      .map(([path, { depth, origin }]) => [path, { depth, origin: origin === 'seed' ? 'link' : origin }]);
  }

  /** Pages that were not found are looked at themselves. */
  private with(found: Reach, lost: readonly (readonly [string, Reached])[]): Reach {
    const all = [...found, ...lost];
    return reachFrom(this.site, all.length > 0 ? all : [[this.site.start, { depth: 0, origin: 'seed' }]]);
  }
}

function scopeOf({ include, exclude, maxDepth }: RandomSite): string {
  return JSON.stringify({ include, exclude, maxDepth });
}
