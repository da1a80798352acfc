import { setTimeout as sleep } from 'node:timers/promises';
import type { Datasource } from '@citewell/contracts/schemas';
import { expect } from '@jest/globals';
import { type Tenant, untilRecovered } from '../../client/tenant.js';
import type { Deployment } from '../../deployments/deployment.js';
import { ConnectedSource } from '../../fixtures/connected-source.js';
import { type Partner, PROGRAM_PAGE } from '../../ingestion/sources/partners.js';
import { report } from '../../report.js';
import { takeInventory } from './inventory.js';
import { withDatabase } from './postgres-connections.js';
import type { SeededRandom } from './seeded-random.js';

/** Documents that a crawler has fetched and not recorded, at most. */
const MAX_UNRECORDED = 32;
/** Longest time of a sync, with others on a busy machine. */
const LONGEST_MS = 600_000;
/** Rounds between two comparisons of all stores. */
const ROUNDS_PER_INVENTORY = 10;
/** Where a sync was when its process was killed. */
type Phase = 'waiting for a crawler' | 'listing' | 'fetching' | 'ingesting' | 'ended';

export interface SourceKillOptions {
  readonly deployment: Deployment;
  readonly partners: Readonly<Record<string, Partner>>;
  readonly random: SeededRandom;
  /** Documents of each partner in the first sync. */
  readonly documents: number;
  /** Documents that become others, or are added, before each other sync. */
  readonly changes: number;
  /** Kills before the end of a sync, of each partner. */
  readonly kills: number;
  /** Kills a process, and waits until the deployment is complete again. */
  readonly killAndRestart: () => Promise<void>;
}

/**
 * Syncs all partners at the same time, and kills a process at a random moment of each sync. After each, every source has the
 * documents of its partner once, with their ids of before, and nothing has been fetched that a kill does not explain.
 */
export async function compareSourcesWithKills(options: SourceKillOptions): Promise<void> {
  const { deployment, partners, random, documents, kills } = options;
  const followers = await Promise.all(
    Object.entries(partners).map(([name, partner]) => Follower.connect(deployment, name, partner, documents)),
  );
  // A sync without a kill tells how long one takes.
  await Promise.all(followers.map((one) => one.change(random, options.changes)));
  let started = performance.now();
  await Promise.all(followers.map((one) => one.begin()));
  await Promise.all(followers.map((one) => one.hasFollowed()));
  const longestMs = performance.now() - started;
  report(`a sync without a kill: ${Math.round(longestMs)} ms`);
  const tally = new Tally();
  let rounds = 0;
  started = performance.now();
  while (followers.some(({ name }) => tally.during(name) < kills)) {
    rounds += 1;
    await Promise.all(followers.map((one) => one.change(random, options.changes)));
    await Promise.all(followers.map((one) => one.begin()));
    // In its second half, documents are ingested that were fetched.
    await sleep(random.between(0, longestMs / 2));
    const phases = await phasesOf(deployment.databaseUrl, followers);
    await options.killAndRestart();
    for (const { name, id } of followers) tally.add(name, phases.get(id) ?? 'ended');
    await Promise.all(followers.map((one) => one.hasKept()));
    await Promise.all(followers.map((one) => one.hasFollowed()));
    if (rounds % ROUNDS_PER_INVENTORY === 0) {
      expect((await takeInventory(deployment)).problems).toEqual([]);
      report(`${rounds} kills in ${Math.round((performance.now() - started) / 1_000)} s\n${tally.text()}`);
    }
  }
  await Promise.all(followers.map((one) => one.hasAllTexts()));
  const inventory = await takeInventory(deployment);
  expect(inventory.problems).toEqual([]);
  report(`${rounds} kills, ${inventory.datasources} documents at the end\n${tally.text()}`);
}

/** A source, and the documents that it must have. */
class Follower {
  /** Texts by name. */
  private texts = new Map<string, string>();
  /** Ids of the documents of the last sync, by the names that they have now. */
  private ids = new Map<string, string>();
  /** Documents that have another text or name than in the last sync, or are new. */
  private changed = new Set<string>();
  private serial = 0;
  private constructor(
    private readonly deployment: Deployment,
    readonly name: string,
    private readonly partner: Partner,
    private readonly source: ConnectedSource,
  ) {}

  static async connect(
    deployment: Deployment,
    name: string,
    partner: Partner,
    documents: number,
  ): Promise<Follower> {
    const texts = Array.from({ length: documents }, (_, n) => [`doc-${n}`, textOf(n, 0)] as const);
    await partner.hold(new Map(texts));
    const source = await ConnectedSource.connect(deployment.tenant, partner.config, partner.secrets);
    const follower = new Follower(deployment, name, partner, source);
    follower.texts = new Map(texts);
    follower.serial = documents;
    await follower.hasFollowed();
    await partner.requests?.();
    return follower;
  }

  private get tenant(): Tenant {
    return this.deployment.tenant;
  }

  get id(): string {
    return this.source.id;
  }

  /** Lets the partner change. At most 8 documents go: more would be kept, and a person be asked. */
  async change(random: SeededRandom, count: number): Promise<void> {
    const { changes } = this.partner;
    for (let n = 0; n < count; n += 1) {
      const kind = random.pick([...changes, 'add']);
      const name = random.pick([...this.texts.keys()]);
      if (kind === 'change' && !this.changed.has(name)) this.set(name, textOf((this.serial += 1), 1));
      else if (kind === 'rename' && !this.changed.has(name)) this.rename(name);
      else if (kind === 'remove' && n < 8) this.forget(name);
      else this.set(`doc-${(this.serial += 1)}`, textOf(this.serial, 0));
    }
    await this.partner.hold(this.texts);
  }

  async begin(): Promise<void> {
    (await this.tenant.api.post(`/datasources/${this.id}/sync`, {})).assertOk();
  }

  /** Documents that the partner had before, and has now, are in the library, also after half of a sync. */
  async hasKept(): Promise<void> {
    const found = await untilRecovered(() => this.documents(), 'the documents');
    const ids = new Set(found.map(({ id }) => id));
    const lost = [...this.ids].filter(([, id]) => !ids.has(id)).map(([name]) => name);
    expect([this.name, lost]).toEqual([this.name, []]);
  }

  /** Waits for the end of the sync. */
  async hasFollowed(): Promise<void> {
    const end = await untilRecovered(
      async () => {
        const source = await this.tenant.datasource(this.id);
        return source.progress === null && source;
      },
      `the sync of ${this.name}`,
      LONGEST_MS,
    );
    expect([this.name, end.status, end.error]).toEqual([this.name, 'synched', null]);
    const documents = await this.documents();
    const names = documents.map((document) => nameOf(document));
    expect([this.name, names.toSorted()]).toEqual([this.name, [...this.texts.keys()].toSorted()]);
    const unlike = documents.filter(
      (document) =>
        document.status !== 'synched' || document.id !== (this.ids.get(nameOf(document)) ?? document.id),
    );
    expect([this.name, unlike]).toEqual([this.name, []]);
    const changed = documents.filter((document) => this.changed.has(nameOf(document)));
    await this.compareTexts(changed);
    await this.compareRequests();
    this.ids = new Map(documents.map((document) => [nameOf(document), document.id]));
    this.changed.clear();
  }

  async hasAllTexts(): Promise<void> {
    await this.compareTexts(await this.documents());
  }

  private documents(): Promise<Datasource[]> {
    return this.tenant.datasources(this.source.datastoreId, this.id);
  }

  private async compareTexts(documents: readonly Datasource[]): Promise<void> {
    for (const document of documents) {
      const text = await this.tenant.textOf(document.id);
      const name = nameOf(document);
      expect([this.name, name, text]).toEqual([
        this.name,
        name,
        expect.stringContaining(this.texts.get(name) ?? ''),
      ]);
    }
  }

  /** An interruption by a kill, or by a lease that ran out, repeats a page of the list or a batch of documents. */
  private async compareRequests(): Promise<void> {
    const requests = await this.partner.requests?.();
    if (requests === undefined || this.ids.size === 0) return;
    const pages = Math.ceil(this.texts.size / PROGRAM_PAGE);
    const interruptions = (await deliveriesOf(this.deployment.databaseUrl, this.id)) - 1;
    expect(requests.inventory).toBeLessThanOrEqual(pages + interruptions);
    expect(requests.fetch).toBeLessThanOrEqual(this.changed.size + interruptions * MAX_UNRECORDED);
  }

  private set(name: string, text: string): void {
    this.texts.set(name, text);
    this.changed.add(name);
  }

  private forget(name: string): void {
    this.texts.delete(name);
    this.ids.delete(name);
    this.changed.delete(name);
  }

  private rename(from: string): void {
    const [text = '', id] = [this.texts.get(from), this.ids.get(from)];
    this.forget(from);
    const to = `doc-${(this.serial += 1)}`;
    this.set(to, text);
    if (id !== undefined) this.ids.set(to, id);
  }
}

function nameOf({ customId }: Datasource): string {
  return /doc-\d+/.exec(customId ?? '')?.[0] ?? String(customId);
}

/** @param revision makes the text longer, where only sizes and seconds tell a change */
function textOf(serial: number, revision: number): string {
  return `Buoy number ${serial} is painted${' again'.repeat(revision)}.`;
}

class Tally {
  private readonly counts = new Map<string, Map<Phase, number>>();

  add(name: string, phase: Phase): void {
    const of = this.counts.get(name) ?? new Map<Phase, number>();
    of.set(phase, (of.get(phase) ?? 0) + 1);
    this.counts.set(name, of);
  }

  /** Kills before the end of the sync. */
  during(name: string): number {
    const of = [...(this.counts.get(name) ?? [])];
    return of.reduce((sum, [phase, n]) => (phase === 'ended' ? sum : sum + n), 0);
  }

  text(): string {
    return [...this.counts]
      .map(([name, of]) => `  ${name}: ${[...of].map(([phase, n]) => `${n} ${phase}`).join(', ')}`)
      .join('\n');
  }
}

async function phasesOf(url: string, followers: readonly Follower[]): Promise<Map<string, Phase>> {
  const ids = followers.map(({ id }) => id);
  const rows = await withDatabase(url, (dataSource) =>
    dataSource.query<{ id: string; state: string; listed: boolean }[]>(
      `SELECT r.datasource_id AS id, r.state, s.listed_at IS NOT NULL AS listed
         FROM runs r LEFT JOIN source_syncs s ON s.run_id = r.id
        WHERE r.datasource_id = ANY($1) AND r.state IN ('pending', 'queued', 'active', 'waiting')`,
      [ids],
    ),
  );
  return new Map(
    rows.map(({ id, state, listed }) => {
      if (state === 'waiting') return [id, 'ingesting'];
      if (state !== 'active') return [id, 'waiting for a crawler'];
      return [id, listed ? 'fetching' : 'listing'];
    }),
  );
}

/** How often the last run of a source was given to a crawler. */
async function deliveriesOf(url: string, sourceId: string): Promise<number> {
  const [row] = await withDatabase(url, (dataSource) =>
    dataSource.query<{ delivery: number }[]>(
      'SELECT delivery FROM runs WHERE datasource_id = $1 ORDER BY created_at DESC LIMIT 1',
      [sourceId],
    ),
  );
  return row?.delivery ?? 0;
}
