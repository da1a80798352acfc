import type { BlobStore } from '@citewell/blob-store';
import type { Config } from '@citewell/config';
import type { RunPayload } from '@citewell/contracts/jobs';
import {
  BlobRepository,
  type CrawlCounts,
  type CrawlNote,
  CrawlRepository,
  type FoundUrl,
  type RunEntity,
  SiteRepository,
  type StageProgress,
} from '@citewell/database';
import { BLOB_STORE, CONFIG } from '@citewell/infrastructure';
import { RunExecutor, type StageWork } from '@citewell/ingestion';
import { FaultPoints } from '@citewell/observability';
import type { JobContext } from '@citewell/queue';
import { withBreaks } from '@citewell/web';
import { Inject, Injectable } from '@nestjs/common';
import { BodyRooms } from './body-room.js';
import { CrawlSlice, hasAllPages } from './crawl-slice.js';
import { HostSeats, type Seat } from './host-seats.js';
import { LinkFilter } from './link-filter.js';
import { doubtedOf } from './lost-pages.js';
import { PageSettler } from './page-settler.js';
import type { AnswerWait } from './robots.service.js';
import { Seeds, startOf } from './seeds.js';
import { siteConfigOf, type SiteConfig } from './site-config.js';
import {
  CONFIGURED_ANEW,
  manyAreLost,
  noticeOf,
  sentenceOn,
  tooManyPages,
  tooManyUrls,
  whyEmpty,
} from './site-sentences.js';
import type { SiteVisit } from './site-visit.js';
import { SitemapSettler } from './sitemap-settler.js';

/** What all URLs of a turn are looked at with. */
type CrawlVisit = Omit<SiteVisit, 'room'>;

/** How long one site is worked on before others have their turn. */
const SLICE_MS = 20_000;
const REPORT_INTERVAL_MS = 1_000;

/**
 * Crawls a web site, a turn at a time: the frontier is in the database, so whoever takes the next turn goes on where
 * this one stopped. Pages that it brings in go their own way through the dispatcher.
 */
@Injectable()
export class CrawlSiteHandler {
  constructor(
    @Inject(RunExecutor) private readonly executor: RunExecutor,
    @Inject(CrawlRepository) private readonly frontier: CrawlRepository,
    @Inject(SiteRepository) private readonly sites: SiteRepository,
    @Inject(BlobRepository) private readonly blobRows: BlobRepository,
    @Inject(BLOB_STORE) private readonly blobStore: BlobStore,
    @Inject(Seeds) private readonly seeds: Seeds,
    @Inject(PageSettler) private readonly pages: PageSettler,
    @Inject(SitemapSettler) private readonly sitemaps: SitemapSettler,
    @Inject(HostSeats) private readonly seats: HostSeats,
    @Inject(BodyRooms) private readonly rooms: BodyRooms,
    @Inject(FaultPoints) private readonly faults: FaultPoints,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  async handle(payload: RunPayload, job: JobContext): Promise<void> {
    await this.executor.execute(payload, job, (work) =>
      this.seats.hold(work.run.id, (seat) => this.crawl(work, seat)),
    );
  }

  private async crawl(work: StageWork, seat: Seat): Promise<void> {
    const { run } = work;
    const visit = await this.enter(work, seat);
    const { busyUntil } = await this.takeTurn(work, visit);
    await this.sites.sortCopies(run);
    const counts = await this.frontier.counts(run);
    const progress = progressOf(counts, noteOf(visit));
    const dueAt = await this.frontier.nextDueAt(run);
    if (dueAt !== null && !hasAllPages(counts, visit.site))
      return this.sites.pause(run, progress, later(dueAt, busyUntil));
    if (await this.isMoreToDo(visit, counts, dueAt === null)) return this.sites.pause(run, progress, null);
    await this.conclude(visit, counts, dueAt === null);
  }

  /** Begins the crawl, or goes on where it is. */
  private async enter({ run, datasource, signal }: StageWork, seat: Seat): Promise<CrawlVisit> {
    const site = siteConfigOf(datasource);
    seat.enter(site.host);
    if (!(await this.frontier.hasBegun(run)))
      await this.begin(run, site, { signal, patience: seat.patience });
    this.faults.reach('after-seeds');
    const known = await this.frontier.notFound(run);
    const pages = new Set(known.map(({ url }) => url));
    const links = await LinkFilter.after(await this.frontier.urls(run), { ...site, pages }, signal);
    const answers = await this.frontier.answers(run);
    return { run, site, links, pointers: new Map(), answers, seat, signal };
  }

  /** @param isThrough whether everything was looked at that was found; else the site has all its pages */
  private async isMoreToDo(visit: CrawlVisit, counts: CrawlCounts, isThrough: boolean): Promise<boolean> {
    if ((await this.sites.believeFewAlike(visit.run)) > 0) return true;
    if (isThrough && (await this.findMore(visit, counts))) return true;
    return (await this.sites.movePages(visit.run)) > 0;
  }

  /** Removes what the crawl has shown to be gone. Then the site waits for its pages. */
  private async conclude(visit: CrawlVisit, counts: CrawlCounts, isThrough: boolean): Promise<void> {
    const { run, site } = visit;
    this.faults.reach('before-discovered');
    const note = noteOf(visit);
    const progress = progressOf(counts, note);
    const unread = await this.frontier.unread(run);
    const changed = note.scope === site.fingerprint ? null : CONFIGURED_ANEW;
    const problem = note.cut ?? (unread && sentenceOn(unread)) ?? changed;
    let areTooMany = !isThrough;
    // A crawl that has not got to everything removes nothing: what was not found may still be there.
    if (isThrough && problem === null) {
      const doubted = await this.doubted(visit, counts);
      const places = Math.max(0, site.maxPages - counts.pages - counts.failed);
      areTooMany = doubted.length > places;
      const looked = await this.lookAt(visit, doubted.slice(0, places));
      if (looked > 0 || (await this.sites.removeNotFound(run)) > 0)
        return this.sites.pause(run, progress, null);
    }
    // Where all places are taken, it does not matter that there are more addresses; what could not be read does.
    const isUnread = unread !== null && note.cut === undefined;
    if (!isThrough && !isUnread) await this.sites.removeNotReached(run, counts.failed);
    const limited = areTooMany ? tooManyPages(site) : null;
    await this.sites.discovered(run, progress, limited ?? problem ?? (await this.remark(visit, counts)));
  }

  /** What a crawl that has got to everything has to say. */
  private async remark(visit: CrawlVisit, { pages, failed }: CrawlCounts): Promise<string | null> {
    const { run, site } = visit;
    if (pages + failed === 0) return whyEmpty(await this.frontier.leftOutFor(run), site);
    const lost = await this.frontier.lostAndKept(run);
    return lost > 0 ? manyAreLost(lost) : (noteOf(visit).notice ?? null);
  }

  /**
   * Pages that nothing leads to, and that are looked at themselves, so that only what is gone goes: of a site that is
   * configured as it was, those that {@link doubtedOf} says. What a feed does not list any more always is, the latest
   * first.
   */
  private async doubted({ run, site }: CrawlVisit, { pages, failed }: CrawlCounts): Promise<FoundUrl[]> {
    const lost = await this.frontier.notFound(run);
    if (await this.frontier.isLedByFeed(run))
      return lost
        .toSorted((a, b) => Number(b.lastmod ?? 0) - Number(a.lastmod ?? 0))
        .map((one) => ({ ...one, origin: 'lost', lostSince: null }));
    const before = await this.frontier.progressBefore(run);
    if (before?.scope !== site.fingerprint) return [];
    return doubtedOf(lost, pages + failed).map((one) => ({
      ...one,
      origin: 'lost',
      lostSince: one.lostSince ?? new Date(),
    }));
  }

  /** Pages that the site's configuration leaves out by now go first, whatever becomes of the crawl. */
  private async begin(run: RunEntity, site: SiteConfig, wait: AnswerWait): Promise<void> {
    const seeds = await this.seeds.of(site, await this.frontier.sitemaps(run), wait);
    const start = startOf(site)?.url;
    const known = await this.frontier.notFound(run);
    const { scope } = site;
    const outside: string[] = [];
    // How far they are from the start this crawl will show.
    for await (const { url } of withBreaks(known, wait.signal)) {
      const isOutside = url === start ? scope.isExcluded(url) : scope.refusalOf(url) !== null;
      if (isOutside) outside.push(url);
    }
    await this.sites.remove(run, outside);
    await this.sites.find(run, seeds);
  }

  /** Everything found so far was looked at. @returns whether there is more */
  private async findMore(visit: CrawlVisit, { found }: CrawlCounts): Promise<boolean> {
    const { run, site } = visit;
    // What could not be read, or was turned away, may lead to pages that were not found.
    const isIncomplete = noteOf(visit).cut !== undefined || (await this.frontier.unread(run)) !== null;
    if (isIncomplete && (await this.lookAt(visit, await this.frontier.notFound(run))) > 0) return true;
    const start = startOf(site);
    if (found === 0 && start !== null) {
      // No sitemap has listed a page.
      await this.sites.find(run, [start]);
      return true;
    }
    // They point to what is no page after all, or is one after all.
    return (await this.sites.reopenMisled(run)) > 0;
  }

  /** Looks at pages themselves that were not found. The start may have been another one. @returns how many */
  private async lookAt({ run, links, signal }: CrawlVisit, lost: readonly FoundUrl[]): Promise<number> {
    const looked: FoundUrl[] = [];
    for await (const one of withBreaks(lost, signal))
      if (links.newKnown(one.url, one.depth).length > 0)
        looked.push(one.origin === 'seed' ? { ...one, origin: 'link' } : one);
    await this.sites.find(run, looked);
    return looked.length;
  }

  private async takeTurn(work: StageWork, visit: CrawlVisit): Promise<CrawlSlice> {
    const counts = { ...(await this.frontier.counts(work.run)) };
    const { frontier, sites, blobStore, blobRows } = this;
    const slice = new CrawlSlice(
      {
        frontier,
        sites,
        blobStore,
        blobRows,
        settle: (url) =>
          this.rooms.hold(work.run.organizationId, work.signal, (room) => {
            const settler = url.row.kind === 'sitemap' ? this.sitemaps : this.pages;
            return settler.settle(url, { ...visit, room });
          }),
        onSettled: () => this.faults.reach('after-settle'),
        note: () => noteOf(visit),
      },
      visit,
      { concurrency: this.config.CRAWL_CONCURRENCY_PER_HOST, milliseconds: SLICE_MS },
      counts,
    );
    const reporter = setInterval(() => work.report(progressOf(counts, noteOf(visit))), REPORT_INTERVAL_MS);
    try {
      await slice.run();
    } finally {
      clearInterval(reporter);
    }
    return slice;
  }
}

function later(one: Date, other: Date | null): Date {
  return other === null || one > other ? one : other;
}

function progressOf({ found, settled, pages, failed }: CrawlCounts, note: CrawlNote): StageProgress {
  return { done: settled, total: found, failed, pages, ...note };
}

/** What a crawl has to say of itself, since this turn or one before it. */
function noteOf({ run: { progress }, site, links }: CrawlVisit): CrawlNote {
  const cut = progress?.cut ?? (links.hasOverflown ? tooManyUrls(site) : null);
  const notice = progress?.notice ?? noticeOf(links);
  const scope = progress?.scope ?? site.fingerprint;
  return { scope, ...(cut !== null && { cut }), ...(notice !== null && { notice }) };
}
