import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { hostname, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { downloadModel } from './download-model.js';

const WEIGHTS = 'onnx/model.onnx';
const FILES = ['config.json', 'tokenizer.json', 'tokenizer_config.json', WEIGHTS];
const ID = 'me/small';
const BYTES = 1_000;
/** Above any that Linux gives. */
const DEAD_PID = 5_000_000;

let hub: Server;
let directory: string;
let files: Map<string, string>;
let requests: string[];
let ranges: (string | undefined)[];
/** The connection is cut after 10 bytes of this file. */
let broken: string | undefined;
let etag: string | undefined;
/** The digest that the hub states for the weights. */
let linkedDigest: string | undefined;

const contentOf = (file: string): string => file.padEnd(BYTES, file);
const digestOf = (content: string): string => createHash('sha256').update(content).digest('hex');

beforeEach(async () => {
  [requests, ranges, broken, etag, linkedDigest] = [[], [], undefined, undefined, undefined];
  files = new Map(FILES.map((file) => [file, contentOf(file)]));
  directory = await mkdtemp(join(tmpdir(), 'citewell-hub-'));
  hub = createServer((request, response) => {
    const file = fileOf(request);
    if (request.url?.startsWith('/cdn/') !== true) requests.push(file);
    const content = files.get(file);
    if (content === undefined) return response.writeHead(404).end('no');
    if (request.url?.startsWith('/me/') && file === WEIGHTS && linkedDigest !== undefined)
      return response
        .writeHead(302, { location: `/cdn/${file}`, 'x-linked-etag': `"${linkedDigest}"` })
        .end('moved');
    const { range, 'if-range': expected } = request.headers;
    ranges.push(range);
    const start = range !== undefined && expected === etag ? Number(/\d+/.exec(range)?.[0]) : 0;
    response.writeHead(start > 0 ? 206 : 200, {
      'content-length': content.length - start,
      ...(etag === undefined ? {} : { etag }),
    });
    if (file === broken) {
      response.write(content.slice(start, start + 10));
      void untilStored(file).then(() => response.destroy());
    } else response.end(content.slice(start));
  });
  await new Promise<void>((resolve) => hub.listen(0, '127.0.0.1', resolve));
});

afterEach(async () => {
  hub.closeAllConnections();
  hub.close();
  await rm(directory, { recursive: true });
});

function fileOf({ url }: IncomingMessage): string {
  return String(url).replace(/^\/(?:me\/small\/resolve\/main|cdn|mirror)\//, '');
}

async function untilStored(file: string): Promise<void> {
  const partial = join(directory, `me/small.unfinished-${hostname()}-${process.pid}`, `${file}.partial`);
  while (((await stat(partial).catch(() => null))?.size ?? 0) === 0) await setImmediate();
}

const parts: number[] = [];
const address = (): string => `http://127.0.0.1:${(hub.address() as AddressInfo).port}`;
const options = () => ({
  directory,
  hub: address(),
  onProgress: ({ done }: { done?: number }) => void parts.push(done ?? -1),
});
const download = (signal?: AbortSignal): Promise<string> =>
  downloadModel({ source: { kind: 'hub', id: ID }, ...options(), signal });
const downloadFromMirror = (): Promise<string> =>
  downloadModel({ source: { kind: 'url', url: `${address()}/mirror/` }, ...options() });

describe('downloadModel', () => {
  it('stores what the hub has, and asks it once', async () => {
    const folder = await download();
    expect(await readFile(join(folder, WEIGHTS), 'utf8')).toBe(contentOf(WEIGHTS));
    expect(parts.at(-1)).toBe(1);
    expect(await readdir(join(directory, 'me'))).toEqual(['small']);
    requests = [];
    expect(await download()).toBe(folder);
    expect(requests).toEqual([]);
  });

  it('prefers quantized weights', async () => {
    files.set('onnx/model_quantized.onnx', 'small');
    await download();
    expect(requests).toContain('onnx/model_quantized.onnx');
    expect(requests).not.toContain(WEIGHTS);
  });

  it.each([
    ['continues the file that was interrupted', '"1"', '"1"', ['bytes=10-']],
    ['starts the file anew if it has changed meanwhile', '"1"', '"2"', ['bytes=10-']],
    ['starts the file anew if the server does not identify it', undefined, undefined, [undefined]],
    ['starts the file anew if its identity is weak', 'W/"1"', 'W/"1"', [undefined]],
  ])('%s', async (_, before, after, expected) => {
    [broken, etag] = [WEIGHTS, before];
    await expect(download()).rejects.toMatchObject({
      kind: 'permanent',
      message: expect.stringContaining('copy the files of the model to a directory'),
    });
    [broken, etag, requests, ranges] = [undefined, after, [], []];
    const folder = await download();
    expect(requests).not.toContain('config.json');
    expect(ranges).toEqual(expected);
    expect(await readFile(join(folder, WEIGHTS), 'utf8')).toBe(contentOf(WEIGHTS));
  });

  it('continues what a process left that was killed', async () => {
    [broken, etag] = [WEIGHTS, '"1"'];
    await expect(download()).rejects.toThrow();
    const unfinished = (pid: number): string => join(directory, `me/small.unfinished-${hostname()}-${pid}`);
    await rename(unfinished(process.pid), unfinished(DEAD_PID));
    // A process that runs.
    await mkdir(unfinished(process.ppid));
    [broken, requests, ranges] = [undefined, [], []];
    await download();
    expect([requests.includes('config.json'), ranges]).toEqual([false, ['bytes=10-']]);
    expect((await readdir(join(directory, 'me'))).toSorted()).toEqual([
      'small',
      `small.unfinished-${hostname()}-${process.ppid}`,
    ]);
  });

  it('removes earlier bytes before it stores the identity of new ones', async () => {
    const weights = join(directory, `me/small.unfinished-${hostname()}-${process.pid}`, WEIGHTS);
    // Storing the identity fails.
    await mkdir(`${weights}.validator`, { recursive: true });
    await writeFile(`${weights}.partial`, 'earlier');
    await expect(download()).rejects.toThrow();
    expect(await readdir(dirname(weights))).toEqual(['model.onnx.validator']);
  });

  it('compares the weights with the digest of the hub', async () => {
    linkedDigest = digestOf('other');
    await expect(download()).rejects.toThrow(/has another digest/);
    linkedDigest = digestOf(contentOf(WEIGHTS));
    expect(await readFile(join(await download(), WEIGHTS), 'utf8')).toBe(contentOf(WEIGHTS));
  });

  it('takes a model from a folder of a web server, and compares it with its SHA256SUMS', async () => {
    const sums = (content: string): string =>
      [
        `${digestOf(contentOf('config.json'))}  config.json`,
        `${digestOf(content).toUpperCase()} *./${WEIGHTS}`,
      ].join('\r\n');
    files.set('SHA256SUMS', sums('other'));
    await expect(downloadFromMirror()).rejects.toThrow(/onnx\/model.onnx .*has another digest/);
    expect(await readdir(join(directory, 'mirrors'))).toEqual([]);
    // An attempt that has stored the wrong digests only.
    files.delete('config.json');
    await expect(downloadFromMirror()).rejects.toThrow(/config.json does not exist/);
    // The mirror is corrected.
    files.set('config.json', contentOf('config.json'));
    files.set('SHA256SUMS', sums(contentOf(WEIGHTS)));
    expect(await readFile(join(await downloadFromMirror(), WEIGHTS), 'utf8')).toBe(contentOf(WEIGHTS));
    files.clear();
    await downloadFromMirror();
  });

  it('takes the model of a URL through the given fetch, and that of the hub as always', async () => {
    const fetcher = (): Promise<never> => Promise.reject(new Error('blocked'));
    const source = { kind: 'url', url: `${address()}/mirror/` } as const;
    await expect(downloadModel({ source, ...options(), fetcher })).rejects.toThrow(/could not be downloaded/);
    expect(requests).toEqual([]);
    await downloadModel({ source: { kind: 'hub', id: ID }, ...options(), fetcher });
  });

  it('stops at the signal', async () => {
    const reason = new Error('chosen otherwise');
    await expect(download(AbortSignal.abort(reason))).rejects.toBe(reason);
  });

  it('names what a model lacks', async () => {
    files.delete(WEIGHTS);
    await expect(download()).rejects.toThrow(/no model me\/small in ONNX format/);
  });
});
