import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import type { UploadProgress } from '../http/upload-progress.js';
import { fileFromPath } from '../node.js';
import { failure, hangUp, json, ScriptedServer } from '../scripted-server.fixtures.js';

const CONTENT = 'content '.repeat(40_000);

function streamOf(...chunks: string[]): ReadableStream<Uint8Array> {
  return ReadableStream.from(chunks.map((chunk) => new TextEncoder().encode(chunk)));
}

/** The form without its boundary, which differs from request to request. */
function parts(body: Buffer): string[] {
  const text = body.toString();
  return text.split(text.slice(0, text.indexOf('\r\n')));
}

describe('an upload with progress', () => {
  it('sends the same form as one without', async () => {
    await using server = await ScriptedServer.start(json({ id: 'd' }));
    const { datasources } = server.client();
    const file = new File([CONTENT], 'über "1".txt', { type: 'text/csv' });
    const upload = { datastoreId: 's', file, customId: 'c' };
    await datasources.upload(upload);
    const plain = server.last;
    await datasources.upload(upload, { onProgress: () => undefined });
    expect(parts(server.last.body)).toEqual(parts(plain.body));
    expect(server.last.headers['content-type']).toMatch(/^multipart\/form-data; boundary=/);
    expect(server.last.headers['authorization']).toBe(plain.headers['authorization']);
  });

  it('reports growing numbers up to the length of the body', async () => {
    await using server = await ScriptedServer.start(json({ id: 'd' }));
    const seen: UploadProgress[] = [];
    await server
      .client()
      .datasources.upload(
        { datastoreId: 's', file: new File([CONTENT], 'a.txt') },
        { onProgress: (progress) => seen.push(progress) },
      );
    const sent = seen.map(({ sentBytes }) => sentBytes);
    expect(sent).toEqual([...new Set(sent)].toSorted((a, b) => a - b));
    const totalBytes = server.last.body.length;
    expect(seen.at(-1)).toEqual({ sentBytes: totalBytes, totalBytes });
  });

  it('starts again when it is retried', async () => {
    await using server = await ScriptedServer.start(hangUp, json({ id: 'd' }));
    const options = { idempotencyKey: 'k', onProgress: () => undefined };
    await server
      .client()
      .datasources.upload({ datastoreId: 's', file: new File([CONTENT], 'a.txt') }, options);
    expect(server.requests).toHaveLength(2);
    expect(server.last.body.toString()).toContain(CONTENT);
  });
});

describe('an upload of a stream', () => {
  it('sends its bytes, with an unknown total', async () => {
    await using server = await ScriptedServer.start(json({ id: 'd' }));
    const seen: UploadProgress[] = [];
    await server
      .client()
      .datasources.upload(
        { datastoreId: 's', file: streamOf('one ', 'two'), fileName: 'a.txt' },
        { onProgress: (progress) => seen.push(progress) },
      );
    expect(server.last.body.toString()).toMatch(/filename="a\.txt"\r\n[^]*\r\n\r\none two\r\n--/);
    expect(seen.at(-1)).toEqual({ sentBytes: server.last.body.length, totalBytes: null });
  });

  it('knows its total from fileSize', async () => {
    await using server = await ScriptedServer.start(json({ id: 'd' }));
    const totals = new Set<number | null>();
    await server
      .client()
      .datasources.upload(
        { datastoreId: 's', file: streamOf('one ', 'two'), fileName: 'a.txt', fileSize: 7 },
        { onProgress: ({ totalBytes }) => totals.add(totalBytes) },
      );
    expect([...totals]).toEqual([server.last.body.length]);
  });

  it('is not retried', async () => {
    await using server = await ScriptedServer.start(
      failure(503, 'UPSTREAM_UNAVAILABLE', { 'retry-after': '0' }),
    );
    const upload = { datastoreId: 's', file: streamOf('x'), fileName: 'a.txt' };
    await expect(
      server.client().datasources.upload(upload, { idempotencyKey: 'k', maxRetries: 3 }),
    ).rejects.toMatchObject({ code: 'UPSTREAM_UNAVAILABLE' });
    expect(server.requests).toHaveLength(1);
  });

  it('fails when its stream fails', async () => {
    await using server = await ScriptedServer.start(json({ id: 'd' }));
    const reason = new Error('The disk failed.');
    const file = new ReadableStream<Uint8Array>({ pull: () => Promise.reject(reason) });
    await expect(
      server.client().datasources.upload({ datastoreId: 's', file, fileName: 'a.txt' }),
    ).rejects.toMatchObject({ code: 'NETWORK' });
  });

  it('needs a file name', async () => {
    await using server = await ScriptedServer.start(json({ id: 'd' }));
    await expect(
      server.client().datasources.upload({ datastoreId: 's', file: streamOf('x') }),
    ).rejects.toThrow(/needs a fileName/);
    expect(server.requests).toHaveLength(0);
  });
});

it('fileFromPath opens a file with its name, which is read in pieces', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'citewell-sdk-'));
  try {
    const path = join(folder, 'guide.md');
    await writeFile(path, CONTENT);
    const seen: UploadProgress[] = [];
    await using server = await ScriptedServer.start(json({ id: 'd' }));
    await server
      .client()
      .datasources.upload(
        { datastoreId: 's', ...(await fileFromPath(path)) },
        { onProgress: (progress) => seen.push(progress) },
      );
    expect(server.last.body.toString()).toMatch(/filename="guide\.md"\r\n/);
    expect(server.last.body.toString()).toContain(CONTENT);
    expect(seen.length).toBeGreaterThan(4);
  } finally {
    await rm(folder, { recursive: true });
  }
});
