import { setTimeout as sleep } from 'node:timers/promises';
import type { Datasource } from '@citewell/contracts/http';
import type { Tenant } from '../client/tenant.js';
import type { SeededRandom } from '../resilience/seeded-random.js';
import { wrongWithLimited } from './limited-site.js';
import { type RandomSite, START } from './random-site.js';
import { serveSite, validatorOf } from './served-site.js';
import { NO_PAST, type Observed, type Past, SiteModel } from './site-model.js';
import { type PageStates, SiteOfTenant } from './site-tenant.js';
import { TestSite } from './test-site.js';

const LONGEST_UNTIL_CANCELLED_MS = 700;

/** A datasource of a random site, which has a server of its own, whose answers take their own time. */
export class RandomSiteRun {
  private past: Past = NO_PAST;
  /** Paths that are pages since the last sync: of what has moved, nothing is known that a condition could name. */
  private fresh: ReadonlySet<string> = new Set();
  private pagesOfLimited: ReadonlySet<string> = new Set();
  private datasource: SiteOfTenant | null = null;

  private constructor(
    private readonly tenant: Tenant,
    private readonly server: TestSite,
    private readonly delays: SeededRandom,
  ) {}

  static async start(tenant: Tenant, delays: SeededRandom): Promise<RandomSiteRun> {
    return new RandomSiteRun(tenant, await TestSite.start(), delays);
  }

  stop(): Promise<void> {
    return this.server.stop();
  }

  /** Brings it up to date with the site as it is now. @returns what is wrong then, in words */
  async sync(site: RandomSite): Promise<string[]> {
    serveSite(site, this.server, this.delays);
    this.server.forgetRequests();
    const config = this.configOf(site);
    if (this.datasource) {
      await this.datasource.configure(config);
      if (site.isInterrupted) await this.beginAndCancel(this.datasource);
      await this.datasource.sync();
    } else this.datasource = await SiteOfTenant.crawled(this.tenant, config);
    return this.compare(site, this.datasource);
  }

  /** Syncs again, though nothing has changed. @returns what is wrong then: what it costs, too */
  async syncUnchanged(site: RandomSite): Promise<string[]> {
    const { datasource, past, fresh } = this;
    if (!datasource) throw new Error('it has not been crawled yet');
    const before = { runs: await datasource.runCounts(), states: await datasource.states() };
    this.server.forgetRequests();
    await datasource.sync();
    const wrong = await this.compare(site, datasource);
    const now = { runs: await datasource.runCounts(), states: await datasource.states() };
    if (JSON.stringify(now) !== JSON.stringify(before))
      wrong.push(`nothing has changed, and ${JSON.stringify(before)} became ${JSON.stringify(now)}`);
    return [...wrong, ...this.costly(site, past, fresh)];
  }

  /** What users see, to be compared with another datasource of the same site. */
  get pages(): string[] {
    return [...this.past.pages.keys()].toSorted();
  }

  private async beginAndCancel(datasource: SiteOfTenant): Promise<void> {
    (await this.tenant.api.post(`/datasources/${datasource.id}/sync`)).assertOk();
    await sleep(this.delays.between(0, LONGEST_UNTIL_CANCELLED_MS));
    // It may have come to its end by then.
    await this.tenant.api.post(`/datasources/${datasource.id}/cancel`);
    await datasource.settled();
  }

  private async compare(site: RandomSite, datasource: SiteOfTenant): Promise<string[]> {
    const states = await datasource.states();
    const view = await datasource.view();
    if (site.maxPages !== undefined) {
      const wrong = wrongWithLimited(site, this.pagesOfLimited, states, view.error?.message ?? '');
      this.pagesOfLimited = new Set(Object.keys(states));
      return wrong;
    }
    const model = new SiteModel(site, this.past, observedIn(view, states));
    const wrong = [...model.problems(), ...wrongAbout(view, states)];
    const now = model.after();
    wrong.push(...(await this.wronglyFound(datasource, now)));
    this.fresh = new Set(Object.keys(states).filter((path) => !this.past.pages.has(path)));
    this.past = now;
    return wrong;
  }

  /** Looks for everything that was said before or is now. */
  private async wronglyFound(datasource: SiteOfTenant, now: Past): Promise<string[]> {
    const servedNow = [...now.pages].map(([path, { served }]) => ({ path, word: served?.word }));
    const words = new Set([...this.past.pages.values()].map(({ served }) => served?.word));
    for (const { word } of servedNow) words.add(word);
    words.delete(undefined);
    const wrong: string[] = [];
    for (const word of words) {
      const expected = servedNow.filter((page) => page.word === word).map(({ path }) => path);
      const hits = await this.tenant.search(datasource.datastoreId, String(word));
      const saying = hits.filter(({ text }) => text.includes(String(word)));
      const found = new Set(saying.map(({ source }) => new URL(source).pathname));
      if ([...found].toSorted().join() !== expected.toSorted().join())
        wrong.push(
          `${word} is found in ${[...found].join() || 'none'}, and should be in ${expected.join() || 'none'}`,
        );
    }
    return wrong;
  }

  /** A page that has not changed costs a conditional request; with `maxDepth`, another one when it is nearer than thought. */
  private costly(site: RandomSite, { pages }: Past, fresh: ReadonlySet<string>): string[] {
    return [...pages].flatMap(([path, { served }]) => {
      const answer = site.answers.get(path);
      const isThere = !site.failing.has(path) && answer && 'content' in answer;
      // A stub is sent again for as long as it leads nowhere and something else serves.
      if (!isThere || answer.content.word !== served?.word || answer.content.refresh) return [];
      if (this.past.staying.has(path)) return [];
      const statuses = this.server.requests.filter((seen) => seen.path === path).map(({ status }) => status);
      const expected = validatorOf(path) === false ? 200 : 304;
      const isCheap =
        statuses.every((status) => status === expected || (fresh.has(path) && status === 200)) &&
        statuses.length > 0;
      const isOnce = statuses.length === 1 || site.maxDepth !== undefined;
      return isCheap && isOnce ? [] : `${path} has not changed and answers ${statuses.join(', ')}`;
    });
  }

  private configOf({ include, exclude, maxDepth, maxPages }: RandomSite): Record<string, unknown> {
    const patterns = (beginnings: readonly string[]): string[] => beginnings.map((path) => `${path}**`);
    const limits = {
      ...(maxDepth !== undefined && { maxDepth }),
      ...(maxPages !== undefined && { maxPages }),
    };
    return {
      source_url: this.server.url(START),
      render: 'never',
      include: patterns(include),
      exclude: patterns(exclude),
      ...limits,
    };
  }
}

const OPEN =
  /leads to may be missing|Nothing leads to|The sitemap .* (is|could)|The page that the site starts with/;

function observedIn({ error }: Datasource, states: PageStates): Observed {
  const isSaid = error?.code === 'PARTIAL' || error === null;
  return { states, isOpen: isSaid ? OPEN.test(error?.message ?? '') : null };
}

/** What the site says of itself has to go with what its pages say. */
function wrongAbout({ error }: Datasource, states: PageStates): string[] {
  const all = Object.values(states);
  const failed = all.filter((state) => state !== 'synched').length;
  const isOpen = OPEN.test(error?.message ?? '');
  const ofNone = failed > 0 ? 'SITE_FAILED' : 'SITE_EMPTY';
  const ofSome = failed > 0 || isOpen ? 'PARTIAL' : undefined;
  const expected = all.length === failed ? ofNone : ofSome;
  const said = [...(error?.message ?? '').matchAll(/(\d+) pages? could not/g)];
  const sum = said.reduce((pages, [, some]) => pages + Number(some), 0);
  if (error?.code === expected && (expected !== 'PARTIAL' || sum === failed)) return [];
  return [`the site says ${error?.code}: ${error?.message}, and ${failed} of its ${all.length} pages failed`];
}
