import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { readdir, readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { findChromium } from '@citewell/config';
import { processTree } from './process-tree.js';
import { type PageServer, startPageServer } from './render-pages.fixtures.js';
import { Renderer, type RendererOptions } from './renderer.js';

const chromium = await findChromium(process.env['CHROMIUM_PATH']);
const signal = new AbortController().signal;
const MEGABYTE = 1024 * 1024;
const foldersOf = (owner: number): RegExp => new RegExp(`citewell-browser-\\w+-${owner}-`);

/** All processes that have to do with a browser of a process, also those that have left its tree. */
async function browserProcesses(owner = process.pid): Promise<number> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const environments = await Promise.all(
    pids.map((pid) => readFile(`/proc/${pid}/environ`, 'latin1').catch(() => '')),
  );
  return environments.filter((text) => foldersOf(owner).test(text)).length;
}

async function childrenOf(owner: number): Promise<number[]> {
  return (await processTree(owner)).filter(({ parentPid }) => parentPid === owner).map(({ pid }) => pid);
}

async function foldersLeft(owner: number): Promise<string[]> {
  return (await readdir(tmpdir())).filter((name) => foldersOf(owner).test(name));
}

async function until(isSo: () => Promise<boolean>, what: string, timeoutMs = 15_000): Promise<void> {
  for (const deadline = Date.now() + timeoutMs; !(await isSo()); await sleep(50))
    assert.ok(Date.now() < deadline, `waited for ${what}`);
}

describe('Renderer', { skip: chromium === null ? 'there is no Chromium' : false }, () => {
  const renderers: Renderer[] = [];
  let server: PageServer;
  let shared: Renderer;

  function start(options: Partial<RendererOptions> = {}): Renderer {
    const renderer = new Renderer({
      findChromium: async () => chromium,
      userAgent: 'Citewell tests',
      allowPrivateNetworks: ['127.0.0.1/32'],
      proxy: null,
      extraCaCerts: undefined,
      concurrency: 2,
      timeoutMs: 15_000,
      maxMemoryBytes: 700 * MEGABYTE,
      logger: { warn: () => undefined, debug: () => undefined },
      ...options,
    });
    renderers.push(renderer);
    return renderer;
  }
  async function htmlOf(path: string, renderer = shared): Promise<string> {
    const outcome = await renderer.render(server.page(path), signal);
    assert.ok(outcome.kind === 'page', JSON.stringify(outcome));
    return outcome.html;
  }

  before(async () => {
    server = await startPageServer();
    shared = start();
  });
  after(async () => {
    await Promise.all(renderers.map((renderer) => renderer.close()));
    server.stop();
    assert.equal(await browserProcesses(), 0);
    assert.deepEqual(await foldersLeft(process.pid), []);
  });

  it('shows what scripts make of a page, and asks for what they need and nothing else', async () => {
    server.asked.length = 0;
    const html = await htmlOf('/app');
    assert.match(html, /^<!doctype html><html lang="en"><head><title>Lighthouses<\/title>/);
    assert.match(
      html,
      /<h1 id="lamp">Lamp<\/h1><p>The lamp turns every nine seconds\.<\/p><a href="\/next">/,
    );
    assert.doesNotMatch(html, /<script|<style|noscript/);
    assert.deepEqual(server.asked, ['/data.json']);
  });

  it('waits for text that comes late, and reads what is in the shadow', async () => {
    assert.match(await htmlOf('/late'), /Came late/);
    assert.match(await htmlOf('/shadow'), /In the shadow: .*slotted/s);
  });

  it('keeps nothing between pages', async () => {
    for (let visit = 0; visit < 2; visit += 1)
      assert.match(await htmlOf('/cookie'), /Visit 1, cookies: seen=yes</);
  });

  it('opens nothing that a page wants to open', async () => {
    server.asked.length = 0;
    assert.match(await htmlOf('/rude'), /Rude but read/);
    assert.deepEqual(server.asked, []);
  });

  it('lets a page reload itself, but not for ever', async () => {
    assert.match(await htmlOf('/reload'), /Let in/);
    assert.doesNotMatch(await htmlOf('/circle'), /Let in/);
  });

  it('says where a script leads, and does not go there', async () => {
    assert.deepEqual(await shared.render(server.page('/private'), signal), {
      kind: 'redirect',
      url: 'http://10.0.0.1/secret',
    });
  });

  it('has no way into private networks, nor around the proxy', async () => {
    let reached = 0;
    const http = createServer(() => (reached += 1)).on('connection', () => (reached += 1));
    await new Promise<void>((done) => http.listen(0, '127.0.0.2', done));
    const udp = createSocket('udp4').on('message', () => (reached += 1));
    await new Promise<void>((done) => udp.bind(0, '127.0.0.1', done));
    // A server that listens on TCP has an AddressInfo.
    const { port } = http.address() as AddressInfo;
    const html = await htmlOf(`/leaks#${port},${udp.address().port}`);
    http.close();
    udp.close();
    assert.match(html, /all was tried/);
    assert.doesNotMatch(html, /candidate/);
    assert.equal(reached, 0);
  });

  for (const [path, reason] of [
    ['/loop', 'timeout'],
    ['/heap', 'crashed'],
    ['/memory', 'crashed'],
    ['/huge', 'too-large'],
  ] as const) {
    it(`gives up ${path}, and other pages go on`, async () => {
      const bad = shared.render(server.page(path), signal);
      const good: string[] = [];
      for (let page = 0; page < 3; page += 1) good.push(await htmlOf('/app'));
      assert.deepEqual(await bad, { kind: 'failed', reason });
      assert.ok(good.every((html) => html.includes('nine seconds')));
      assert.match(await htmlOf('/app'), /nine seconds/);
    });
  }

  it("opens another host's page before more of one that takes all its time", async () => {
    const renderer = start({ timeoutMs: 1_000 });
    const ended: string[] = [];
    const opened = async (url: string, host: string): Promise<void> => {
      await renderer.render({ ...server.page('/loop'), url }, signal);
      ended.push(host);
    };
    const endless = server.page('/loop').url;
    const elsewhere = endless.replace('127.0.0.1', '127.0.0.2');
    assert.notEqual(elsewhere, endless);
    await Promise.all([
      ...Array.from({ length: 5 }, () => opened(endless, 'one')),
      opened(elsewhere, 'another'),
    ]);
    assert.ok(ended.indexOf('another') < 4, ended.join());
  });

  it('ends a stream without end, by its size or, where that takes too long, by the time for settling', async () => {
    const bad = shared.render(server.page('/endless'), signal);
    assert.match(await htmlOf('/app'), /nine seconds/);
    const outcome = await bad;
    assert.ok(outcome.kind === 'page' || (outcome.kind === 'failed' && outcome.reason === 'too-large'));
    assert.match(await htmlOf('/app'), /nine seconds/);
  });

  it('survives a page that floods its console', async () => {
    await shared.render(server.page('/flood'), signal);
    assert.match(await htmlOf('/app'), /nine seconds/);
  });

  for (const [when, pauseMs] of [
    ['at its start', 100],
    ['under them', 1_500],
  ] as const) {
    it(`opens pages once more, alone, when the browser ends ${when}`, async () => {
      const renderer = start();
      const known = await childrenOf(process.pid);
      const pages = [htmlOf('/late', renderer), htmlOf('/late', renderer)];
      // One that another test had may end meanwhile.
      const others = async (): Promise<number[]> =>
        (await childrenOf(process.pid)).filter((pid) => !known.includes(pid));
      await until(async () => (await others()).length > 0, 'another browser');
      await sleep(pauseMs);
      for (const pid of await others()) process.kill(pid, 'SIGKILL');
      for (const html of await Promise.all(pages)) assert.match(html, /Came late/);
    });
  }

  it('ends an aborted page', async () => {
    const aborting = new AbortController();
    const page = shared.render(server.page('/loop'), aborting.signal);
    setTimeout(() => aborting.abort(new Error('no longer wanted')), 800);
    await assert.rejects(page, /no longer wanted/);
    assert.match(await htmlOf('/app'), /nine seconds/);
  });

  it('replaces the browser after some pages, and ends it when there are no more', async () => {
    await Promise.all(renderers.map((one) => one.close()));
    const renderer = start({ pagesPerBrowser: 2, idleMs: 200 });
    const seen = new Set<number>();
    for (let page = 0; page < 5; page += 1) {
      await htmlOf('/app', renderer);
      for (const pid of await childrenOf(process.pid)) seen.add(pid);
    }
    assert.equal(seen.size, 3);
    await until(async () => (await browserProcesses()) === 0, 'the browser to end');
    assert.match(await htmlOf('/app', renderer), /nine seconds/);
  });

  for (const path of ['/late', '/loop']) {
    it(`leaves nothing behind when its process is killed over ${path}`, async () => {
      const module = new URL('renderer.js', import.meta.url).href;
      const { url, body } = server.page(path);
      const program = `
        const { Renderer } = await import(${JSON.stringify(module)});
        const renderer = new Renderer({
          findChromium: async () => ${JSON.stringify(chromium)}, userAgent: 'x',
          allowPrivateNetworks: ['127.0.0.1/32'], proxy: null, extraCaCerts: undefined, concurrency: 1,
          timeoutMs: 60_000, maxMemoryBytes: 1e9, logger: console,
        });
        const page = { url: ${JSON.stringify(url)}, body: Buffer.from(${JSON.stringify(String(body))}), headers: { 'content-type': 'text/html' } };
        for (;;) await renderer.render(page, new AbortController().signal);`;
      const child = spawn(process.execPath, ['--input-type=module', '-e', program], { stdio: 'ignore' });
      const { pid } = child;
      assert.ok(pid !== undefined);
      // The process of ours, Chromium's own and at least one for a page.
      await until(async () => (await browserProcesses(pid)) >= 6, 'the browser');
      child.kill('SIGKILL');
      await until(async () => (await browserProcesses(pid)) === 0, 'the browser to end');
      assert.equal((await foldersLeft(pid)).length <= 1, true);
      await htmlOf('/app', start());
      assert.deepEqual(await foldersLeft(pid), []);
    });
  }

  it('says that it is unavailable, without a browser or with one that does not start', async () => {
    for (const path of [null, '/bin/false', '/nowhere/chromium']) {
      const renderer = start({ findChromium: async () => path });
      assert.deepEqual(await renderer.render(server.page('/app'), signal), { kind: 'unavailable' });
    }
  });

  it('says that it does not start any more, where it did before', async () => {
    let path = chromium;
    const renderer = start({ findChromium: async () => path, pagesPerBrowser: 1 });
    assert.match(await htmlOf('/app', renderer), /nine seconds/);
    for (path of [null, '/bin/false'])
      assert.deepEqual(await renderer.render(server.page('/app'), signal), { kind: 'not-started' });
  });
});
