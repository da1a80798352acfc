import { readFileSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { inspect } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { sourceConformance, type SourceWorld } from '../source.conformance.js';
import { ProgramSource } from './program.source.js';

const page = readFileSync(new URL('../../../../docs/sources-program.md', import.meta.url), 'utf8');

function example(language: string): string {
  const [, program = ''] = new RegExp(`\`\`\`${language}\n([^]*?)\`\`\``).exec(page) ?? [];
  return program;
}

describe.each([
  ['python', 'folder.py', ['python3']],
  ['ts', 'folder.ts', [process.execPath, '--no-warnings']],
])('the example in %s', (language, file, command) => {
  async function makeWorld(): Promise<SourceWorld> {
    const root = await mkdtemp(join(tmpdir(), 'program-source-'));
    const folder = join(root, 'documents');
    await mkdir(folder);
    await writeFile(join(root, file), example(language));
    const at = (path: string): string => join(folder, path);
    return {
      open: async () =>
        ProgramSource.open(
          { kind: 'program', program: 'folder', settings: folder },
          { programs: { folder: [...command, join(root, file)] }, secrets: {} },
        ),
      write: async (path, content) => {
        await mkdir(dirname(at(path)), { recursive: true });
        await writeFile(at(path), content);
      },
      remove: (path) => rm(at(path)),
      rename: async (from, to) => {
        await mkdir(dirname(at(to)), { recursive: true });
        await rename(at(from), at(to));
      },
      setReachable: (isReachable) =>
        isReachable ? rename(join(root, 'away'), folder) : rename(folder, join(root, 'away')),
      stop: () => rm(root, { recursive: true }),
    };
  }

  // Several pages, and not so many that starting Python and Node takes longer than the rest.
  sourceConformance('program', makeWorld, { many: 2_000 });

  it('has about 40 lines', () => {
    expect(example(language).split('\n').length).toBeLessThanOrEqual(46);
  });
});

describe('a program', () => {
  const never = new AbortController().signal;
  let root: string;
  const opened: ProgramSource[] = [];
  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'program-source-'));
  });
  afterEach(async () => {
    await Promise.all(opened.splice(0).map((source) => source.close()));
    await rm(root, { recursive: true });
  });

  /** A source of a shell script, which reads each request into `$line`. */
  function open(script: string, secret = 'pa55word'): ProgramSource {
    const source = ProgramSource.open(
      { kind: 'program', program: 'script', settings: root },
      {
        programs: { script: ['/bin/sh', '-c', `while read -r line; do ${script}\ndone`] },
        secrets: { secret },
      },
      { silenceMs: 2_000, lineBytes: 100_000 },
    );
    opened.push(source);
    return source;
  }
  const list = async (source: ProgramSource) => {
    const pages = [];
    for await (const found of source.inventory(null, never)) pages.push(found);
    return pages;
  };
  async function isRunning(pid: string): Promise<boolean> {
    const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
    return status !== '' && !/^State:\s+Z/m.test(status);
  }

  it.each([
    ['writes rubbish', 'echo rubbish', 'unavailable', /not JSON/],
    ['writes JSON of another kind', 'echo 42', 'unavailable', /does not fit/],
    ['hangs', 'sleep 1000', 'unavailable', /not answered for 2 seconds/],
    ['exits', 'exit 3', 'unavailable', /exit status 3/],
    ['is killed', 'kill -9 $$', 'unavailable', /killed/],
    ['writes without end', 'cat /dev/zero', 'unavailable', /more than 100000 bytes/],
    ['closes its output', 'exec >&-; sleep 1000', 'unavailable', /./],
    [
      'lists without an end',
      `echo '{"document": {"id": "1", "path": "a", "version": "1"}}'; exit 0`,
      'unavailable',
      /ended/,
    ],
    ['has no cursor', `echo '{"done": true}'`, 'unavailable', /does not fit/],
    ['answers its own cursor', `echo '{"done": true, "cursor": "1"}'`, 'unavailable', /cursor/],
    ['lists nameless documents', `echo '{"document": {"version": "1"}}'`, 'unavailable', /id/],
    [
      'asks to wait',
      `echo '{"error": "limited", "message": "Wait.", "retryAfterMs": 5}'`,
      'limited',
      /^Wait\.$/,
    ],
    [
      'tells its secret',
      `echo '{"error": "denied", "message": "No: '$SECRET'  !"}'`,
      'denied',
      /^No: ••• !$/,
    ],
  ])('that %s fails the inventory', async (_what, script, kind, message) => {
    await expect(list(open(script))).rejects.toMatchObject({
      name: 'SourceError',
      kind,
      message: expect.stringMatching(message),
    });
  });

  it('that writes its secret, and no JSON, does not get it into the error', async () => {
    const error = await list(open('echo "$SECRET is my secret"')).catch((thrown: unknown) => thrown);
    expect(inspect(error)).toMatch(/not JSON/);
    expect(inspect(error)).not.toContain('pa55word');
  });

  it('that is not there fails', async () => {
    const source = ProgramSource.open(
      { kind: 'program', program: 'none' },
      { programs: { none: ['/no/such/program'] }, secrets: {} },
    );
    await expect(source.check(never)).rejects.toMatchObject({ kind: 'unavailable' });
    await source.close();
  });

  it.each(['other', 'constructor', '__proto__'])(
    'that the operator does not name is denied: %s',
    (program) => {
      expect(() => ProgramSource.open({ kind: 'program', program }, { programs: {}, secrets: {} })).toThrow(
        /SOURCE_PROGRAMS/,
      );
    },
  );

  it('gets its settings and its secret, and nothing else of the server', async () => {
    process.env.SOURCE_SPEC_PASSWORD = 'server';
    const [{ skipped } = { skipped: [] }] = await list(
      open(
        `echo '{"skipped": {"id": "1", "path": "a", "reason": "'$(env | sort | cut -d= -f1 | tr '\\n' ' ')'"}}'; echo '{"done": true, "cursor": null}'`,
      ),
    );
    delete process.env.SOURCE_SPEC_PASSWORD;
    const names = (skipped[0]?.reason ?? '')
      .split(' ')
      .filter((name) => !['', 'PWD', 'OLDPWD', '_', 'SHLVL'].includes(name));
    expect(names).toEqual(['LANG', 'PATH', 'SECRET', 'SETTINGS']);
  });

  it('skips a document that is described wrongly', async () => {
    const source = open(
      `echo '{"document": {"id": "1", "path": "a.txt", "version": "1", "bytes": -1}}'; echo '{"document": {"id": "2", "path": "b.txt", "version": "1"}}'; echo '{"done": true, "cursor": null}'`,
    );
    expect(await list(source)).toMatchObject([
      {
        documents: [{ id: '2', bytes: null, access: 'library' }],
        skipped: [{ id: '1', reason: expect.stringContaining('bytes') }],
        cursor: null,
      },
    ]);
  });

  it('tells the type of a document', async () => {
    const source = open(
      `case $line in *'"a"'*) echo '{"version": "1", "mediaType": "text/html"}';; *) echo '{"version": "1", "mediaType": null}';; esac; echo '{"done": true}'`,
    );
    expect(await source.fetch({ id: 'a', path: 'a.json' }, never)).toMatchObject({ mediaType: 'text/html' });
    expect(await source.fetch({ id: 'b', path: 'b.json' }, never)).not.toHaveProperty('mediaType');
  });

  it('tells who may read a document, and who is in the groups', async () => {
    const access = { people: ['ada@example.org'], groups: ['Finance'] };
    const group = { name: 'Finance', people: ['bob@example.org'] };
    const source = open(
      `echo '${JSON.stringify({ group })}'; echo '${JSON.stringify({ document: { id: '1', path: 'a', version: '1', access } })}'; echo '{"done": true, "cursor": null}'`,
    );
    expect(await list(source)).toMatchObject([
      { documents: [{ id: '1', access }], groups: [group], cursor: null },
    ]);
  });

  it('tells that what it cannot give names readers, in whatever form', async () => {
    const lines = [
      { document: { id: '1', path: 'a', version: '1', access: { people: ['ada@example.org'] } } },
      { document: { id: '2', path: 'b', version: '1', access: null } },
      { document: { id: '3', path: 'c', version: '', access: 'library' } },
      { document: { id: '4', path: 'd', version: '' } },
      { skipped: { id: '5', path: 'e', reason: 'Locked.', access: { people: [], groups: [] } } },
      { skipped: { id: '6', path: 'f', reason: 'Locked.' } },
      { done: true, cursor: null },
    ];
    const [answer] = await list(open(`echo '${lines.map((line) => JSON.stringify(line)).join('\n')}'`));
    expect(answer?.documents).toEqual([]);
    expect(answer?.skipped.filter(({ isRestricted }) => isRestricted).map(({ id }) => id)).toEqual([
      '1',
      '2',
      '5',
    ]);
    expect(answer?.skipped).toHaveLength(6);
  });

  it('gives pages of 500 documents, whatever it lists at once', async () => {
    const source = open(
      `for n in $(seq 1200); do echo '{"document": {"id": "'$n'", "path": "'$n'", "version": "1"}}'; done; echo '{"done": true, "cursor": null}'`,
    );
    const pages = await list(source);
    expect(pages.map(({ documents, cursor }) => [documents.length, cursor])).toEqual([
      [500, 'null'],
      [500, 'null'],
      [200, null],
    ]);
  });

  it('fails a document at which it crashes, and reads the next one', async () => {
    const source = open(
      `case $line in *poison*) exit 1;; esac; echo '{"version": "1"}'; echo '{"content": "b2s="}'; echo '{"done": true}'`,
    );
    const read = async (id: string) => {
      const { content } = await source.fetch({ id, path: id }, never);
      return (await buffer(content)).toString();
    };
    await expect(read('poison')).rejects.toMatchObject({ kind: 'unreadable' });
    expect(await read('good')).toBe('ok');
  });

  it('answers several requests at once, and goes on after one that is not read to its end', async () => {
    const source = open(
      `echo '{"version": "'$$'"}'; for n in $(seq 3000); do echo '{"content": "'$(printf %04000d 0)'"}'; done; echo '{"done": true}'`,
    );
    const [one, other] = await Promise.all([
      source.fetch({ id: '1', path: '1' }, never),
      source.fetch({ id: '2', path: '2' }, never),
    ]);
    expect(one.version).not.toBe(other.version);
    one.content.destroy();
    expect(await buffer(other.content)).toHaveLength(9_000_000);
    const again = await source.fetch({ id: '3', path: '3' }, never);
    expect(again.version).toBe(other.version);
    again.content.destroy();
    await sleep(100);
    expect(await isRunning(one.version)).toBe(false);
  });

  it.each([
    ['closing', (source: ProgramSource) => source.close()],
    ['an abort', null],
  ])('is killed with all that it has started by %s', async (_what, end) => {
    const pids = join(root, 'pids');
    const source = open(`sleep 1000 & echo $! > ${pids}; sleep 1000`);
    const controller = new AbortController();
    const checking = source.check(controller.signal).catch((error: unknown) => error);
    let child = '';
    while (child === '') {
      await sleep(20);
      child = (await readFile(pids, 'utf8').catch(() => '')).trim();
    }
    expect(await isRunning(child)).toBe(true);
    if (end === null) controller.abort(new Error('enough'));
    else await end(source);
    expect(await checking).toBeInstanceOf(Error);
    while (await isRunning(child)) await sleep(20);
  });
});
