import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { deflateRawSync, gzipSync } from 'node:zlib';
import { readSitemap } from './read-sitemap.js';
import { A, B, BASE, collect, pieces, read, two, url, urlset } from './sitemap-files.fixtures.js';

describe('limits of readSitemap', () => {
  const many = urlset(...Array.from({ length: 100 }, (_, index) => url(`/${index}`)));

  it('bounds entries', async () => {
    const found = await read(many, { maxEntries: 10 }, 10_000);
    assert.deepEqual(
      [found.urls.length, found.problems, found.isComplete],
      [10, ['TOO_MANY_ENTRIES'], false],
    );
    const exact = await read(many, { maxEntries: 100 }, 10_000);
    assert.deepEqual([exact.urls.length, exact.problems, exact.isComplete], [100, [], true]);
  });

  it('bounds bytes, unpacked ones', async () => {
    const bytes = Buffer.byteLength(many);
    for (const content of [many, gzipSync(many)]) {
      const found = await read(content, { maxBytes: 1500 }, 10_000);
      assert.deepEqual([found.problems, found.isComplete], [['TOO_LARGE'], false]);
      assert.ok(found.urls.length > 10 && found.urls.length < 60);
      assert.deepEqual((await read(content, { maxBytes: bytes })).problems, []);
    }
    const text = await read(`${A}\n${B}`, { maxBytes: A.length + 5 });
    assert.deepEqual([text.urls, text.problems], [[A], ['TOO_LARGE']]);
  });

  it('refuses bombs', async () => {
    const bomb = gzipSync(`<urlset>${url(A)}${`<!--${' '.repeat(60_000)}-->`.repeat(130)}</urlset>`);
    const found = await read(bomb, {}, 100_000);
    assert.deepEqual([found.urls, found.problems], [[A], ['DECOMPRESSION_BOMB']]);
  });

  it('keeps what a packed file that is cut off had', async () => {
    const packed = gzipSync(many);
    for (const cut of [packed.length - 1, packed.length - 8, Math.floor(packed.length * 0.7)]) {
      const found = await read(packed.subarray(0, cut), {}, 10_000);
      assert.deepEqual([found.problems, found.isComplete], [['TRUNCATED'], false]);
      assert.ok(found.urls.length > 30);
    }
  });

  it('keeps what a packed file that is damaged had', async () => {
    const large = urlset(
      ...Array.from({ length: 2000 }, (_, index) => url(`/${(index * 7919 ** 3) % 1_000_003}`)),
    );
    const damaged = gzipSync(large);
    damaged.fill(255, Math.floor(damaged.length * 0.8), Math.floor(damaged.length * 0.8) + 100);
    const found = await read(damaged, {}, 10_000);
    assert.ok(found.problems.includes('TRUNCATED') && !found.isComplete);
    assert.ok(found.urls.length > 400, String(found.urls.length));
    assert.equal(
      (await read(Buffer.concat([Buffer.from([0x1f, 0x8b]), deflateRawSync(two)]))).kind,
      'unknown',
    );
  });

  it('stops when it is told to, and reads no more than it needs', async () => {
    const stop = new AbortController();
    const reading = readSitemap(pieces(Buffer.from(many), 100), { baseUrl: BASE, signal: stop.signal });
    await assert.rejects(async () => {
      for await (const { url: found } of reading) if (found.endsWith('/10')) stop.abort(new Error('enough'));
    }, /enough/);
    assert.ok(reading.summary.entries < 50);
    assert.equal(reading.summary.isComplete, false);

    let isClosed = false;
    async function* endless(): AsyncGenerator<Uint8Array> {
      try {
        yield Buffer.from('<urlset>');
        for (;;) yield Buffer.from(url(A).repeat(20));
      } finally {
        isClosed = true;
      }
    }
    for await (const entry of readSitemap(endless(), { baseUrl: BASE })) if (entry.url === A) break;
    assert.equal(isClosed, true);
  });

  it('passes errors of its source', async () => {
    async function* failing(): AsyncGenerator<Uint8Array> {
      yield Buffer.from(two.slice(0, 200));
      throw new Error('cut');
    }
    const reading = readSitemap(failing(), { baseUrl: BASE });
    await assert.rejects(collect(reading), /cut/);
    assert.equal(reading.summary.isComplete, false);
  });
});
