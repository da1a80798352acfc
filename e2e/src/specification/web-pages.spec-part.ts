import assert from 'node:assert/strict';
import { createServer, type Server, type ServerResponse } from 'node:http';
import { after, before, describe, it } from 'node:test';
import { type Datasource, datasourceSchema } from '@citewell/contracts/http';
import type { SpecificationPart } from './describe-specification.js';

const PAGE = `<!doctype html><html lang="en"><head><title>Beacons</title></head><body>
<main><h1>Beacons</h1><p>The beacon of Skerryvore was lit in 1844 and stands on a reef.</p></main></body></html>`;

/** A web server on loopback. */
class PageServer {
  page = PAGE;
  private server: Server | undefined;

  get origin(): string {
    const address = this.server?.address();
    if (!address || typeof address !== 'object') throw new Error('not listening');
    return `http://127.0.0.1:${address.port}`;
  }

  async start(): Promise<void> {
    const answers: Record<string, (response: ServerResponse) => unknown> = {
      '/beacons': (response) => response.setHeader('content-type', 'text/html; charset=utf-8').end(this.page),
      '/moved': (response) => response.writeHead(301, { location: '/beacons' }).end(),
      '/plain': (response) =>
        response.setHeader('content-type', 'text/plain').end('Plain words of a foghorn.'),
      '/refused': (response) => response.writeHead(403).end('members only'),
      '/escape': (response) =>
        response.writeHead(302, { location: 'http://169.254.169.254/latest/meta-data' }).end(),
    };
    this.server = createServer(({ url = '' }, response) => {
      const answer = answers[url] ?? (() => response.writeHead(404).end('nothing here'));
      answer(response);
    });
    await new Promise<void>((listening) => this.server?.listen(0, '127.0.0.1', listening));
  }

  stop(): void {
    this.server?.close();
    this.server?.closeAllConnections();
  }
}

export const webPages: SpecificationPart = (play) => {
  describe('web pages', () => {
    const server = new PageServer();
    before(() => server.start());
    after(() => server.stop());

    const finished = async (path: string, fields: object = {}): Promise<Datasource> => {
      const { alice } = play();
      const { id: datastoreId } = await alice.datastore();
      const url = path.startsWith('/') ? `${server.origin}${path}` : path;
      const body = { type: 'web_page', datastoreId, config: { source_url: url }, ...fields };
      const created = (await alice.api.post('/datasources', body)).as(datasourceSchema.strict());
      return alice.waitUntilFinished(created.id);
    };

    it('are fetched, indexed and cited by their address', async () => {
      const { alice } = play();
      const page = await finished('/beacons', { custom_id: 'beacon' });
      assert.deepEqual([page.status, page.error], ['synched', null]);
      const url = `${server.origin}/beacons`;
      assert.deepEqual([page.name, page.customId, page.config], [url, 'beacon', { source_url: url }]);
      const [found] = await alice.search(page.datastoreId, 'When was Skerryvore lit?');
      assert.match(found?.text ?? '', /1844/);
      assert.ok(found?.source.startsWith(url));
      const agent = await alice.agent({ datastoreIds: [page.datastoreId] });
      const { sources } = await alice.ask(agent.id, 'When was the beacon of Skerryvore lit?');
      assert.deepEqual([sources[0]?.source_url, sources[0]?.datasource_type], [url, 'web_page']);
    });

    it('follow redirects, and may be of any supported type', async () => {
      assert.equal((await finished('/moved')).status, 'synched');
      assert.equal((await finished('/plain', { name: 'Foghorn' })).name, 'Foghorn');
    });

    it('keep their revision when they are synced unchanged, and get the next one when they changed', async () => {
      const { alice } = play();
      const { id, datastoreId } = await finished('/beacons');
      await alice.api.post(`/datasources/${id}/sync`);
      assert.equal((await alice.waitUntilSynched(id)).revision, 1);
      server.page = PAGE.replace('1844', '1845');
      await alice.api.post(`/datasources/${id}/sync`);
      const changed = await alice.waitUntilSynched(id);
      server.page = PAGE;
      assert.equal(changed.revision, 2);
      const found = await alice.search(datastoreId, 'Skerryvore lit');
      assert.ok(found.every((item) => !item.text.includes('1844')) && found.length > 0);
    });

    it('fail with an error, and keep their content when a sync fails', async () => {
      const { alice } = play();
      const missing = await finished('/missing');
      assert.deepEqual([missing.status, missing.error?.code], ['error', 'PAGE_REFUSED']);
      for (const blocked of [
        '/escape',
        'http://10.1.2.3/',
        'http://[::ffff:10.0.0.1]/',
        'http://127.0.0.1:22/',
      ]) {
        const page = await finished(blocked);
        assert.deepEqual([page.status, page.error?.code], ['error', 'ADDRESS_BLOCKED'], blocked);
        assert.equal(page.error?.retryable, false);
      }
      const good = await finished('/beacons');
      const config = { source_url: `${server.origin}/refused` };
      (await alice.api.patch(`/datasources/${good.id}`, { config })).assertOk();
      await alice.api.post(`/datasources/${good.id}/sync`);
      const failed = await alice.waitUntilFinished(good.id);
      assert.deepEqual([failed.status, failed.revision], ['error', 1]);
      assert.ok((await alice.search(good.datastoreId, 'Skerryvore')).length > 0);
    });
  });
};
