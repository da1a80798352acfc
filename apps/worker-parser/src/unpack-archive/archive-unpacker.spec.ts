import { Readable } from 'node:stream';
import { createHash, randomInt } from 'node:crypto';
import type { BlobStore } from '@citewell/blob-store';
import {
  type ArchivedFile,
  type ArchiveRepository,
  type BlobRepository,
  RunEntity,
} from '@citewell/database';
import { buildPdf, buildZip, notionId, slackEntries, slackMessage } from '@citewell/documents/test-files';
import type { StageWork } from '@citewell/ingestion';
import { FaultPoints } from '@citewell/observability';
import { describe, expect, it } from '@jest/globals';
import { ArchiveUnpacker, skippedFilesSentence } from './archive-unpacker.js';

const ARCHIVE = 'archive';
const MAX_UPLOAD_BYTES = 3_000_000;

/** Unpacks an archive. */
class Unpacking {
  readonly blobs = new Map<string, Buffer>();
  readonly rows = new Set<string>();
  files: readonly ArchivedFile[] | null = null;
  unread: readonly string[] = [];
  warning: string | null = null;
  exportOf: string | null = null;

  /** @param knownIds the files that are datasources, by path */
  constructor(
    archive: Uint8Array,
    readonly knownIds: Readonly<Record<string, string>> = {},
  ) {
    this.blobs.set(ARCHIVE, Buffer.from(archive));
  }

  async run(signal = new AbortController().signal): Promise<this> {
    // The unpacker uses only the methods that the fakes have.
    const unpacker = new ArchiveUnpacker(
      {
        fileIds: async () => new Map(Object.entries(this.knownIds)),
        replaceFiles: async (_run: RunEntity, files: readonly ArchivedFile[], outcome: object) => {
          Object.assign(this, { files, ...outcome });
          return [];
        },
      } as unknown as ArchiveRepository,
      {
        announce: async (blobs: { key: string }[]) => blobs.forEach(({ key }) => this.rows.add(key)),
        forget: async (keys: string[]) => keys.forEach((key) => this.rows.delete(key)),
      } as unknown as BlobRepository,
      this.store(),
      { MAX_UPLOAD_BYTES, EXTRA_FILE_TYPES: ['xml'] },
      new FaultPoints(undefined),
    );
    const run = Object.assign(new RunEntity(), {
      organizationId: 'o',
      datasourceId: 'd',
      contentKey: ARCHIVE,
    });
    await unpacker.unpack({ run, signal } as unknown as StageWork);
    return this;
  }

  private store(): BlobStore {
    return {
      stat: async (key: string) => ({ bytes: this.blobs.get(key)?.length ?? 0 }),
      open: async (key: string) => Readable.from([this.blobs.get(key) ?? Buffer.alloc(0)]),
      read: async (key: string, { start, end }: { start: number; end: number }) =>
        this.blobs.get(key)?.subarray(start, end),
      put: async (key: string, source: AsyncIterable<Buffer>) => {
        expect(this.rows).toContain(key);
        const pieces: Buffer[] = [];
        for await (const piece of source) pieces.push(piece);
        const bytes = Buffer.concat(pieces);
        this.blobs.set(key, bytes);
        return { bytes: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') };
      },
      delete: async (keys: string[]) => keys.forEach((key) => this.blobs.delete(key)),
    } as unknown as BlobStore;
  }
}

describe('an archive', () => {
  it('is unpacked: each file has its path, base name, type and content', async () => {
    const pdf = buildPdf([[{ text: 'Hello', y: 700 }]]);
    const archive = buildZip({ 'docs/guide.md': '# Guide', 'b.PDF': pdf, 'c/d/e.xml': '<a/>' });
    const { files, warning, blobs } = await new Unpacking(archive, { 'b.PDF': 'known' }).run();
    expect(files?.map(({ path, name, mimeType, isNew }) => [path, name, mimeType, isNew])).toEqual([
      ['docs/guide.md', 'guide.md', 'text/markdown', true],
      ['b.PDF', 'b.PDF', 'application/pdf', false],
      ['c/d/e.xml', 'e.xml', 'text/plain', true],
    ]);
    expect(files?.[1]?.datasourceId).toBe('known');
    expect(files?.[1]?.content.key).toMatch(/^o\/known\/[^/]+\/content$/);
    expect(blobs.get(files?.[0]?.content.key ?? '')?.toString()).toBe('# Guide');
    expect(warning).toBeNull();
  });

  it('has many files, which are written in batches', async () => {
    const entries = Array.from({ length: 50 }, (_, n) => [`${n}.txt`, `text ${n}`] as const);
    const { files } = await new Unpacking(buildZip(Object.fromEntries(entries))).run();
    expect(files?.map(({ path }) => path)).toEqual(entries.map(([path]) => path));
  });

  it('has files that are skipped with a reason and leave no blob', async () => {
    const nested = buildZip({ 'x.txt': 'x' });
    const archive = Buffer.from(
      buildZip({ 'a.txt': 'a', 'b.png': '\u0089PNG\0\0', 'c.zip': nested, 'd.txt': '', 'e.txt': 'damaged' }),
    );
    archive.writeUInt32LE(1, archive.lastIndexOf('PK\u0001\u0002') + 16);
    const { files, warning, blobs, rows } = await new Unpacking(archive).run();
    expect(files?.map(({ path }) => path)).toEqual(['a.txt']);
    expect(warning).toBe(
      '4 files were skipped: d.txt (it is empty), b.png (its type is not supported), c.zip (it is an archive), e.txt (it is damaged).',
    );
    expect([blobs.size, rows.size]).toEqual([2, 1]);
  });

  it('keeps former files that it has and that cannot be read, and has no blob of them', async () => {
    const damaged = Buffer.from(
      buildZip({ 'a.txt': 'a', 'new.txt': 'n', 'old.txt': 'o', 'secret.txt': 's', 'packed.txt': 'p' }),
    );
    for (const [name, at, value] of [
      ['new.txt', 16, 1],
      ['old.txt', 16, 1],
      ['secret.txt', 8, 1],
      ['packed.txt', 10, 9],
    ] as const)
      damaged.writeUInt16LE(value, damaged.lastIndexOf(name) - 46 + at);
    const knownIds = { 'old.txt': 'old', 'secret.txt': 'secret', 'packed.txt': 'packed', 'gone.txt': 'gone' };
    const { files, unread, warning, blobs } = await new Unpacking(damaged, knownIds).run();
    expect(files?.map(({ path }) => path)).toEqual(['a.txt']);
    expect(unread.slice(1)).toEqual(['old', 'secret', 'packed']);
    expect(warning).toBe(
      '4 files were skipped: new.txt (it is damaged), old.txt (it is damaged, so the former file is kept), ' +
        'secret.txt (it is encrypted, so the former file is kept), ' +
        'packed.txt (its compression method is not supported, so the former file is kept).',
    );
    expect(blobs.size).toBe(2);
  });

  it('of which nothing can be ingested is an error, and its former files stay', async () => {
    const pictures = buildZip({ 'a.png': '\u0089PNG\0\0' });
    const reason = '1 file was skipped: a.png (its type is not supported).';
    for (const [archive, known, message] of [
      [pictures, {}, reason],
      [pictures, { 'b.txt': 'b' }, `${reason} Its former files answer with their last content.`],
      [buildZip({}), {}, expect.stringContaining('contains no file')],
      [buildZip({}), { 'b.txt': 'b' }, 'Its former files answer with their last content.'],
    ] as const) {
      const unpacking = new Unpacking(archive, known);
      await expect(unpacking.run()).rejects.toThrow(
        expect.objectContaining({ code: 'ARCHIVE_EMPTY', sentence: message }),
      );
      expect([unpacking.files, unpacking.rows.size, unpacking.blobs.size]).toEqual([null, 0, 1]);
    }
  });

  const zeros = new Uint8Array(2_000_000);
  it.each([
    ['a bomb', buildZip({ 'a.txt': 'a', 'bomb.txt': zeros }), 'TOO_COMPLEX'],
    [
      'a file that is too large',
      buildZip({ 'a.txt': 'a', 'b.txt': new Uint8Array(3_000_001) }),
      'TOO_COMPLEX',
    ],
    ['no directory', buildZip({ 'a.txt': 'a' }).subarray(0, 40), 'CORRUPT_FILE'],
  ])('that is or has %s is refused before anything is stored', async (_what, archive, code) => {
    const unpacking = new Unpacking(archive);
    await expect(unpacking.run()).rejects.toThrow(expect.objectContaining({ code }));
    expect([unpacking.files, unpacking.rows.size, unpacking.blobs.size]).toEqual([null, 0, 1]);
  });

  it('is not unpacked further when the job is aborted', async () => {
    const unpacking = new Unpacking(buildZip({ 'a.txt': 'a' }));
    const reason = new Error('shutdown');
    await expect(unpacking.run(AbortSignal.abort(reason))).rejects.toBe(reason);
    expect(unpacking.files).toBeNull();
  });
});

it('names skipped files and their reasons, and counts the rest', () => {
  const files = (count: number) =>
    Array.from({ length: count }, (_, n) => ({ path: `${n}.png`, reason: 'it is empty' }));
  expect(skippedFilesSentence([])).toBeNull();
  expect(skippedFilesSentence(files(1))).toBe('1 file was skipped: 0.png (it is empty).');
  expect(skippedFilesSentence(files(2))).toBe(
    '2 files were skipped: 0.png (it is empty), 1.png (it is empty).',
  );
  expect(skippedFilesSentence(files(1_011))).toMatch(
    /^1,011 files were skipped: 0\.png .* 9\.png \(it is empty\), and 1,001 more\.$/,
  );
});

describe('an export of another program', () => {
  const id = notionId;
  const pages = {
    [`Ship ${id(1)}.md`]: `# Ship\n\n[Engine](Ship%20${id(1)}/Engine%20${id(2)}.md) [picture](gone.png)`,
    [`Ship ${id(1)}/Engine ${id(2)}.md`]: '# Engine',
  };

  it('has files with the names, places and links that they have there', async () => {
    const { files, exportOf, blobs } = await new Unpacking(
      buildZip({ ...pages, 'gone.png': 'no picture' }),
    ).run();
    expect(exportOf).toBe('notion');
    const [ship, engine] = files ?? [];
    expect([ship?.path, ship?.name, ship?.metadata]).toEqual([
      `Ship ${id(1)}.md`,
      'Ship',
      { path: 'Ship', links: [{ datasourceId: engine?.datasourceId, name: 'Engine' }] },
    ]);
    expect([engine?.name, engine?.metadata]).toEqual(['Engine', { path: 'Ship/Engine' }]);
    expect(blobs.get(engine?.content.key ?? '')?.toString()).toBe('# Engine');
  });

  it('may be packed in parts, which leave no blob', async () => {
    const parts = Object.entries(pages).map(([path, text]) => buildZip({ [path]: text }));
    const archive = buildZip(Object.fromEntries(parts.map((part, n) => [`Export-Part-${n + 1}.zip`, part])));
    const { files, exportOf, warning, blobs, rows } = await new Unpacking(archive).run();
    expect([exportOf, files?.map(({ name }) => name), warning]).toEqual(['notion', ['Ship', 'Engine'], null]);
    expect([blobs.size, rows.size]).toEqual([3, 2]);
  });

  it('names what was skipped in a part, and what has the path of another file', async () => {
    const [[path, text] = ['', ''], [second, other] = ['', '']] = Object.entries(pages);
    const parts = [
      { [path]: text, 'empty.png': '' },
      { [path]: text, [second]: other },
      { [path]: `${text} of another export` },
    ].map((part, n) => [`${n}.zip`, buildZip(part)] as const);
    const { files, warning, blobs } = await new Unpacking(buildZip(Object.fromEntries(parts))).run();
    expect(files?.map((file) => blobs.get(file.content.key)?.toString())).toEqual([text, other]);
    expect(warning).toBe(
      `2 files were skipped: empty.png (it is empty), ${path} (another file has the same path).`,
    );
  });

  const part = buildZip(pages);
  /** Packed, it is a twentieth of its size. */
  const large = new Uint8Array(2_800_000).map((_, n) => (n % 50 === 0 ? randomInt(256) : 0));
  it.each([
    ['archives of other files', { 'a.zip': buildZip({ 'a.txt': 'a' }) }, 'ARCHIVE_EMPTY'],
    ['an archive in its archive', { 'a.zip': buildZip({ 'b.zip': part }) }, 'ARCHIVE_EMPTY'],
    ['a part that is no archive', { 'a.zip': part, 'b.zip': 'PK\u0003\u0004 broken' }, 'CORRUPT_FILE'],
    [
      'an incomplete part',
      { 'a.zip': part, 'b.zip': part.slice(0, -40) },
      'CORRUPT_FILE',
      'b.zip: The file is damaged or incomplete. Open it on your computer, save it again and upload the new file.',
    ],
    ['an empty part', { 'a.zip': part, 'b.zip': '' }, 'CORRUPT_FILE'],
    ['a bomb', { 'a.zip': buildZip({ ...pages, 'bomb.txt': new Uint8Array(2_000_000) }) }, 'TOO_COMPLEX'],
    [
      'too much together',
      Object.fromEntries(
        Array.from({ length: 11 }, (_, n) => [`${n}.zip`, buildZip({ [`${n}.txt`]: large })]),
      ),
      'TOO_COMPLEX',
    ],
  ])('is not an archive of %s', async (_what, entries, code, sentence: unknown = expect.anything()) => {
    const unpacking = new Unpacking(buildZip(entries), { 'Ship.md': 'known' });
    await expect(unpacking.run()).rejects.toThrow(expect.objectContaining({ code, sentence }));
    expect([unpacking.files, unpacking.rows.size, unpacking.blobs.size]).toEqual([null, 0, 1]);
  });

  it('has converted texts, a note about what was left out, and custom ids of at most 255 characters', async () => {
    const text = 'Soup\ud83e\udd63';
    const entries = slackEntries({
      days: {
        'galley/2026-03-02': [slackMessage('UADA', 8, text)],
        'DX/2026-03-02': [slackMessage('UADA', 8, 'x')],
      },
    });
    const slack = await new Unpacking(buildZip(entries)).run();
    expect(slack.files?.map(({ mimeType, metadata }) => [mimeType, metadata])).toEqual([
      ['text/plain', { channel: 'galley', day: '2026-03-02', path: '#galley/#galley 2026-03-02' }],
    ]);
    expect(slack.blobs.get(slack.files?.[0]?.content.key ?? '')?.toString()).toMatch(`Countess): ${text}`);
    expect(slack.warning).toBe(
      '1 private conversation of the Slack export was left out: only public channels are read.',
    );
    const long = `${`${'Deep'.repeat(20)} ${id(1)}/`.repeat(4)}Ship ${id(3)}.md`;
    const { files } = await new Unpacking(buildZip({ [long]: '# Ship' })).run();
    expect(files?.map(({ path, name }) => [path.length, path.slice(-40), name])).toEqual([
      [255, `Ship ${id(3)}.md`.slice(-40), 'Ship'],
    ]);
    const plain = await new Unpacking(buildZip({ [long]: 'Something else', 'a.txt': 'a' })).run();
    expect(plain.warning).toMatch(/its path is longer than 255 characters/);
  });
});
