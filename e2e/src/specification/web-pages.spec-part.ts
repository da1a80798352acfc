import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import { after, before, describe, it } from 'node:test';
import { type Datasource, datasourceSchema } from '@citewell/contracts/http';
import type { SpecificationPart } from './describe-specification.js';

const PAGE = `<!doctype html><html lang="en"><head><title>Beacons</title></head><body>
<main><h1>Beacons</h1><p>The beacon of Skerryvore was lit in 1844 and stands on a reef.</p></main></body></html>`;

/** A web server of the outside world, as far as loopback can be one. */
class OutsideServer {
  page = PAGE;
  private server: Server | undefined;

  get origin(): string {
    const address = this.server?.address();
    if (!address || typeof address !== 'object') throw new Error('not listening');
    return `http://127.0.0.1:${address.port}`;
  }

  async start(): Promise<void> {
    this.server = createServer((request, response) => {
      switch (request.url) {
        case '/beacons':
          return response.setHeader('content-type', 'text/html; charset=utf-8').end(this.page);
        case '/moved':
          return response.writeHead(301, { location: '/beacons' }).end();
        case '/plain':
          return response.setHeader('content-type', 'text/plain').end('Plain words of a foghorn.');
        case '/refused':
          return response.writeHead(403).end('members only');
        case '/escape':
          return response.writeHead(302, { location: 'http://169.254.169.254/latest/meta-data' }).end();
        default:
          return response.writeHead(404).end('nothing here');
      }
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
    const outside = new OutsideServer();
    before(() => outside.start());
    after(() => outside.stop());

    const settled = async (path: string, fields: object = {}): Promise<Datasource> => {
      const { alice } = play();
      const { id: datastoreId } = await alice.datastore();
      const url = path.startsWith('/') ? `${outside.origin}${path}` : path;
      const body = { type: 'web_page', datastoreId, config: { source_url: url }, ...fields };
      const created = (await alice.api.post('/datasources', body)).as(datasourceSchema.strict());
      return alice.waitUntilFinished(created.id);
    };

    it('are fetched, read and cited by their address', async () => {
      const { alice } = play();
      const page = await settled('/beacons', { custom_id: 'beacon' });
      assert.deepEqual([page.status, page.error], ['synched', null]);
      const url = `${outside.origin}/beacons`;
      assert.deepEqual([page.name, page.customId, page.config], [url, 'beacon', { source_url: url }]);
      const [found] = await alice.search(page.datastoreId, 'When was Skerryvore lit?');
      assert.match(found?.text ?? '', /1844/);
      assert.ok(found?.source.startsWith(url));
      const agent = await alice.agent({ datastoreIds: [page.datastoreId] });
      const { sources } = await alice.ask(agent.id, 'When was the beacon of Skerryvore lit?');
      assert.deepEqual([sources[0]?.source_url, sources[0]?.datasource_type], [url, 'web_page']);
    });

    it('follow redirects, and are read as what they are', async () => {
      assert.equal((await settled('/moved')).status, 'synched');
      assert.equal((await settled('/plain', { name: 'Foghorn' })).name, 'Foghorn');
    });

    it('sync: an unchanged page keeps its revision, a changed one gets the next', async () => {
      const { alice } = play();
      const { id, datastoreId } = await settled('/beacons');
      await alice.api.post(`/datasources/${id}/sync`);
      assert.equal((await alice.waitUntilSynched(id)).revision, 1);
      outside.page = PAGE.replace('1844', '1845');
      await alice.api.post(`/datasources/${id}/sync`);
      const changed = await alice.waitUntilSynched(id);
      outside.page = PAGE;
      assert.equal(changed.revision, 2);
      const found = await alice.search(datastoreId, 'Skerryvore lit');
      assert.ok(found.every((item) => !item.text.includes('1844')) && found.length > 0);
    });

    it('end as errors that say why, and a failed sync keeps what was there', async () => {
      const { alice } = play();
      const missing = await settled('/missing');
      assert.deepEqual([missing.status, missing.error?.code], ['error', 'PAGE_REFUSED']);
      for (const blocked of [
        '/escape',
        'http://10.1.2.3/',
        'http://[::ffff:10.0.0.1]/',
        'http://127.0.0.1:22/',
      ]) {
        const page = await settled(blocked);
        assert.deepEqual([page.status, page.error?.code], ['error', 'ADDRESS_BLOCKED'], blocked);
        assert.equal(page.error?.retryable, false);
      }
      const good = await settled('/beacons');
      const config = { source_url: `${outside.origin}/refused` };
      (await alice.api.patch(`/datasources/${good.id}`, { config })).assertOk();
      await alice.api.post(`/datasources/${good.id}/sync`);
      const failed = await alice.waitUntilFinished(good.id);
      assert.deepEqual([failed.status, failed.revision], ['error', 1]);
      assert.ok((await alice.search(good.datastoreId, 'Skerryvore')).length > 0);
    });
  });
};
