import { createServer, type Server, type ServerResponse } from 'node:http';
import { type Datasource, datasourceSchema } from '@citewell/contracts/schemas';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
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
    beforeAll(() => server.start());
    afterAll(() => server.stop());

    const finished = async (path: string, fields: object = {}): Promise<Datasource> => {
      const { alice } = play();
      const { id: datastoreId } = await alice.datastore();
      const url = path.startsWith('/') ? `${server.origin}${path}` : path;
      const body = { type: 'web_page', datastoreId, config: { source_url: url }, ...fields };
      const created = (await alice.api.post('/datasources', body)).as(datasourceSchema.strict());
      return alice.waitUntilFinished(created.id);
    };

    it('are fetched again by an upsert, with the new configuration', async () => {
      const { alice } = play();
      const { id: datastoreId } = await alice.datastore();
      const upsert = async (path: string): Promise<Datasource> => {
        const config = { source_url: server.origin + path };
        const body = { type: 'web_page', datastoreId, custom_id: 'page', upsert: true, config };
        const { id } = (await alice.api.post('/datasources', body)).as(datasourceSchema.strict());
        return alice.waitUntilSynched(id);
      };
      const created = await upsert('/beacons');
      const replaced = await upsert('/plain');
      expect([replaced.id, replaced.revision]).toEqual([created.id, 2]);
      expect(replaced.config).toEqual({ source_url: `${server.origin}/plain` });
      expect((await alice.search(datastoreId, 'foghorn'))[0]?.text).toMatch(/foghorn/);
    });

    it('are fetched, indexed and cited by their address', async () => {
      const { alice } = play();
      const page = await finished('/beacons', { custom_id: 'beacon' });
      expect([page.status, page.error]).toEqual(['synched', null]);
      const url = `${server.origin}/beacons`;
      expect([page.name, page.customId, page.config]).toEqual([url, 'beacon', { source_url: url }]);
      const [found] = await alice.search(page.datastoreId, 'When was Skerryvore lit?');
      expect(found?.text ?? '').toMatch(/1844/);
      expect(found?.source.startsWith(url)).toBe(true);
      const agent = await alice.agent({ datastoreIds: [page.datastoreId] });
      const { sources } = await alice.ask(agent.id, 'When was the beacon of Skerryvore lit?');
      expect([sources[0]?.source_url, sources[0]?.datasource_type]).toEqual([url, 'web_page']);
    });

    it('follow redirects, and may be of any supported type', async () => {
      expect((await finished('/moved')).status).toBe('synched');
      expect((await finished('/plain', { name: 'Foghorn' })).name).toBe('Foghorn');
    });

    it('keep their revision when they are synced unchanged, and get the next one when they changed', async () => {
      const { alice } = play();
      const { id, datastoreId } = await finished('/beacons');
      await alice.api.post(`/datasources/${id}/sync`);
      expect((await alice.waitUntilSynched(id)).revision).toBe(1);
      server.page = PAGE.replace('1844', '1845');
      await alice.api.post(`/datasources/${id}/sync`);
      const changed = await alice.waitUntilSynched(id);
      server.page = PAGE;
      expect(changed.revision).toBe(2);
      const found = await alice.search(datastoreId, 'Skerryvore lit');
      expect(found.every((item) => !item.text.includes('1844'))).toBe(true);
      expect(found.length).toBeGreaterThan(0);
    });

    it('fail with an error, and keep their content when a sync fails', async () => {
      const { alice } = play();
      const missing = await finished('/missing');
      expect([missing.status, missing.error?.code]).toEqual(['error', 'PAGE_REFUSED']);
      for (const blocked of [
        '/escape',
        'http://10.1.2.3/',
        'http://[::ffff:10.0.0.1]/',
        'http://127.0.0.1:22/',
      ]) {
        const page = await finished(blocked);
        expect([blocked, [page.status, page.error?.code]]).toEqual([blocked, ['error', 'ADDRESS_BLOCKED']]);
        expect(page.error?.retryable).toBe(false);
      }
      const good = await finished('/beacons');
      const config = { source_url: `${server.origin}/refused` };
      (await alice.api.patch(`/datasources/${good.id}`, { config })).assertOk();
      await alice.api.post(`/datasources/${good.id}/sync`);
      const failed = await alice.waitUntilFinished(good.id);
      expect([failed.status, failed.revision]).toEqual(['error', 1]);
      expect((await alice.search(good.datastoreId, 'Skerryvore')).length).toBeGreaterThan(0);
    });
  });
};
