import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { DataSource } from 'typeorm';
import { BlobRepository } from '../content/blobs/blob.repository.js';
import { SmallBlobRepository } from '../content/blobs/small-blob.repository.js';
import { HOLDER, TestTenant, WORKER } from '../fixtures/tenant.fixtures.js';
import { TestServer } from '../fixtures/test-server.fixtures.js';
import { SessionRepository } from '../identity/sign-in/session.repository.js';
import { FinishCrawlRepository } from '../ingestion/crawling/finish-crawl.repository.js';
import { SitePreviewRepository } from '../ingestion/crawling/site-preview.repository.js';
import { GroupRunRepository } from '../ingestion/runs/group-run.repository.js';
import { RebuildRepository } from '../ingestion/runs/rebuild.repository.js';
import { DoctorRepository } from '../operations/doctor.repository.js';
import type { RunEntity } from './ingestion.entities.js';

const server = new TestServer();
let dataSource: DataSource;
let tenant: TestTenant;
let run: RunEntity;
beforeAll(async () => {
  dataSource = await server.database();
  tenant = await TestTenant.create(dataSource);
  const { current } = await tenant.datasource();
  run = current as RunEntity;
});
afterAll(() => server.close());

/** The tests of other packages call these methods. Here they are called so that their row types are checked. */
const CALLS: Record<string, () => Promise<unknown>> = {
  'small blobs': async () => {
    const blobs = new SmallBlobRepository(dataSource);
    await blobs.put('k', Buffer.from('x'));
    for await (const { key } of blobs.list('')) await blobs.known([key]);
    return [await blobs.find('k'), await blobs.size('k')];
  },
  'recognized pages': () => new BlobRepository(dataSource).recognizedPages(run),
  'new pages': () =>
    new FinishCrawlRepository(dataSource, HOLDER, new GroupRunRepository(dataSource, WORKER)).newPages(run),
  rebuild: () => new RebuildRepository(dataSource).start([{ runId: run.id, datasourceId: run.datasourceId }]),
  'count of rebuilds': () => new RebuildRepository(dataSource).count(),
  'facts of runs': () => new DoctorRepository(dataSource).runs([run.id]),
  'ownerless blobs': () => new DoctorRepository(dataSource).ownerlessBlobs(),
  'stuck runs': () => new DoctorRepository(dataSource).stuckRuns(null, 0),
  'overdue purges': () => new DoctorRepository(dataSource).overduePurges(null, 0),
  session: () => new SessionRepository(dataSource).authenticate('hash'),
  'site preview': async () => {
    const previews = new SitePreviewRepository(dataSource);
    await previews.request(tenant.scope, {});
    return previews.claim();
  },
};

it.each(Object.keys(CALLS))('%s', async (name) => {
  expect(await CALLS[name]?.().then(() => 'sent')).toBe('sent');
});
