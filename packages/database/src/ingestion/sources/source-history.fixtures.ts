import assert from 'node:assert/strict';
import type { DataSource } from 'typeorm';
import { newId } from '../../connection/new-id.js';
import { TenantScope } from '../../connection/tenant-scope.js';
import { PassageRepository } from '../../content/datasources/passage.repository.js';
import type { DocumentAccess } from '../../content/readers/principals.js';
import { Random } from '../../fixtures/random.fixtures.js';
import { valueOf } from '../../fixtures/result.fixtures.js';
import { HOLDER, TestTenant, WORKER } from '../../fixtures/tenant.fixtures.js';
import { PersonRepository } from '../../identity/people/person.repository.js';
import type { RunEntity } from '../../schema/ingestion.entities.js';
import { GroupRunRepository } from '../runs/group-run.repository.js';
import { SourceDocumentRepository } from './source-document.repository.js';
import type { FetchOutcome, ListedPage } from './source-documents.js';
import { SourceSyncRepository } from './source-sync.repository.js';

const PEOPLE = ['ada', 'bob', 'eve'];
const GROUPS = ['Finance', 'Board'];
const IDS = ['1', '2', '3', '4'];
/** Of those that a history has, after its first sync. */
const STEPS = 6;
const PAGE = 2;

interface Original {
  path: string;
  content: string;
  access: DocumentAccess;
}

/** What a page of an inventory said of a document. */
interface Listing {
  version: string;
  access: DocumentAccess;
}

/**
 * A random history of a source whose documents name their readers: they are shared, revoked, renamed, changed, deleted and
 * return; groups change; syncs list, fetch, index, end, and are cancelled at any place. After each step, what each person
 * sees is compared with a model that knows only what was listed.
 */
export class SourceHistory {
  private readonly random: Random;
  private readonly originals = new Map<string, Original>();
  private readonly groups = new Map<string, string[]>();
  /** All that pages said of a document, the newest last. */
  private readonly listings = new Map<string, Listing[]>();
  private listedGroups = new Map<string, string[]>();
  /** Texts of serving runs. */
  private readonly texts = new Map<string, string>();
  private readonly scopes = new Map<string, TenantScope>();
  private run: RunEntity | null = null;
  private versions = 0;
  /** The source changes no more, and everything can be read. */
  private isQuiet = false;
  /** How often a person saw a document that names its readers. */
  seen = 0;

  private constructor(
    private readonly tenant: TestTenant,
    private readonly sourceId: string,
    private readonly seed: number,
    private readonly groupRuns: GroupRunRepository,
    private readonly syncs: SourceSyncRepository,
  ) {
    this.random = new Random(seed);
  }

  static async create(dataSource: DataSource, seed: number): Promise<SourceHistory> {
    const tenant = await TestTenant.create(dataSource);
    const fields = { type: 'source', name: 'source', content: null, mimeType: null } as const;
    const { datasource } = await tenant.datasource(fields);
    const groupRuns = new GroupRunRepository(dataSource, WORKER);
    const syncs = new SourceSyncRepository(dataSource, HOLDER, groupRuns);
    const history = new SourceHistory(tenant, datasource.id, seed, groupRuns, syncs);
    await history.invite();
    return history;
  }

  /** @throws AssertionError when somebody sees too much, or at the end too little */
  async play(): Promise<void> {
    for (const id of IDS) this.change(id);
    await this.begin();
    await this.finishSync();
    for (let step = 0; step < STEPS; step += 1) {
      this.changeSource();
      await this.work();
      await this.compare(`step ${step}`, false);
    }
    this.isQuiet = true;
    // Two syncs: the second widens what waited for a new text.
    for (const _ of [1, 2]) {
      await this.cancel();
      await this.begin();
      await this.finishSync();
    }
    await this.compare('the end', true);
    await this.tenant.datasources.markDeleted(this.tenant.scope, this.sourceId);
  }

  private async invite(): Promise<void> {
    const { dataSource, organizationId, scope } = this.tenant;
    const roles = ['owner', 'editor', 'member'] as const;
    for (const [index, name] of PEOPLE.entries()) {
      const role = roles[(index + this.random.below(3)) % 3] ?? 'member';
      const link = { linkHash: newId(), linkExpiresAt: new Date(Date.now() + 60_000) };
      const fields = { email: emailOf(name), role, ...link };
      const { id: personId } = valueOf(await new PersonRepository(dataSource).invite(scope, fields));
      this.scopes.set(name, new TenantScope(organizationId, { personId, role }));
    }
    this.scopes.set('nobody', scope);
  }

  /** Up to three changes in the source. */
  private changeSource(): void {
    for (let count = this.random.below(4); count > 0; count -= 1) {
      const id = IDS[this.random.below(IDS.length)] ?? '1';
      const group = GROUPS[this.random.below(GROUPS.length)] ?? '';
      const change = [
        () => this.share(id),
        () => this.share(id),
        () => this.change(id),
        () => this.rename(id),
        () => this.originals.delete(id),
        () => this.groups.set(group, this.random.some(PEOPLE, 0.5)),
      ][this.random.below(6)];
      change?.();
    }
  }

  /** A part of a sync. */
  private async work(): Promise<void> {
    const kind = this.random.below(8);
    if (kind === 0) return this.cancel();
    if (kind === 1) return this.serveSome();
    if (this.run === null) await this.begin();
    if (kind < 4) await this.listPage();
    else if (kind < 6) await this.fetchSome();
    else await this.finishSync();
  }

  private share(id: string): void {
    const original = this.originals.get(id);
    if (original) original.access = this.anyAccess();
  }

  /** A new text, with the readers that it had, or others at the same time. A deleted document returns. */
  private change(id: string): void {
    const known = this.originals.get(id);
    this.versions += 1;
    const keeps = known !== undefined && this.random.below(2) === 0;
    this.originals.set(id, {
      path: known?.path ?? `${id}.txt`,
      content: `${id}-${this.versions}`,
      access: keeps ? known.access : this.anyAccess(),
    });
  }

  /** Half of the sources give a moved document another id. */
  private rename(id: string): void {
    const original = this.originals.get(id);
    if (original === undefined) return;
    const other = IDS.find((one) => !this.originals.has(one));
    this.versions += 1;
    this.originals.delete(id);
    const to = other !== undefined && this.random.below(2) === 0 ? other : id;
    const access = this.random.below(2) === 0 ? original.access : this.anyAccess();
    this.originals.set(to, { ...original, access, path: `moved-${this.versions}/${to}.txt` });
  }

  private anyAccess(): DocumentAccess {
    if (this.random.below(4) === 0) return 'library';
    return {
      people: this.random.some(PEOPLE, 0.5).map((name) => emailOf(name).toUpperCase()),
      groups: this.random.some(GROUPS, 0.5),
    };
  }

  private async begin(): Promise<void> {
    await this.tenant.datasources.sync(this.tenant.scope, this.sourceId);
    ({ run: this.run } = await this.tenant.take(this.sourceId, 'listing'));
    await this.syncs.begin(this.run, {});
  }

  private async cancel(): Promise<void> {
    this.run = null;
    await this.tenant.lifecycle.cancel(this.tenant.scope, this.sourceId);
    if (this.random.below(2) === 0) await this.groupRuns.cancelPages(this.tenant.scope, this.sourceId);
  }

  /** @returns whether everything is listed */
  private async listPage(): Promise<boolean> {
    assert.ok(this.run);
    const { cursor, listedAt } = await this.syncs.begin(this.run, {});
    if (listedAt !== null) return true;
    const rest = IDS.filter((id) => this.originals.has(id) && (cursor === null || id > cursor));
    const ids = rest.slice(0, PAGE);
    const next = rest.length > PAGE ? (ids.at(-1) ?? null) : null;
    const unread = ids.filter(() => !this.isQuiet && this.random.below(12) === 0);
    const documents = ids.flatMap((id) => {
      const original = this.originals.get(id);
      if (original === undefined || unread.includes(id)) return [];
      const { path, content: version, access } = original;
      this.listings.set(id, [...(this.listings.get(id) ?? []), { version, access }]);
      const rest = { bytes: null, modifiedAt: null, url: null, isWanted: true };
      return { documentId: id, path, version, access, ...rest };
    });
    for (const id of unread) {
      const known = this.listings.get(id);
      const access = known?.at(-1)?.access;
      // A reader whom the source names may have been revoked.
      if (known && access !== undefined && access !== 'library')
        known.push({ version: '', access: { people: [], groups: [] } });
    }
    const page: ListedPage = {
      documents,
      unavailable: unread.map((id) => ({
        documentId: id,
        path: this.originals.get(id)?.path ?? id,
        reason: 'locked',
        isFolder: false,
        isRestricted: false,
      })),
      groups: [...this.groups].map(([name, people]) => ({ name, people: people.map(emailOf) })),
      cursor: next,
    };
    await this.syncs.recordPage(this.run, page);
    this.listedGroups = new Map(this.groups);
    return next === null;
  }

  private async fetchSome(limit = 1 + this.random.below(3)): Promise<void> {
    assert.ok(this.run);
    const due = await this.syncs.due(this.run, limit);
    const outcomes: FetchOutcome[] = [];
    for (const document of due) {
      const original = this.originals.get(document.documentId);
      if (original === undefined) {
        outcomes.push({ ...document, reason: 'gone', version: null });
        continue;
      }
      const { content: version } = original;
      const isNew = document.datasourceId === null;
      const datasourceId = document.datasourceId ?? newId();
      const content = { ...(await this.tenant.upload(datasourceId)), sha256: version };
      const fetched = { datasourceId, isNew, mimeType: 'text/plain', content };
      outcomes.push({ ...document, reason: null, version, ...fetched });
    }
    await this.syncs.recordFetched(this.run, outcomes);
  }

  private async finishSync(): Promise<void> {
    while (!(await this.listPage())) await this.compare('a page', false);
    await this.compare('the last page', false);
    assert.ok(this.run);
    while ((await this.syncs.due(this.run, 1)).length > 0) {
      await this.fetchSome();
      await this.compare('a fetch', false);
    }
    const missing = await this.syncs.missing(this.run);
    await this.syncs.finish(
      this.run,
      missing.map(({ datasourceId }) => datasourceId),
      { repeatsFailed: true, warning: null, progress: { done: 1, total: 1 } },
    );
    this.run = null;
    await this.compare('the list', false);
    await this.serveSome(1);
    await this.groupRuns.finishWaitingGroups();
  }

  /** Indexes new texts. */
  private async serveSome(share = 0.5): Promise<void> {
    const { dataSource, organizationId } = this.tenant;
    const rows: { id: string; content: string }[] = await dataSource.query(
      `SELECT d.id, b.sha256 AS content FROM runs r JOIN datasources d ON d.id = r.datasource_id JOIN blobs b ON b.key = d.content_key
        WHERE r.organization_id = $1 AND r.state IN ('pending', 'queued') AND r.group_id = $2 ORDER BY d.id`,
      [organizationId, this.sourceId],
    );
    for (const { id, content } of rows) {
      if (share < 1 && this.random.below(2) === 0) continue;
      // The claim of another run has taken it, too.
      await dataSource.query(
        `UPDATE runs SET state = 'pending' WHERE datasource_id = $1 AND state = 'queued'`,
        [id],
      );
      this.texts.set(await this.tenant.serve(id), content);
    }
  }

  private mayRead(name: string, access: DocumentAccess): boolean {
    if (access === 'library') return true;
    const email = emailOf(name).toUpperCase();
    return (
      access.people.includes(email) ||
      access.groups.some((group) => this.listedGroups.get(group)?.includes(name))
    );
  }

  /** @param isQuiet nothing is under way: everybody sees what is theirs, too */
  private async compare(step: string, isQuiet: boolean): Promise<void> {
    const { dataSource, datastoreId } = this.tenant;
    const rows: { id: string; documentId: string }[] = await dataSource.query(
      `SELECT datasource_id AS id, document_id AS "documentId" FROM source_documents
        WHERE source_id = $1 AND datasource_id IS NOT NULL`,
      [this.sourceId],
    );
    const documentOf = new Map(rows.map(({ id, documentId }) => [id, documentId]));
    for (const [name, scope] of this.scopes) {
      // A half of the callers at each step: there are many steps.
      if (!isQuiet && this.random.below(2) === 0) continue;
      const where = `seed ${this.seed}, ${step}, ${name}`;
      const visible = await new PassageRepository(dataSource).visible(
        scope,
        [datastoreId],
        [...documentOf.keys()],
      );
      for (const { datasourceId, runId } of visible.values()) {
        const id = documentOf.get(datasourceId) ?? '';
        const text = this.texts.get(runId);
        const listings = this.listings.get(id) ?? [];
        const now = listings.at(-1)?.access ?? 'library';
        const ofText = listings.findLast(({ version }) => version === text)?.access ?? now;
        assert.ok(this.mayRead(name, now), `${where} reads ${id}, whose readers are ${JSON.stringify(now)}`);
        assert.ok(this.mayRead(name, ofText), `${where} reads ${text}, for ${JSON.stringify(ofText)}`);
        if (now !== 'library') this.seen += 1;
      }
      if (isQuiet || this.random.below(3) === 0) await this.compareLists(name, scope, documentOf, where);
      if (!isQuiet) continue;
      const own = IDS.filter((id) => {
        const access = this.listings.get(id)?.at(-1);
        const original = this.originals.get(id);
        return (
          original !== undefined && access?.version === original.content && this.mayRead(name, access.access)
        );
      });
      const found = [...visible.values()].map(({ datasourceId }) => documentOf.get(datasourceId) ?? '');
      assert.deepEqual(found.toSorted(), own, `${where} sees all that is theirs`);
    }
  }

  private async compareLists(
    name: string,
    scope: TenantScope,
    documentOf: ReadonlyMap<string, string>,
    where: string,
  ): Promise<void> {
    const listed = await this.tenant.datasources.list(scope, { groupId: this.sourceId }, { limit: 99 });
    const isAny = { isSkipped: false };
    const documents = new SourceDocumentRepository(this.tenant.dataSource);
    const paths = await documents.list(scope, this.sourceId, isAny, { limit: 99 });
    for (const { datasource } of listed) {
      const now = this.listings.get(documentOf.get(datasource.id) ?? '')?.at(-1)?.access ?? 'library';
      assert.ok(this.mayRead(name, now), `${where} lists ${datasource.name}`);
    }
    for (const { path } of paths) {
      const id = IDS.find((one) => path.endsWith(`${one}.txt`)) ?? '';
      const now = this.listings.get(id)?.at(-1)?.access ?? 'library';
      assert.ok(this.mayRead(name, now), `${where} sees the path ${path}`);
    }
  }
}

function emailOf(name: string): string {
  return `${name}@example.com`;
}
