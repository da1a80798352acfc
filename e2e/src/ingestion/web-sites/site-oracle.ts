import { answerAt, AWAY, type RandomSite, START, textOf } from './random-site.js';

interface PageState {
  /** `synched`, or the code of its error. */
  readonly state: string;
  /** The text that answers; null when none does. */
  readonly text: string | null;
  /** The text of its last response; another one than `text` if the safety check has kept the page. */
  readonly lastText: string | null;
}

/** What the syncs so far leave behind. */
export interface SiteState {
  readonly pages: ReadonlyMap<string, PageState>;
  /** Whether other URLs were found through a URL when it was last read. */
  readonly outlinks: ReadonlyMap<string, boolean>;
  readonly hadSitemap: boolean;
}

/** What a sync must end with. */
export interface Prediction extends SiteState {
  /** Of each group, exactly one path is a page, with this text. The first request decides which. */
  readonly alternatives: readonly { readonly text: string; readonly paths: readonly string[] }[];
  /** Why the order of requests decides more than that; null when it does not. */
  readonly unsure: string | null;
}

export const NEW_SITE: SiteState = { pages: new Map(), outlinks: new Map(), hadSitemap: false };

type Origin = 'seed' | 'sitemap' | 'link' | 'reference';
interface Found {
  readonly origin: Origin;
  readonly kind: 'content' | 'pointer' | 'failed' | 'gone' | 'skipped';
  /** Of content and canonical pages. */
  readonly text?: string;
  /** Where a pointer leads. */
  readonly to?: string;
  readonly code?: string;
}
/** What a page leads to that could not be fetched. */
const FAILED = 'failed';

/** Computes the outcome of a sync by the rules of ADR 6, from the site as served and the state before. */
export class SiteOracle {
  private readonly found = new Map<string, Found>();
  /** What pointers lead to: the text of a page, {@link FAILED}, or null. */
  private readonly behind = new Map<string, string | null>();
  /** By text: paths, one of which is the page. None if a page that was not read has the text. */
  private readonly candidates = new Map<string, readonly string[]>();
  private readonly isIncomplete: boolean;
  private unsure: string | null = null;
  private hasRivals = false;

  private constructor(
    private readonly site: RandomSite,
    private readonly before: SiteState,
  ) {
    this.reach();
    this.isIncomplete = this.findIncomplete();
    for (const path of this.found.keys()) this.behind.set(path, this.follow(path));
    this.assignTexts();
  }

  static predict(site: RandomSite, before: SiteState): Prediction {
    return new SiteOracle(site, before).finish();
  }

  /** Reads every URL that links and pointers lead to. */
  private reach(): void {
    const { sitemap, sitemapStatus } = this.site;
    const listed = sitemapStatus === 200 ? (sitemap ?? []).filter((path) => !this.isExcluded(path)) : [];
    const queue = listed.map((path): [string, Origin] => [path, 'sitemap']);
    if (queue.length === 0) queue.push([START, 'seed']);
    for (const [path, origin] of queue) {
      const known = this.found.get(path);
      const isAlsoSeed = known !== undefined && (known.origin === 'seed') !== (origin === 'seed');
      if (isAlsoSeed && path !== START) this.unsure = `${path} is linked, and the start leads to it`;
      if (known !== undefined) continue;
      const found: Found = { ...this.classify(path, origin), origin };
      this.found.set(path, found);
      const ofSeed = origin === 'seed' && found.text !== undefined ? 'link' : origin;
      if (found.to !== undefined) queue.push([found.to, origin === 'sitemap' ? 'reference' : ofSeed]);
      queue.push(...this.linksOf(path, origin).map((link): [string, Origin] => [link, 'link']));
    }
  }

  private linksOf(path: string, origin: Origin): string[] {
    const answer = answerAt(this.site, path);
    if (answer.kind !== 'page' || (origin !== 'seed' && origin !== 'link')) return [];
    return answer.links.filter((link) => link !== path && !this.isExcluded(link));
  }

  private classify(path: string, origin: Origin): Omit<Found, 'origin'> {
    const answer = answerAt(this.site, path);
    const isSeed = origin === 'seed';
    const isOfSite = (to: string): boolean => to !== path && to !== AWAY && (isSeed || !this.isExcluded(to));
    const refused = { kind: 'failed', code: 'PAGE_REFUSED' } as const;
    if (answer.kind === 'error') {
      if (answer.status === 404) return { kind: 'gone' };
      return answer.status === 403 ? refused : { kind: 'failed', code: 'FETCH_FAILED' };
    }
    if (answer.kind === 'redirect') {
      if (isOfSite(answer.to)) return { kind: 'pointer', to: answer.to };
      return answer.to === path || isSeed ? refused : { kind: 'skipped' };
    }
    const { kind, noindex = false, pointer } = answer;
    const text = textOf(answer);
    if (kind === 'page' && pointer && isOfSite(pointer.to) && !(noindex && pointer.how === 'canonical')) {
      const isRedirect = noindex || this.isExcluded(path) || (isSeed && pointer.how === 'refresh');
      return { kind: 'pointer', to: pointer.to, ...(isRedirect ? {} : { text }) };
    }
    const isSkipped = kind === 'empty' || (kind === 'page' && noindex) || this.isExcluded(path);
    return isSkipped ? { kind: 'skipped' } : { kind: 'content', text };
  }

  /** Whether something that others are found through could not be read. */
  private findIncomplete(): boolean {
    const { sitemapStatus } = this.site;
    if (sitemapStatus === 500 || (sitemapStatus !== 200 && this.before.hadSitemap)) return true;
    return [...this.found].some(([path, { kind, origin }]) => {
      if (origin === 'seed') return kind === 'failed' || kind === 'gone';
      return kind === 'failed' && this.before.outlinks.get(path) === true;
    });
  }

  private follow(start: string): string | null {
    const chain: string[] = [];
    let end = start;
    for (let next = this.found.get(end); next?.to !== undefined; next = this.found.get(end)) {
      if (chain.includes(end)) break;
      chain.push(end);
      end = next.to;
    }
    if (chain.length === 0) return null;
    if (chain.length > 9) this.unsure = `many redirects from ${start}`;
    const { kind, text = '' } = this.found.get(end) ?? {};
    if (kind === 'content' || (kind === 'failed' && this.answers(end))) return text;
    const isCanonical = (path: string): boolean => this.found.get(path)?.text !== undefined;
    const circle = chain.slice(chain.includes(end) ? chain.indexOf(end) : chain.length).filter(isCanonical);
    if (circle.length > 1) this.unsure = `${circle.join()} name each other`;
    const page = circle[0] ?? chain.findLast(isCanonical);
    if (page !== undefined) return this.found.get(page)?.text ?? null;
    return kind === 'failed' || kind === 'pointer' ? FAILED : null;
  }

  private assignTexts(): void {
    const all = [...this.found];
    for (const text of new Set(all.flatMap(([, found]) => found.text ?? []))) {
      const withText = all.filter(([, found]) => found.text === text);
      const contents = withText.filter(([, { kind }]) => kind === 'content');
      const canonical = withText.filter(([path]) => this.behind.get(path) === text);
      const [ofContents = [], ofCanonical = []] = [contents, canonical].map((some) =>
        some.map(([path]) => path),
      );
      this.candidates.set(text, this.candidatesOf(text, ofContents, ofCanonical));
    }
  }

  /**
   * An existing page owns its text; of new pages, the first one does.
   *
   * @param canonical pages whose target is not a page
   */
  private candidatesOf(text: string, contents: readonly string[], canonical: readonly string[]): string[] {
    const { pages } = this.before;
    const all = [...contents, ...canonical];
    const unchanged = contents.filter((path) => pages.get(path)?.text === text);
    if (unchanged.length > 0) return unchanged;
    const unread = [...pages].filter(([path, page]) => {
      const { kind = 'failed' } = this.found.get(path) ?? {};
      return page.text !== null && page.lastText === text && kind === 'failed';
    });
    if (unread.some(([, page]) => page.text !== text)) this.unsure = `a kept page had ${text} last`;
    if (unread.some(([path]) => this.found.has(path) || (this.isIncomplete && !this.isExcluded(path)))) {
      if (canonical.length > 0) this.unsure = `a page that was not read has ${text}`;
      return [];
    }
    const existing = all.filter((path) => this.answers(path));
    return (contents.length === 0 || unread.length > 0) && existing.length > 0 ? existing : all;
  }

  private finish(): Prediction {
    const { pages: known, hadSitemap } = this.before;
    const pages = new Map<string, PageState>();
    const alternatives: { text: string; paths: readonly string[] }[] = [];
    for (const [text, paths] of this.candidates) {
      if (paths.length > 1) alternatives.push({ text, paths });
      else if (paths[0] !== undefined) pages.set(paths[0], { state: 'synched', text, lastText: text });
    }
    const rivals = alternatives.flatMap(({ paths }) => paths).filter((path) => known.has(path));
    if (rivals.length > 0) this.unsure ??= `${rivals.join()} may keep their text`;
    for (const [path, { kind, code = 'PAGE_GONE' }] of this.found) {
      const page = known.get(path) ?? { text: null, lastText: null };
      const isFailed = kind === 'failed' || (this.isListedGone(path) && !known.has(path));
      if (isFailed && !this.isExcluded(path)) pages.set(path, { ...page, state: code });
    }
    const missing = this.missingPages(pages);
    const counted = missing.filter(([path]) => this.answers(path)).length;
    const total = [...known.keys()].filter((path) => this.answers(path) && !this.isExcluded(path)).length;
    const isTripped = !this.site.removeMissing && isUnlikely(counted, total);
    if (isTripped && this.hasRivals) this.unsure ??= 'two pages have moved to the same one';
    for (const [path, page] of missing) {
      const lastText = this.found.get(path)?.text ?? page.lastText;
      if (isTripped && page.text !== null) pages.set(path, { ...page, lastText });
      else if (this.isListedGone(path)) pages.set(path, { ...page, state: 'PAGE_GONE', text: null });
    }
    return {
      pages,
      outlinks: this.outlinksAfter(pages),
      hadSitemap: this.site.sitemapStatus === 500 ? hadSitemap : this.site.sitemapStatus === 200,
      alternatives,
      unsure: this.unsure,
    };
  }

  /** Known pages that are gone and have not moved. Those that are kept in any case are added to `pages`. */
  private missingPages(pages: Map<string, PageState>): [string, PageState][] {
    const taken = new Set<string>();
    return [...this.before.pages].filter(([path, page]) => {
      if (pages.has(path) || this.isExcluded(path)) return false;
      const behind = this.behind.get(path) ?? null;
      const found = this.found.get(path);
      if (behind === FAILED || (found === undefined && this.isIncomplete)) {
        pages.set(path, page);
        return false;
      }
      if (found?.kind === 'content') return true;
      const text = behind ?? page.lastText ?? '';
      const isNew =
        this.candidates.get(text)?.some((candidate) => !this.before.pages.has(candidate)) ?? false;
      this.hasRivals ||= isNew && taken.has(text);
      if (!isNew || taken.has(text)) return true;
      taken.add(text);
      return false;
    });
  }

  private outlinksAfter(pages: ReadonlyMap<string, PageState>): Map<string, boolean> {
    const isRemoved = (path: string): boolean => this.before.pages.has(path) && !pages.has(path);
    const rows = [...new Set([...this.found.keys(), ...pages.keys()])].filter((path) => !isRemoved(path));
    return new Map(
      rows.map((path) => {
        const found = this.found.get(path);
        if (found === undefined || found.kind === 'failed' || this.isListedGone(path))
          return [path, this.before.outlinks.get(path) ?? false];
        return [path, found.to !== undefined || this.linksOf(path, found.origin).length > 0];
      }),
    );
  }

  private isExcluded(path: string): boolean {
    return this.site.isPrivateExcluded && path.startsWith('/private/');
  }

  private answers(path: string): boolean {
    return this.before.pages.get(path)?.text != null;
  }

  private isListedGone(path: string): boolean {
    const { kind, origin = 'link' } = this.found.get(path) ?? {};
    return kind === 'gone' && ['seed', 'sitemap'].includes(origin);
  }
}

/** The safety check of ADR 6. */
function isUnlikely(missing: number, total: number): boolean {
  const isMuch = (missing >= 10 && missing * 4 >= total) || (missing >= 3 && missing * 2 > total);
  return missing > 0 && (isMuch || missing === total);
}
