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

  it('calls a bomb a bomb, whatever stops the reading of what it unpacks to', async () => {
    const bomb = gzipSync(`<urlset>${url(A)}<!--${' '.repeat(8_000_000)}`);
    const reading = readSitemap(pieces(bomb, 100_000), { baseUrl: BASE });
    await collect(reading);
    assert.equal(reading.summary.cutBy, 'DECOMPRESSION_BOMB');
  });

  it('says what cut a file short, whatever it stumbled over before', async () => {
    const cut = readSitemap(pieces(Buffer.from(urlset(url(''), url(A)).slice(0, -3)), 100), {
      baseUrl: BASE,
    });
    await collect(cut);
    assert.deepEqual(
      [cut.summary.problems.map(({ code }) => code), cut.summary.cutBy],
      [['MISSING_URL', 'TRUNCATED'], 'TRUNCATED'],
    );
    const whole = readSitemap(pieces(Buffer.from(two), 100), { baseUrl: BASE });
    await collect(whole);
    assert.equal(whole.summary.cutBy, null);
  });

  it('goes no deeper than it says, though it is all in one piece', async () => {
    for (const tag of ['<a>', '<a:b>']) {
      const nest = Buffer.from(`<urlset>${tag.repeat(20_000)}`);
      const reading = readSitemap(pieces(nest, nest.length), { baseUrl: BASE });
      await collect(reading);
      const cut = reading.summary.problems.find(({ code }) => code === 'TRUNCATED');
      assert.ok(cut && cut.count < 1_000, `${cut?.count} elements too deep`);
    }
  });

  it('bounds the attributes of an element', async () => {
    const attributes = (count: number): string =>
      Array.from({ length: count }, (_, i) => `a${i}=""`).join(' ');
    const some = await read(`<urlset ${attributes(200)}>${url(A)}</urlset>`);
    assert.deepEqual([some.urls, some.problems], [[A], []]);
    const many = await read(`<urlset>${url(A)}<b ${attributes(50_000)}/>${url(B)}</urlset>`, {}, 1_000_000);
    assert.deepEqual([many.urls, many.problems], [[A], ['TRUNCATED']]);
  });

  it('bounds what relative addresses are relative to', async () => {
    const long = `https://e.net/${'x'.repeat(100_000)}/`;
    const found = await read(
      `<urlset xml:base="${long}"><url xml:base="y/"><loc>a</loc></url></urlset>`,
      {},
      1_000,
    );
    assert.deepEqual(found.urls, ['https://example.org/maps/y/a']);
  });

  it('finds the root behind however much may come before it', async () => {
    const remarks = '<!-- a remark -->'.repeat(10_000);
    const found = await read(`${remarks}<urlset>${url(A)}${url(B)}</urlset>`, {}, 1_000_000);
    assert.deepEqual([found.kind, found.urls, found.problems], ['urlset', [A, B], []]);
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
