import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Tenant, until } from '../client/tenant.js';
import { EmbeddedDeployment } from '../deployments/embedded.deployment.js';
import { ScaledDeployment } from '../deployments/scaled.deployment.js';
import { article, TestSite } from '../ingestion/web-sites/test-site.js';

/** Shorter than the default, so that a test takes seconds. */
const WATCHDOG_SECONDS = 4;
/** Watchdog, twice, and two starts. */
const TIMEOUT_MS = 150_000;

describe('a blocked event loop', () => {
  let deployment: EmbeddedDeployment;
  beforeEach(async () => {
    deployment = await EmbeddedDeployment.create({
      WATCHDOG_SECONDS: String(WATCHDOG_SECONDS),
      ALLOW_PRIVATE_NETWORKS: '127.0.0.1/32',
      CRAWL_DELAY_MS: '0',
    });
  });
  afterEach(() => deployment.stop());

  /** Requests fail while the service starts again. */
  const answers = (): Promise<boolean> =>
    fetch(`${deployment.origin}/health/ready`, { signal: AbortSignal.timeout(1_000) }).then(
      ({ ok }) => ok,
      () => false,
    );

  it('in a document: it fails, others do not', async () => {
    await deployment.start({ CITEWELL_FAULT: 'after-write:1:block@poison.txt' });
    const { tenant } = deployment;
    const { id: datastoreId } = await tenant.datastore();
    const before = await tenant.text(datastoreId, 'The keel was laid in March.');
    const poison = JSON.parse(
      (
        await tenant.api.upload([
          ['datastoreId', datastoreId],
          ['file', new Blob(['The mast was stepped in June.']), 'poison.txt'],
        ])
      ).text,
    );
    await until(async () => !(await answers()), 'the block', TIMEOUT_MS);
    await until(answers, 'the restart', TIMEOUT_MS);
    const failed = await until(
      async () => {
        const found = await tenant.datasource(poison.id).catch(() => null);
        return found?.status === 'error' ? found : null;
      },
      'the end of the document',
      TIMEOUT_MS,
    );
    expect(failed.error).toMatchObject({ code: 'WORKER_CRASHED' });
    await until(answers, 'the restart', TIMEOUT_MS);
    expect(await tenant.datasource(before.id)).toEqual(before);
    const after = await tenant.text(datastoreId, 'The sails were bent in July.');
    expect(after.status).toBe('synched');
    const { output } = deployment.process;
    expect(output.match(/event loop was blocked/g)).toHaveLength(2);
    expect(output).toMatch(
      new RegExp(
        `"level":"fatal".*"datasourceId":"${poison.id}".*"stack":\\["reach .*fault-points\\.js:\\d+:\\d+"`,
      ),
    );
    const doctor = await deployment.citewell('doctor');
    expect([doctor.code, doctor.output]).toEqual([0, expect.any(String)]);
    const metrics = await (await fetch(`${deployment.origin}/metrics`)).text();
    expect(metrics).toMatch(/^citewell_recent_event_loop_blocks\{process="standalone".*\} 2$/m);
  }, 300_000);

  it('in the crawler: requests are answered meanwhile, and the site fails', async () => {
    const site = await TestSite.start();
    site.set('/', { body: article('start') });
    await deployment.start({ CITEWELL_FAULT: 'before-finish:1:block' });
    const { tenant } = deployment;
    const { id: datastoreId } = await tenant.datastore();
    const config = { source_url: site.url('/') };
    const created = await tenant.api.post('/datasources', { type: 'web_site', datastoreId, config });
    let missed = 0;
    const failed = await until(
      async () => {
        if (!(await answers())) missed += 1;
        const found = await tenant.datasource(JSON.parse(created.text).id);
        return found.status === 'error' ? found : null;
      },
      'the end of the site',
      TIMEOUT_MS,
    );
    expect(failed.error).toMatchObject({ code: 'WORKER_CRASHED' });
    expect(missed).toBe(0);
    expect(deployment.process.output.match(/event loop was blocked/g)).toHaveLength(2);
    await site.stop();
  }, 300_000);

  it('in an answer: the conversation has an error, and others are answered', async () => {
    await deployment.start({ CITEWELL_FAULT: 'before-answer:1:block@poison' });
    const { tenant } = deployment;
    const { id: datastoreId } = await tenant.datastore();
    await tenant.text(datastoreId, 'The keel was laid in March. A poison was found in the hold.');
    const agent = await tenant.agent({ datastoreIds: [datastoreId] });
    const question = { query: 'poison', streaming: true, resumable: true, conversationId: 'hold' };
    await tenant.api.post(`/agents/${agent.id}/query`, question).catch(() => undefined);
    await until(answers, 'the restart', TIMEOUT_MS);
    const failed = await until(
      async () => {
        const { messages } = JSON.parse((await tenant.api.get('/conversations/hold')).text);
        return messages[0]?.state === 'failed' ? messages[0] : null;
      },
      'the error of the answer',
      TIMEOUT_MS,
    );
    expect(failed).toMatchObject({ from: 'agent' });
    const { answer } = await tenant.ask(agent.id, 'When was the keel laid?');
    expect(answer).toContain('March');
  }, 300_000);
});

describe('a blocked event loop of the scaled deployment', () => {
  const BLOCK = { CITEWELL_FAULT: 'after-parse:1:block@poison.txt' };
  let deployment: ScaledDeployment;
  let isStopping = false;
  beforeAll(async () => {
    deployment = await ScaledDeployment.start({ WATCHDOG_SECONDS: String(WATCHDOG_SECONDS) }, [
      'api',
      'worker-indexer',
    ]);
  });
  afterAll(async () => {
    isStopping = true;
    await deployment.stop();
  });

  /** Starts the parser again whenever it ends, as an orchestrator does. @param ended the output of those that ended */
  function runParser(ended: string[]): void {
    const parser = deployment.launchApp('worker-parser', BLOCK);
    void parser.exited.then(() => {
      ended.push(parser.output);
      if (!isStopping) runParser(ended);
    });
  }

  it('ends the document after two deliveries, and nothing else', async () => {
    const ended: string[] = [];
    runParser(ended);
    const tenant = await Tenant.create(deployment);
    const { id: datastoreId } = await tenant.datastore();
    const file = new Blob(['The mast was stepped in June.']);
    const upload = await tenant.api.upload([
      ['datastoreId', datastoreId],
      ['file', file, 'poison.txt'],
    ]);
    const poison = JSON.parse(upload.text);
    const answersWithin = async (ms: number): Promise<boolean> =>
      (await fetch(`${deployment.origin}/health/ready`, { signal: AbortSignal.timeout(ms) })).ok;
    const failed = await until(
      async () => {
        expect(await answersWithin(10_000)).toBe(true);
        const found = await tenant.datasource(poison.id);
        return found.status === 'error' ? found : null;
      },
      'the end of the document',
      TIMEOUT_MS,
    );
    expect(failed.error).toMatchObject({ code: 'WORKER_CRASHED' });
    const after = await tenant.text(datastoreId, 'The sails were bent in July.');
    expect(after.status).toBe('synched');
    expect(ended).toEqual(Array(2).fill(expect.stringContaining(`"datasourceId":"${poison.id}"`)));
    const metrics = await (await fetch(`${deployment.origin}/metrics`)).text();
    expect(metrics).toMatch(/^citewell_recent_event_loop_blocks\{process="worker-parser".*\} 2$/m);
    const doctor = await deployment.citewell('doctor');
    expect([doctor.code, doctor.output]).toEqual([0, expect.any(String)]);
  }, 300_000);
});
