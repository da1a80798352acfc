import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { readdir, readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { findChromium } from '@citewell/config';
import { isWhole, sample } from '@citewell/testing/extent';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { processTree } from './process-tree.js';
import { type PageServer, startPageServer } from './render-pages.fixtures.js';
import { Renderer, type RendererOptions } from './renderer.js';

const chromium = await findChromium(process.env['CHROMIUM_PATH']);
const signal = new AbortController().signal;
const MEGABYTE = 1024 * 1024;
const foldersOf = (owner: number): RegExp => new RegExp(`citewell-browser-\\w+-${owner}-`);

/** Processes of the browsers of a process, including those whose parent has ended. */
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

async function waitFor(condition: () => Promise<boolean>, what: string, timeoutMs = 60_000): Promise<void> {
  for (const deadline = Date.now() + timeoutMs; !(await condition()); await sleep(50))
    if (Date.now() > deadline) throw new Error(`Waited ${timeoutMs} ms for ${what}`);
}

(chromium === null ? describe.skip : describe)('Renderer', () => {
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
      timeoutMs: 8_000,
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

  beforeAll(async () => {
    server = await startPageServer();
    shared = start();
  });
  afterAll(async () => {
    await Promise.all(renderers.map((renderer) => renderer.close()));
    server.stop();
    expect(await browserProcesses()).toBe(0);
    expect(await foldersLeft(process.pid)).toEqual([]);
  });

  it('returns the page that scripts build, and requests only what they need', async () => {
    server.requests.length = 0;
    const html = await htmlOf('/app');
    expect(html).toMatch(/^<!doctype html><html lang="en"><head><title>Lighthouses<\/title>/);
    expect(html).toMatch(
      /<h1 id="lamp">Lamp<\/h1><p>The lamp turns every nine seconds\.<\/p><a href="\/next">/,
    );
    expect(html).not.toMatch(/<script|<style|noscript/);
    expect(server.requests).toEqual(['/data.json']);
  });

  it('waits for late text, and includes shadow roots', async () => {
    expect(await htmlOf('/late')).toMatch(/Came late/);
    expect(await htmlOf('/shadow')).toMatch(/In the shadow: .*slotted/s);
  });

  it('isolates pages from each other', async () => {
    for (let visit = 0; visit < 2; visit += 1)
      expect(await htmlOf('/cookie')).toMatch(/Visit 1, cookies: seen=yes</);
  });

  it('blocks popups, dialogs, frames and service workers', async () => {
    server.requests.length = 0;
    expect(await htmlOf('/rude')).toMatch(/Rude but read/);
    expect(server.requests).toEqual([]);
  });

  it('has few processes for a page with frames of many sites', async () => {
    let isOpen = true;
    let most = 0;
    // Counts processes, whatever the machine needs for 300 frames.
    const patient = start({ timeoutMs: 60_000 });
    const others = await browserProcesses();
    const rendered = htmlOf('/frames', patient).finally(() => (isOpen = false));
    for (; isOpen; await sleep(200)) most = Math.max(most, await browserProcesses());
    expect(await rendered).toMatch(/Among frames/);
    // Node, the processes of Chromium itself, and at most 4 for pages.
    expect(most - others).toBeLessThan(20);
    await patient.close();
  });

  it('lets a page reload itself a few times', async () => {
    expect(await htmlOf('/reload')).toMatch(/Let in/);
    expect(await htmlOf('/circle')).not.toMatch(/Let in/);
  });

  it('returns the target of a script redirect without following it', async () => {
    expect(await shared.render(server.page('/private'), signal)).toEqual({
      kind: 'redirect',
      url: 'http://10.0.0.1/secret',
    });
  });

  it('cannot reach private networks or bypass the proxy', async () => {
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
    expect(html).toMatch(/all attempts are done/);
    expect(html).not.toMatch(/candidate/);
    expect(reached).toBe(0);
  });

  const harmful = [
    ['/loop', 'timeout'],
    ['/memory', 'crashed'],
    ['/heap', 'crashed'],
    ['/huge', 'too-large'],
  ] as const;
  for (const [path, reason] of sample(harmful)) {
    it(`fails ${path} as ${reason}, and other pages continue`, async () => {
      const bad = shared.render(server.page(path), signal);
      const good: string[] = [];
      for (let page = 0; page < 3; page += 1) good.push(await htmlOf('/app'));
      expect(await bad).toEqual({ kind: 'failed', reason });
      expect(good.every((html) => html.includes('nine seconds'))).toBe(true);
      expect(await htmlOf('/app')).toMatch(/nine seconds/);
    });
  }

  it('kills a browser that exceeds its memory', async () => {
    // Chromium alone exceeds it. In the soak test, a page fills the memory.
    const renderer = start({ maxMemoryBytes: 100 * MEGABYTE });
    expect(await renderer.render(server.page('/late'), signal)).toEqual({
      kind: 'failed',
      reason: 'crashed',
    });
  });

  it('shares its slots between hosts', async () => {
    const renderer = start({ timeoutMs: 500, concurrency: 1 });
    const ended: string[] = [];
    const opened = async (url: string, host: string): Promise<void> => {
      await renderer.render({ ...server.page('/loop'), url }, signal);
      ended.push(host);
    };
    const endless = server.page('/loop').url;
    const elsewhere = endless.replace('127.0.0.1', '127.0.0.2');
    expect(elsewhere).not.toBe(endless);
    await Promise.all([
      ...Array.from({ length: 3 }, () => opened(endless, 'one')),
      opened(elsewhere, 'another'),
    ]);
    expect(ended.indexOf('another')).toBeLessThan(2);
  });

  it('ends an endless stream, by its size or by the idle timeout', async () => {
    const bad = shared.render(server.page('/endless'), signal);
    expect(await htmlOf('/app')).toMatch(/nine seconds/);
    const outcome = await bad;
    expect(outcome.kind === 'page' || (outcome.kind === 'failed' && outcome.reason === 'too-large')).toBe(
      true,
    );
    expect(await htmlOf('/app')).toMatch(/nine seconds/);
  });

  if (isWhole())
    it('survives a page that floods its console', async () => {
      await shared.render(server.page('/flood'), signal);
      expect(await htmlOf('/app')).toMatch(/nine seconds/);
    });

  const moments = [
    ['while they are open', 1_500],
    ['at its start', 100],
  ] as const;
  for (const [when, pauseMs] of sample(moments)) {
    it(`renders pages once more, alone, if the browser ends ${when}`, async () => {
      const renderer = start();
      const known = await childrenOf(process.pid);
      const pages = [htmlOf('/late', renderer), htmlOf('/late', renderer)];
      // Browsers of other tests may end meanwhile.
      const newChildren = async (): Promise<number[]> =>
        (await childrenOf(process.pid)).filter((pid) => !known.includes(pid));
      await waitFor(async () => (await newChildren()).length > 0, 'another browser');
      await sleep(pauseMs);
      for (const pid of await newChildren()) process.kill(pid, 'SIGKILL');
      for (const html of await Promise.all(pages)) expect(html).toMatch(/Came late/);
    });
  }

  it('rejects an aborted page', async () => {
    const aborting = new AbortController();
    const page = shared.render(server.page('/loop'), aborting.signal);
    setTimeout(() => aborting.abort(new Error('no longer needed')), 800);
    await expect(page).rejects.toThrow(/no longer needed/);
    expect(await htmlOf('/app')).toMatch(/nine seconds/);
  });

  it('replaces the browser after some pages, and ends it when it is idle', async () => {
    await Promise.all(renderers.map((other) => other.close()));
    const renderer = start({ pagesPerBrowser: 2, idleMs: 200 });
    // Test files share a process, so other files may have children of their own.
    const known = await childrenOf(process.pid);
    const seen = new Set<number>();
    for (let page = 0; page < 3; page += 1) {
      await htmlOf('/app', renderer);
      for (const pid of await childrenOf(process.pid)) if (!known.includes(pid)) seen.add(pid);
    }
    expect(seen.size).toBe(2);
    await waitFor(async () => (await browserProcesses()) === 0, 'the browser to end');
    expect(await htmlOf('/app', renderer)).toMatch(/nine seconds/);
  });

  for (const path of sample(['/loop', '/late'])) {
    it(`leaves no process or file when its process is killed at ${path}`, async () => {
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
      // Our child process, those of Chromium, and at least one for a page.
      await waitFor(async () => (await browserProcesses(pid)) >= 6, 'the browser');
      child.kill('SIGKILL');
      await waitFor(async () => (await browserProcesses(pid)) === 0, 'the browser to end');
      expect((await foldersLeft(pid)).length).toBeLessThanOrEqual(1);
      await htmlOf('/app', start());
      expect(await foldersLeft(pid)).toEqual([]);
    });
  }

  it('is unavailable without a browser, or with one that does not start', async () => {
    for (const path of [null, '/bin/false', '/nowhere/chromium']) {
      const renderer = start({ findChromium: async () => path });
      expect(await renderer.render(server.page('/app'), signal)).toEqual({ kind: 'unavailable' });
    }
  });

  it('reports a browser that does not start again', async () => {
    let path = chromium;
    const renderer = start({ findChromium: async () => path, pagesPerBrowser: 1 });
    expect(await htmlOf('/app', renderer)).toMatch(/nine seconds/);
    for (path of [null, '/bin/false'])
      expect(await renderer.render(server.page('/app'), signal)).toEqual({ kind: 'not-started' });
  });
});
