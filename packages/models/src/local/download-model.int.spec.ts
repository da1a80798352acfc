import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { downloadModel } from './download-model.js';

const FILES = ['config.json', 'tokenizer.json', 'tokenizer_config.json', 'onnx/model.onnx'];
const ID = 'me/small';

let hub: Server;
let directory: string;
let files: string[];
let requests: string[];
/** Cuts the connection in the middle of this file. */
let broken: string | undefined;

beforeEach(async () => {
  [files, requests, broken] = [FILES, [], undefined];
  directory = await mkdtemp(join(tmpdir(), 'citewell-hub-'));
  hub = createServer((request, response) => {
    const file = String(request.url).replace(`/${ID}/resolve/main/`, '');
    requests.push(file);
    if (!files.includes(file)) return response.writeHead(404).end('no');
    response.writeHead(200, { 'content-length': 1_000 });
    if (file === broken) response.write('x'.repeat(10), () => response.destroy());
    else response.end(file.padEnd(1_000));
  });
  await new Promise<void>((resolve) => hub.listen(0, '127.0.0.1', resolve));
});

afterEach(async () => {
  hub.closeAllConnections();
  hub.close();
  await rm(directory, { recursive: true });
});

const parts: number[] = [];
const download = (): Promise<string> =>
  downloadModel({
    id: ID,
    directory,
    hub: `http://127.0.0.1:${(hub.address() as AddressInfo).port}`,
    onProgress: ({ done }) => parts.push(done ?? -1),
  });

describe('downloadModel', () => {
  it('stores what the hub has, and asks it once', async () => {
    const folder = await download();
    expect((await readFile(join(folder, 'onnx/model.onnx'), 'utf8')).trim()).toBe('onnx/model.onnx');
    expect(parts.at(-1)).toBe(1);
    requests = [];
    expect(await download()).toBe(folder);
    expect(requests).toEqual([]);
  });

  it('prefers quantized weights', async () => {
    files = [...FILES, 'onnx/model_quantized.onnx'];
    await download();
    expect(requests).toContain('onnx/model_quantized.onnx');
    expect(requests).not.toContain('onnx/model.onnx');
  });

  it('goes on after an interrupted download', async () => {
    broken = 'tokenizer.json';
    await expect(download()).rejects.toMatchObject({
      kind: 'permanent',
      message: expect.stringContaining('copy the files of the model to a directory'),
    });
    [broken, requests] = [undefined, []];
    const folder = await download();
    expect(requests).not.toContain('config.json');
    expect(await readFile(join(folder, 'tokenizer.json'), 'utf8')).toHaveLength(1_000);
  });

  it('names what a model lacks', async () => {
    files = FILES.slice(0, -1);
    await expect(download()).rejects.toThrow(/no model me\/small in ONNX format/);
  });
});
