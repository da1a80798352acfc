import { deflateRawSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from '@jest/globals';
import { readSitemap } from './read-sitemap.js';
import { A, B, BASE, collect, pieces, read, two, url, urlset } from './sitemap-files.fixtures.js';

describe('limits of readSitemap', () => {
  const many = urlset(...Array.from({ length: 100 }, (_, index) => url(`/${index}`)));
  /** Does not compress well. */
  const large = urlset(
    ...Array.from({ length: 20_000 }, (_, index) => url(`/${(index * 7919 ** 3) % 1_000_003}`)),
  );

  it('limits entries', async () => {
    const found = await read(many, { maxEntries: 10 }, 10_000);
    expect([found.urls.length, found.cutBy, found.isComplete]).toEqual([10, 'TOO_MANY_ENTRIES', false]);
    const exact = await read(many, { maxEntries: 100 }, 10_000);
    expect([exact.urls.length, exact.cutBy, exact.isComplete]).toEqual([100, null, true]);
  });

  it('limits bytes after decompression', async () => {
    const bytes = Buffer.byteLength(many);
    for (const content of [many, gzipSync(many)]) {
      const found = await read(content, { maxBytes: 1500 }, 10_000);
      expect([found.cutBy, found.isComplete]).toEqual(['TOO_LARGE', false]);
      expect(found.urls.length).toBeGreaterThan(10);
      expect(found.urls.length).toBeLessThan(60);
      expect((await read(content, { maxBytes: bytes })).cutBy).toBeNull();
    }
    const text = await read(`${A}\n${B}`, { maxBytes: A.length + 5 });
    expect([text.urls, text.cutBy]).toEqual([[A], 'TOO_LARGE']);
  });

  it('refuses decompression bombs', async () => {
    const bomb = gzipSync(`<urlset>${url(A)}${`<!--${' '.repeat(60_000)}-->`.repeat(130)}</urlset>`);
    const found = await read(bomb, {}, 100_000);
    expect([found.urls, found.cutBy]).toEqual([[A], 'DECOMPRESSION_BOMB']);
  });

  for (const [what, content] of [
    ['nesting', '<a>'.repeat(20_000)],
    ['nesting with an undeclared prefix', '<a:b>'.repeat(20_000)],
    ['attributes', `<b ${Array.from({ length: 50_000 }, (_, index) => `a${index}=""`).join(' ')}/>`],
    ['tokens', `<!--${' '.repeat(2_000_000)}-->`],
  ] as const) {
    it(`limits ${what}`, async () => {
      const startedAtMs = performance.now();
      const found = await read(`<urlset>${url(A)}${content}${url(B)}</urlset>`, {}, 10_000_000);
      expect([found.urls, found.cutBy]).toEqual([[A], 'TRUNCATED']);
      expect(performance.now() - startedAtMs).toBeLessThan(1_000);
    });
  }

  it('accepts a few hundred attributes', async () => {
    const attributes = Array.from({ length: 200 }, (_, index) => `a${index}=""`).join(' ');
    const found = await read(`<urlset ${attributes}>${url(A)}</urlset>`);
    expect([found.urls, found.cutBy]).toEqual([[A], null]);
  });

  it('finds the root after long comments', async () => {
    const comments = '<!-- a comment -->'.repeat(10_000);
    const found = await read(`${comments}<urlset>${url(A)}${url(B)}</urlset>`, {}, 1_000_000);
    expect([found.kind, found.urls, found.cutBy]).toEqual(['urlset', [A, B], null]);
  });

  const compressed = gzipSync(large);
  const damaged = Buffer.from(compressed);
  damaged.fill(255, Math.floor(damaged.length * 0.8), Math.floor(damaged.length * 0.8) + 100);
  for (const [what, content] of [
    ['without its last byte', compressed.subarray(0, -1)],
    ['that is cut short', compressed.subarray(0, Math.floor(compressed.length * 0.7))],
    ['that is damaged', damaged],
  ] as const) {
    it(`returns the entries from the start of a compressed file ${what}`, async () => {
      const found = await read(content, {}, 10_000);
      expect([found.cutBy, found.isComplete]).toEqual(['TRUNCATED', false]);
      expect(found.urls.length).toBeGreaterThan(5_000);
    });
  }

  it('finds nothing in a file with a wrong gzip header', async () => {
    const content = Buffer.concat([Buffer.from([0x1f, 0x8b]), deflateRawSync(two)]);
    expect((await read(content)).kind).toEqual('unknown');
  });

  it('throws the reason of its signal', async () => {
    const abort = new AbortController();
    const reading = readSitemap(pieces(Buffer.from(many), 100), { baseUrl: BASE, signal: abort.signal });
    await expect(
      (async () => {
        for await (const entry of reading) if (entry.url.endsWith('/10')) abort.abort(new Error('enough'));
      })(),
    ).rejects.toThrow(/enough/);
    expect(reading.summary.entries).toBeLessThan(50);
    expect(reading.summary.isComplete).toBe(false);
  });

  it('reads no more than it needs, and closes the source', async () => {
    for (const isCompressed of [false, true]) {
      let isClosed = false;
      async function* endless(): AsyncGenerator<Uint8Array> {
        try {
          const start = Buffer.from(`<urlset>${url(A).repeat(5_000)}`);
          if (isCompressed) for (;;) yield gzipSync(start);
          yield start;
          for (;;) yield Buffer.from(url(A).repeat(20));
        } finally {
          isClosed = true;
        }
      }
      for await (const entry of readSitemap(endless(), { baseUrl: BASE })) if (entry.url === A) break;
      await new Promise((resolve) => setImmediate(resolve));
      expect(isClosed).toBe(true);
    }
  });

  it('rethrows errors of its source', async () => {
    for (const content of [two.slice(0, 200), compressed.subarray(0, 10_000)]) {
      async function* failing(): AsyncGenerator<Uint8Array> {
        yield Buffer.from(content);
        throw new Error('connection lost');
      }
      const reading = readSitemap(failing(), { baseUrl: BASE });
      await expect(collect(reading)).rejects.toThrow(/connection lost/);
      expect(reading.summary.isComplete).toBe(false);
    }
  });
});
