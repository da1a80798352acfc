import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { decodeDocument, type DocumentContent, type Progress } from '@citewell/documents';
import type { FileType } from '@citewell/documents/file-type';
import {
  buildDocx,
  buildEpub,
  buildOdt,
  buildPdf,
  buildPptx,
  buildXlsx,
  slideShape,
  wordParagraph,
} from '@citewell/documents/test-files';
import { networkIsolation } from '@citewell/observability/child-processes';
import { TableEngine } from '@citewell/tables';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { ParserSandbox, type ParserSandboxOptions } from './parser-sandbox.js';
import type { SandboxCall, SandboxInput } from './sandbox-call.js';

const OFFICE = 'application/vnd.openxmlformats-officedocument';
const FAULTY_CHILD = fileURLToPath(new URL('./test-files/faulty-child.js', import.meta.url));
const MEGABYTE = 1024 * 1024;

let folder: string;
let sandbox: ParserSandbox | undefined;
let sandboxes = 0;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parser-sandbox-'));
});
afterEach(() => sandbox?.close());
afterAll(() => rm(folder, { recursive: true, force: true }));

function open(options: Partial<ParserSandboxOptions> = {}): ParserSandbox {
  sandboxes += 1;
  sandbox = new ParserSandbox({
    processes: 1,
    timeoutMs: 20_000,
    maxMemoryBytes: 500 * MEGABYTE,
    maxOutputCharacters: 10_000,
    scratchDirectory: join(folder, String(sandboxes)),
    ...options,
  });
  return sandbox;
}

function openSandbox(): ParserSandbox {
  assert.ok(sandbox);
  return sandbox;
}

async function parse(
  content: string | Uint8Array,
  fileType: FileType = 'text/plain',
  call: SandboxCall = {},
  source: SandboxInput['source'] = Readable.from([content]),
): Promise<DocumentContent> {
  return decodeDocument(await openSandbox().parse({ source, fileType, fileName: 'file' }, call));
}

/** As {@link parse}, without a copy of the file. */
const parseInMemory = (content: string | Uint8Array, fileType: FileType = 'text/plain') =>
  parse(content, fileType, {}, Buffer.from(content));

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/** The time limit of the test ends the wait for a process that keeps running. */
async function untilEnded(pid: number): Promise<void> {
  while (isRunning(pid)) await sleep(50);
}

const pidOf = ({ text }: DocumentContent): number => Number(text.replace('pid ', ''));

const itWhereIsolated = (await networkIsolation()).length === 0 ? it.skip : it;

describe('ParserSandbox with real parsers', () => {
  const files: readonly (readonly [FileType, string | Uint8Array])[] = [
    ['text/plain', 'Hello'],
    ['text/markdown', 'Hello'],
    ['text/csv', 'Hello,b\n1,2'],
    ['text/html', '<p>Hello</p>'],
    ['application/json', '["Hello"]'],
    ['message/rfc822', 'Subject: Hello\n\nHello'],
    ['application/epub+zip', buildEpub('<p>Hello</p>')],
    ['application/rtf', '{\\rtf1 Hello}'],
    ['application/vnd.oasis.opendocument.text', buildOdt('<text:p>Hello</text:p>')],
    ['application/pdf', buildPdf([[{ text: 'Hello', y: 700 }]])],
    [`${OFFICE}.wordprocessingml.document`, buildDocx(wordParagraph('Hello'))],
    [`${OFFICE}.presentationml.presentation`, buildPptx([slideShape(['Hello'])])],
    [
      `${OFFICE}.spreadsheetml.sheet`,
      buildXlsx([{ name: 'S', rows: '<row><c t="str"><v>Hello</v></c></row>' }]),
    ],
  ];

  it('parses every type under Node’s permission model', async () => {
    open();
    for (const [fileType, content] of files) {
      const document = await parse(content, fileType);
      expect([fileType, document.text]).toEqual([fileType, expect.stringMatching(/Hello/)]);
      expect(await parseInMemory(content, fileType)).toEqual(document);
    }
  });

  it('parses a file by its path and reports progress', async () => {
    const path = join(folder, 'two-pages.pdf');
    await writeFile(path, buildPdf([[{ text: 'One', y: 700 }], [{ text: 'Two', y: 700 }]]));
    const reported: Progress[] = [];
    const file = await open().parse(
      { source: path, fileType: 'application/pdf', fileName: 'two-pages.pdf' },
      { onProgress: (progress) => reported.push(progress) },
    );
    expect(decodeDocument(file).text).toBe('One\n\nTwo');
    expect([file.characters, file.pageCount, file.hasUnrecognizedPages]).toEqual([8, 2, false]);
    expect(reported.at(-1)).toEqual({ done: 2, total: 2 });
    expect(existsSync(path)).toBe(true);
  });

  it('writes the typed tables of a file, and nothing for a file without tables', async () => {
    open();
    const engine = new TableEngine();
    const xlsx = buildXlsx([{ name: 'S', rows: '<row><c t="str"><v>N</v></c><c><v>5</v></c></row>' }]);
    for (const [fileType, content, count] of [
      ['text/csv', Buffer.from('name,n\nx,1\ny,2\n'), [[2, 3]]],
      ['text/csv', Buffer.from('name,n\nz,7\n'), [[1, 7]]],
      [`${OFFICE}.spreadsheetml.sheet`, xlsx, [[1, 5]]],
    ] as const) {
      for (const source of [content, Readable.from([content])]) {
        const { tables } = await openSandbox().parse({ source, fileType, fileName: 'file' });
        const statement = `SELECT count(*), sum(${fileType === 'text/csv' ? 'n' : 'column_2'}) FROM t1`;
        expect((await engine.query(tables ?? '', statement)).rows).toEqual(count);
      }
    }
    await engine.close();
    const html = Buffer.from('<table><tr><th>a<th>b<tr><td>1<td>2</table>');
    expect(
      (await openSandbox().parse({ source: html, fileType: 'text/html', fileName: 'f' })).tables,
    ).toBeNull();
  });

  it('rejects with the error of the parser and keeps the process', async () => {
    open();
    await expect(parse('%PDF-', 'application/pdf')).rejects.toMatchObject({
      name: 'DocumentError',
      code: 'CORRUPT_FILE',
    });
    await expect(parse('x'.repeat(20_000))).rejects.toMatchObject({
      code: 'TOO_COMPLEX',
      sentence: expect.stringMatching(/^It has more than 10,000 characters of text/),
    });
    expect((await parse('fine')).text).toBe('fine');
  });
});

describe('ParserSandbox with a process that misbehaves', () => {
  const faulty = (options: Partial<ParserSandboxOptions> = {}): ParserSandbox =>
    open({ childScript: FAULTY_CHILD, ...options });

  for (const [content, code, options] of [
    ['hang', 'PARSE_TIMEOUT', { timeoutMs: 4_000 }],
    ['sleep', 'PARSER_CRASHED', { stallTimeoutMs: 3_000 }],
    ['buffers', 'PARSE_MEMORY', { maxMemoryBytes: 250 * MEGABYTE }],
    ['heap', 'PARSE_MEMORY', { maxMemoryBytes: 250 * MEGABYTE }],
    ['throw', 'PARSER_CRASHED', {}],
    ['exit', 'PARSER_CRASHED', {}],
    ['kill', 'PARSER_CRASHED', {}],
    ['nonsense', 'PARSER_CRASHED', {}],
    ['half', 'PARSER_CRASHED', {}],
    ['outline', 'PARSER_CRASHED', {}],
    ['flood', 'PARSER_CRASHED', {}],
  ] as const) {
    it(`fails "${content}" with ${code} and parses the next file`, async () => {
      faulty(options);
      const earlier = pidOf(await parse('ok'));
      const failed = expect(parse(content)).rejects.toMatchObject({ name: 'DocumentError', code });
      const next = parse('ok');
      await failed;
      expect(isRunning(earlier)).toBe(false);
      expect(pidOf(await next)).not.toBe(earlier);
    });
  }

  it('does not count the time in which a process waits for a CPU', async () => {
    faulty({ timeoutMs: 4_000 });
    let pid = pidOf(await parse('ok'));
    // On a busy machine, the start of a process takes so long that it is not used again.
    while (!isRunning(pid)) pid = pidOf(await parse('ok'));
    process.kill(pid, 'SIGSTOP');
    const waiting = parse('ok');
    await sleep(4_500);
    process.kill(pid, 'SIGCONT');
    expect(pidOf(await waiting)).toBe(pid);
  });

  it('fails one of many small files alone', async () => {
    faulty({ processes: 2 });
    const contents = ['ok', 'ok', 'exit', 'ok', 'nonsense', 'ok', 'ok'];
    const outcomes = await Promise.allSettled(contents.map((content) => parseInMemory(content)));
    expect(outcomes.map(({ status }) => status)).toEqual(
      contents.map((content) => (content === 'ok' ? 'fulfilled' : 'rejected')),
    );
  });

  it('lets a process access only its file and its code', async () => {
    faulty();
    for (const what of ['read', 'write', 'spawn', 'worker']) {
      expect([what, (await parse(`probe ${what}`)).text]).toEqual([what, 'refused ERR_ACCESS_DENIED']);
    }
    // The shell sets `PWD` and similar variables itself.
    const { text } = await parse('probe environment');
    expect(text).toMatch(/^did \[(?:"(?:PWD|OLDPWD|SHLVL|_)",?)*\]$/);
  });

  itWhereIsolated('gives a process no network, where the system allows that', async () => {
    let connections = 0;
    const server = createServer((socket) => {
      connections += 1;
      socket.destroy();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    try {
      const address = server.address();
      assert.ok(typeof address === 'object' && address !== null);
      faulty();
      expect((await parse(`probe connect ${address.port}`)).text).toBe('refused ENETUNREACH');
      expect(connections).toBe(0);
    } finally {
      server.close();
    }
  });

  it('kills the process when its call is aborted, and rejects an aborted waiting call', async () => {
    faulty();
    const pid = pidOf(await parse('ok'));
    const [running, queued] = [new AbortController(), new AbortController()];
    const first = expect(parse('hang', 'text/plain', { signal: running.signal })).rejects.toThrow(
      /no longer wanted/,
    );
    const second = expect(parse('ok', 'text/plain', { signal: queued.signal })).rejects.toThrow(/nor this/);
    queued.abort(new Error('nor this'));
    await second;
    // Gives the process time to receive the file.
    await sleep(300);
    running.abort(new Error('no longer wanted'));
    await first;
    expect(isRunning(pid)).toBe(false);
    expect(isRunning(pidOf(await parse('ok')))).toBe(true);
  });

  it('reuses a process, replaces it after its limit of files, and ends it when idle', async () => {
    faulty({ filesPerProcess: 2, idleTimeoutMs: 1_000 });
    const pids = [];
    for (let index = 0; index < 3; index += 1) pids.push(pidOf(await parse('ok')));
    expect(pids[0]).toBe(pids[1]);
    expect(pids[1]).not.toBe(pids[2]);
    await Promise.all(pids.map(untilEnded));
  });

  it('starts the successor of a process before its last file', async () => {
    faulty({ filesPerProcess: 2 });
    await parse('ok');
    await parse('ok');
    expect(await readdir(join(folder, String(sandboxes)))).toEqual(['2']);
  });

  it('parses as many files at a time as it has processes, and cleans up when closed', async () => {
    const pool = faulty({ processes: 2 });
    const answers = await Promise.all(Array.from({ length: 8 }, () => parse('ok')));
    const pids = new Set(answers.map(pidOf));
    expect(pids.size).toBe(2);
    await pool.close();
    expect([...pids].every((pid) => !isRunning(pid))).toBe(true);
    expect(existsSync(join(folder, String(sandboxes)))).toBe(false);
    await expect(parse('ok')).rejects.toThrow(/closed/);
  });

  it('lets the holders that wait for a process take turns', async () => {
    faulty();
    const order: string[] = [];
    const parseFor = async (holder: string): Promise<void> => {
      await parse('ok', 'text/plain', { holder });
      order.push(holder);
    };
    await Promise.all(['a', 'a', 'a', 'a', 'b'].map(parseFor));
    expect(order.indexOf('b')).toBeLessThan(3);
  });

  it('rejects with the error of a broken stream', async () => {
    const source = Readable.from(
      (async function* () {
        yield 'some';
        throw new Error('connection lost');
      })(),
    );
    await expect(faulty().parse({ source, fileType: 'text/plain', fileName: 'f' })).rejects.toThrow(
      /connection lost/,
    );
    expect(await parse('ok')).toBeTruthy();
  });

  it('empties its scratch directory before the first file', async () => {
    faulty();
    await parse('ok');
    const scratchDirectory = join(folder, String(sandboxes));
    await writeFile(join(scratchDirectory, 'left-behind'), 'x');
    const other = new ParserSandbox({
      processes: 1,
      timeoutMs: 20_000,
      maxMemoryBytes: 500 * MEGABYTE,
      maxOutputCharacters: 100,
      scratchDirectory,
      childScript: FAULTY_CHILD,
    });
    await other.parse({ source: Readable.from(['ok']), fileType: 'text/plain', fileName: 'f' });
    expect(await readdir(scratchDirectory)).toEqual(['1']);
    await other.close();
  });

  it.each(['tables-exit', 'tables-hang', 'tables-heap'])('keeps the document after %s', async (fault) => {
    const warnings: string[] = [];
    const logger = {
      debug: () => undefined,
      warn: (_: unknown, message: string) => void warnings.push(message),
    };
    open({ childScript: FAULTY_CHILD, timeoutMs: 1_000, maxMemoryBytes: 250 * MEGABYTE, logger });
    expect((await parse(fault)).text).toBe('read');
    expect(warnings).toContain('the tables of a document could not be stored');
    expect(pidOf(await parse('ok'))).toBeGreaterThan(0);
  });

  it.each([
    ['wait for a file', 'sleep'],
    ['are in an endless loop', 'hang'],
  ])('ends its processes when the worker dies, also those that %s', async (_, fault) => {
    const program = `
      import { Readable } from 'node:stream';
      const { ParserSandbox } = await import(${JSON.stringify(pathToFileURL(fileURLToPath(new URL('parser-sandbox.js', import.meta.url))).href)});
      const sandbox = new ParserSandbox({ processes: 1, timeoutMs: 20_000, maxMemoryBytes: 5e8, maxOutputCharacters: 100,
        scratchDirectory: ${JSON.stringify(join(folder, 'orphan'))}, childScript: ${JSON.stringify(FAULTY_CHILD)} });
      const { text } = await sandbox.parse({ source: Readable.from(['ok']), fileType: 'text/plain', fileName: 'f' });
      console.log(text.toString('utf16le'));
      void sandbox.parse({ source: Readable.from([${JSON.stringify(fault)}]), fileType: 'text/plain', fileName: 'f' });`;
    const worker = spawn(process.execPath, ['--input-type=module', '-e', program], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [line] = await worker.stdout.setEncoding('utf8').take(1).toArray();
    const pid = Number(String(line).replace('pid ', ''));
    // Until the process has received the second file.
    await sleep(500);
    expect(isRunning(pid)).toBe(true);
    worker.kill('SIGKILL');
    await untilEnded(pid);
  });
});
