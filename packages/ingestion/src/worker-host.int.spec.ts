import { createDataSource, migrate, RunDispatchRepository } from '@citewell/database';
import { createLogger } from '@citewell/observability';
import { connectQueue, JobProducer, migrateQueue } from '@citewell/queue';
import { createTestDatabase, type TestDatabase } from '@citewell/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { WorkerHost } from './worker-host.js';

const payload = {
  organizationId: '0190a5a4-0000-7000-8000-000000000001',
  datasourceId: '0190a5a4-0000-7000-8000-000000000002',
  runId: '0190a5a4-0000-7000-8000-000000000003',
  delivery: 1,
};

describe('worker host', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterAll(() => database.drop());

  it('is registered while it takes jobs, and removed when it has stopped', async () => {
    const { url } = database;
    const dataSource = await createDataSource({ url, poolSize: 4, applicationName: 'test' }).initialize();
    await migrate(dataSource, () => migrateQueue(url));
    const dispatch = new RunDispatchRepository(dataSource);
    const connection = connectQueue({ postgresUrl: url, connections: 3 }, 1);
    const producer = new JobProducer(connection);
    let finish: () => void = () => undefined;
    const taken = new Promise<string>((resolve) => {
      finish = () => resolve('taken');
    });
    const host = new WorkerHost({
      queue: 'parse',
      handlers: { 'parse-document': async () => finish() },
      slots: 3,
      connection,
      dispatch,
      processName: 'worker-test',
      logger: createLogger('test', 'silent'),
    });
    try {
      await host.start();
      const workers = await dataSource.query('SELECT queue, slots FROM workers');
      expect(workers).toEqual([{ queue: 'parse', slots: 3 }]);
      await producer.add('parse-document', payload, { jobId: 'a', priority: 1 });
      expect(await taken).toBe('taken');
      await host.stop(100);
      expect(await dataSource.query('SELECT 1 FROM workers')).toEqual([]);
    } finally {
      await host.stop(0);
      await producer.close();
      await connection.close();
      await dataSource.destroy();
    }
  });
});
