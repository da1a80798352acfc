import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { AGENT, FAILED, ROUTES, type Routes, SOURCE } from './main.fixtures.js';
import { type Outcome, runCommands } from './run-commands.fixtures.js';

const MAIN = fileURLToPath(new URL('./main.js', import.meta.url));

describe('citewell', () => {
  const bodies: string[] = [];
  const server = createServer((request, response) => void answer(request, response));
  let url = '';
  let folder = '';

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await text(request);
    bodies.push(body);
    const route = ROUTES[`${request.method} ${request.url}`];
    if (typeof route === 'function') return route(response, body);
    const missing = { error: 'NOT_FOUND', message: 'Not found.', requestId: 'r' };
    response.writeHead(route ? 200 : 404, { 'content-type': 'application/json' });
    response.end(JSON.stringify(route ?? missing));
  }

  beforeAll(async () => {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
    folder = await mkdtemp(join(tmpdir(), 'citewell-cli-'));
    await writeFile(join(folder, 'a.txt'), 'content of a');
  });

  afterAll(async () => {
    server.closeAllConnections();
    server.close();
    await rm(folder, { recursive: true });
  });

  async function citewell(args: string[], { env = {}, input = '' } = {}): Promise<Outcome> {
    const child = spawn(process.execPath, [MAIN, ...args], {
      cwd: folder,
      env: { CITEWELL_URL: url, CITEWELL_API_KEY: 'cw_test', ...env },
    });
    child.stdin.end(input);
    const [out, err] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
    return { exitCode: child.exitCode, out, err };
  }

  it('prints the help of the program and of each command', async () => {
    const { exitCode, out } = await citewell(['--help']);
    expect(exitCode).toBe(0);
    const names = [...out.matchAll(/^ {2}citewell (\w+)/gm)].map(([, name]) => name);
    expect(names).toEqual(expect.arrayContaining(['add', 'ask', 'doctor', 'ls', 'migrate', 'rm', 'status']));
    const env = { CITEWELL_URL: url, CITEWELL_API_KEY: '' };
    const helps = await runCommands(
      folder,
      names.map((name) => ({ args: [name ?? '', '--help'], env })),
    );
    for (const [n, help] of helps.entries()) {
      expect(help).toMatchObject({ exitCode: 0, err: '' });
      expect(help.out).toMatch(new RegExp(`^Usage: citewell ${names[n]}\\b(?:.*\n)+?\n[A-Z]`));
    }
  });

  it('prints its version', async () => {
    const { default: manifest } = await import('../package.json', { with: { type: 'json' } });
    expect(await citewell(['--version'])).toEqual({ exitCode: 0, out: `${manifest.version}\n`, err: '' });
  });

  it('prints an error message and sets the exit code', async () => {
    const cases: [args: string[], message: RegExp, exitCode: number, env?: Record<string, string>][] = [
      [['fly'], /^citewell: Unknown command "fly"\. See "citewell --help"\.\n$/, 2],
      [['toString'], /Unknown command "toString"/, 2],
      [
        ['ask'],
        /^citewell ask: "<question>" is missing\.\nUsage: citewell ask "<question>" \[--agent .*\n$/,
        2,
      ],
      [['ask', ' '], /The question is empty/, 2],
      [
        ['ask', 'q', '--loud'],
        /^citewell ask: Unknown option --loud\. Use --help to see all options\.\n$/,
        2,
      ],
      [['ask', 'q', '--agnet=x'], /: Unknown option --agnet\. Did you mean --agent\?/, 2],
      [['ls', 'agents', 'more'], /: Unexpected argument: more\.\nUsage: citewell ls /, 2],
      [['restor'], /Unknown command "restor"\. Did you mean restore\? See/, 2],
      [['ask', 'q', '--top-k', '0'], /--top-k must be a whole number from 1 to 100/, 2],
      [
        ['ask', 'q', '--agent', 'nobody'],
        /There is no agent "nobody"\. List them with "citewell ls agents"/,
        2,
      ],
      [['add', 'missing.pdf'], /The file missing\.pdf does not exist/, 2],
      [['add', '/dev/null'], /\/dev\/null is neither a file nor a folder/, 2],
      [['add', '.', '--name', 'x'], /only be used with a single file or URL/, 2],
      [['add', 'https://example.com/x', '--watch'], /--watch needs a file or a folder/, 2],
      [['add', 'a.txt', '-', '--name', 'x'], /only be used with a single file or URL/, 2],
      [['connect', 'mailbox'], /<config> must be a JSON object, such as '\{"kind": "feed"/, 2],
      [['keys', 'create'], /<name> of the new key is missing/, 2],
      [['keys', 'create', 'x', '--scopes', 'root'], /Unknown scope "root"/, 2],
      [['keys', 'burn'], /Unknown action "burn"/, 2],
      [['completion', 'csh'], /Usage: citewell completion bash \| zsh \| fish/, 2],
      [['ls', 'planets'], /Cannot list "planets"/, 2],
      [['ls', '--status', 'fine'], /Unknown status "fine"/, 2],
      [['ls', '--group', 'gone'], /There is no web site or archive with the id "gone"\. Find its id with/, 2],
      [['rm', 'x', '--kind', 'world'], /Unknown kind "world"/, 2],
      [['status', 'nope'], /^citewell status: There is no datasource "nope"\. List them with/, 2],
      [['ls'], /^citewell ls: CITEWELL_API_KEY: is required.*\n$/, 2, { CITEWELL_API_KEY: '' }],
      [
        ['rm', 'x'],
        /Check that the service is running and that CITEWELL_URL is its address\.\n$/,
        1,
        { CITEWELL_URL: 'http://127.0.0.1:9' },
      ],
    ];
    const variables = { CITEWELL_URL: url, CITEWELL_API_KEY: 'cw_test' };
    const outcomes = await runCommands(
      folder,
      cases.map(([args, , , env = {}]) => ({ args, env: { ...variables, ...env } })),
    );
    for (const [n, [args, message, exitCode]] of cases.entries())
      expect([args.join(' '), outcomes[n]?.exitCode, outcomes[n]?.err]).toEqual([
        args.join(' '),
        exitCode,
        expect.stringMatching(message),
      ]);
  });

  it('connect reads a secret from standard input, and tests or creates a source', async () => {
    const config = { kind: 'mailbox', host: 'imap.example.org', user: 'me' };
    const args = ['connect', JSON.stringify(config), '--secret', 'password'];
    const tested = await citewell([...args, '--check'], { input: 'hunter2\n' });
    expect([tested.out, tested.exitCode]).toEqual([
      expect.stringMatching(/^The mailbox has 2 folders\.\n1 documents, 0 left out\n {2}INBOX\/Hi.*\.eml\n$/),
      0,
    ]);
    const connected = await citewell([...args, '--datastore', 'Papers'], { input: 'hunter2\n' });
    expect([connected.out, connected.exitCode]).toEqual([expect.stringMatching(/^d1 +synched +/), 0]);
    expect(bodies.slice(-3).flatMap((body) => (body === '' ? [] : [JSON.parse(body)]))).toContainEqual({
      type: 'source',
      datastoreId: 's1',
      config,
      secrets: { password: 'hunter2' },
    });
  });

  it('add creates datasources from a file, a page and standard input, and waits', async () => {
    const file = await citewell(['add', 'a.txt', '--datastore', 'Papers', '--custom-id', 'own-id']);
    expect(file).toEqual({ exitCode: 0, out: 'd1  synched  added  a.txt\n', err: '' });
    const form = bodies.find((body) => body.includes('content of a')) ?? '';
    expect(form).toMatch(/name="datastoreId"\r\n\r\ns1\r\n/);
    expect(form).toMatch(/name="custom_id"\r\n\r\nown-id\r\n/);

    const page = await citewell(['add', 'https://example.com/x', '--no-wait']);
    const url = 'https://example.com/x';
    expect(page.out).toBe(`d1  unsynched  added  ${url}\n`);
    const [json] = bodies.filter((body) => body.includes('"web_page"')).map((body) => JSON.parse(body));
    expect(json).toMatchObject({
      datastoreId: 's1',
      items: [{ custom_id: url, upsert: true, config: { source_url: url } }],
    });

    await citewell(['add', 'a.txt', '--no-wait']);
    expect(bodies.at(-1) ?? '').toMatch(
      /name="upsert"\r\n\r\ntrue\r\n[^]*name="custom_id"\r\n\r\n\/[^\r]*\/a\.txt\r\n/,
    );

    await citewell(['add', '-', '--name', 'notes.md', '--no-wait'], { input: '# Notes' });
    expect(bodies.at(-1) ?? '').toMatch(/filename="notes\.md"[^]*# Notes/);
  });

  it('add sends all addresses with one request, and names the one that is refused', async () => {
    const urls = ['https://a.example/1', 'https://a.example/refused', 'https://a.example/3'];
    const before = bodies.length;
    const { exitCode, out, err } = await citewell(['add', ...urls, 'a.txt', '--no-wait']);
    expect([exitCode, out.trim().split('\n')]).toEqual([
      1,
      [`d1  unsynched  added  ${urls[0]}`, `d1  unsynched  added  ${urls[2]}`, 'd1  unsynched  added  a.txt'],
    ]);
    expect(err).toMatch(/^https:\/\/a\.example\/refused: Several datasources/);
    expect(bodies.slice(before).filter((body) => body.includes('a.example'))).toHaveLength(1);
    const json = await citewell(['add', ...urls.slice(0, 1), '--no-wait', '--json']);
    expect(JSON.parse(json.out)).toMatchObject({ id: 'd1', type: 'file', upsertOutcome: 'created' });
  });

  it('add adds the files of a folder, without hidden files and other types', async () => {
    const root = join(folder, 'handbook');
    await mkdir(join(root, 'travel', '.cache'), { recursive: true });
    for (const name of ['b.md', 'travel/a.TXT', 'config.yaml', '.env.txt', 'travel/.cache/x.txt'])
      await writeFile(join(root, name), name);
    await writeFile(join(root, 'photo.heic'), '\0\0\0\u0018ftypheic\0\0\0\0');
    const before = bodies.length;
    const { exitCode, out, err } = await citewell(['add', 'handbook', '--no-wait', '--json']);
    expect([exitCode, err.trim().split('\n')]).toEqual([
      0,
      [
        'skipped handbook/.env.txt: It is hidden.',
        expect.stringMatching(/^skipped handbook\/photo\.heic: This is an image/),
        'skipped handbook/travel/.cache: It is hidden.',
        '3 added, 3 skipped.',
      ],
    ]);
    expect(
      out
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line)),
    ).toMatchObject([{ id: 'd1' }, { id: 'd1' }, { id: 'd1' }]);
    const names = bodies.slice(before).flatMap((body) => /filename="([^"]*)"/.exec(body)?.[1] ?? []);
    expect(names).toEqual(['handbook/b.md', 'handbook/config.yaml', 'handbook/travel/a.TXT']);
  });

  it('add names a folder without anything to add', async () => {
    await mkdir(join(folder, 'nothing', '.git'), { recursive: true });
    expect(await citewell(['add', 'nothing'])).toEqual({
      exitCode: 0,
      out: '',
      err: 'skipped nothing/.git: It is hidden.\n1 skipped.\n',
    });
  });

  it('add stops at SIGINT, and says how many files were not sent', async () => {
    const root = join(folder, 'many');
    await mkdir(root);
    for (const name of ['a.txt', 'b.txt', 'slow.txt', 'x.txt']) await writeFile(join(root, name), name);
    const child = spawn(process.execPath, [MAIN, 'add', 'many', '--no-wait'], {
      cwd: folder,
      env: { CITEWELL_URL: url, CITEWELL_API_KEY: 'cw_test' },
    });
    const output = Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
    while (!bodies.some((body) => body.includes('many/slow.txt')))
      await new Promise((resolve) => setTimeout(resolve, 5));
    child.kill('SIGINT');
    const [out, err] = await output;
    expect([child.exitCode, out.trim().split('\n').length, err]).toEqual([130, 2, '2 added, 2 not sent.\n']);
    expect(bodies.some((body) => body.includes('many/x.txt'))).toBe(false);
  });

  it('says errors of the service in the language of the terminal', async () => {
    const { err } = await citewell(['add', 'https://a.example/refused', '--no-wait'], {
      env: { LANG: 'de_DE.UTF-8' },
    });
    expect(err).toMatch(
      /^https:\S+: Das passt nicht zum jetzigen Zustand\..* Several datasources .* \(CONFLICT\)\n$/,
    );
  });

  it('add --watch adds what changes until SIGINT', async () => {
    const root = join(folder, 'watched');
    await mkdir(root);
    const child = spawn(process.execPath, [MAIN, 'add', 'watched', '--watch', '--no-wait'], {
      cwd: folder,
      env: { CITEWELL_URL: url, CITEWELL_API_KEY: 'cw_test' },
    });
    const [err, out] = [child.stderr, child.stdout].map((stream) => stream.setEncoding('utf8'));
    for await (const text of err ?? []) if (String(text).includes('Watching')) break;
    await writeFile(join(root, '.hidden.md'), 'no');
    await writeFile(join(folder, 'private.md'), 'a private file');
    await symlink(join(folder, 'private.md'), join(root, 'link.md'));
    await writeFile(join(root, 'new.md'), 'a new file');
    for await (const text of out ?? []) {
      expect(text).toBe('d1  unsynched  added  a.txt\n');
      break;
    }
    expect(bodies.at(-1)).toMatch(/filename="watched\/new\.md"[^]*a new file/);
    expect(bodies.filter((body) => body.includes('a private file'))).toEqual([]);
    child.kill('SIGINT');
    expect(await once(child, 'close')).toEqual([0, null]);
  });

  it.each([
    ['created', 'added'],
    ['replaced', 'replaced'],
    ['unchanged', 'unchanged'],
  ])('add says for each datasource what it did: %s', async (outcome, word) => {
    const { out } = await citewell(['add', 'a.txt', '--custom-id', `outcome-${outcome}`]);
    expect(out).toBe(`d1  synched  ${word}  a.txt\n`);
  });

  it('ask streams the answer and prints the cited sources with their numbers', async () => {
    const { exitCode, out, err } = await citewell(['ask', 'What is it?', '--agent', 'Reader']);
    expect([exitCode, err]).toEqual([0, '']);
    expect(out).toBe(`It is 42 \uFFFD[2J[2].

[2] a.pdf, page 7, characters 124-138, revision 3, datasource d1
    Life > Everything
    "answer is 42."
`);
    expect((await citewell(['ask', 'q', '--all-sources'])).out).toMatch(/\[1\] b\.pdf/);
  });

  it('ask names the agent that it chose, on standard error', async () => {
    expect((await citewell(['ask', 'q'])).err).toMatch(/^Asking the agent "All documents"/);
    expect((await citewell(['ask', 'q', '--agent', 'Reader'])).err).toBe('');
  });

  it('ask answers from a datastore, with the agent that searches only this one', async () => {
    const { out, err } = await citewell(['ask', 'q', '--datastore', 's1', '--top-k', '3']);
    expect(out).toMatch(/^It is 42 /);
    expect(err).toBe('');
    expect(JSON.parse(bodies.at(-1) ?? '')).toEqual({ query: 'q', topK: 3, streaming: true });
  });

  it('ask prints the passages of a datastore', async () => {
    const { out } = await citewell(['ask', 'q', '--datastore', 's1', '--passages', '--top-k', '3']);
    expect(out).toMatch(/^\[1\] a\.pdf, page 7, characters 120-138/);
    expect(JSON.parse(bodies.at(-1) ?? '')).toEqual({ query: 'q', topK: 3 });
    expect(
      JSON.parse((await citewell(['ask', 'q', '--datastore', 's1', '--passages', '--json'])).out),
    ).toEqual([SOURCE]);
  });

  it('chat answers each line, and continues the conversation', async () => {
    const { exitCode, out, err } = await citewell(['chat', '--agent', 'Reader'], {
      input: 'What is it?\n\nAnd why?',
    });
    expect([exitCode, err]).toEqual([0, '']);
    expect(out.match(/^It is 42 .*\n\n\[2\] a\.pdf, page 7/gm)).toHaveLength(2);
    expect(bodies.slice(-2).map((body) => JSON.parse(body))).toEqual([
      { query: 'What is it?', streaming: true },
      { query: 'And why?', conversationId: 'c', streaming: true },
    ]);
  });

  it('export keeps an earlier list that the key may not read any more', async () => {
    await mkdir(join(folder, 'out'));
    const file = join(folder, 'out', 'conversations.jsonl');
    await writeFile(file, '{"id":"c"}\n');
    const { exitCode, err } = await citewell(['export', 'out']);
    expect([exitCode, err]).toEqual([0, expect.stringMatching(/^conversations: not exported\./)]);
    expect(await readFile(file, 'utf8')).toBe('{"id":"c"}\n');
  });

  it('keys lists, creates and revokes keys', async () => {
    expect((await citewell(['keys'])).out).toBe('k1  cw_abc…  read,write  -  Bot\n');
    const created = await citewell(['keys', 'create', 'Bot', '--scopes', 'read,write']);
    expect(created).toMatchObject({ exitCode: 0, out: 'cw_secret\n' });
    expect(JSON.parse(bodies.at(-1) ?? '')).toEqual({ name: 'Bot', scopes: ['read', 'write'] });
    expect((await citewell(['keys', 'revoke', 'k1'])).out).toBe('k1  Bot\n');
  });

  it.each(['bash', 'zsh', 'fish'])('completion prints a script for %s', async (shell) => {
    const { exitCode, out } = await citewell(['completion', shell], { env: { CITEWELL_API_KEY: '' } });
    expect(exitCode).toBe(0);
    for (const word of ['chat', 'no-wait', 'top-k']) expect(out).toContain(word);
  });

  it.each([
    [{}, false],
    [{ FORCE_COLOR: '1' }, true],
    [{ NO_COLOR: '1' }, false],
  ])('colours a pipe only when the environment %j asks for it', async (env, isColoured) => {
    const { out } = await citewell(['ls'], { env });
    expect(out.includes('\u001B[32msynched\u001B[39m')).toBe(isColoured);
  });

  it('ls lists datasources as columns or JSON', async () => {
    expect((await citewell(['ls'])).out).toBe(
      'd1  synched  file (notion)  2026-01-02  Papers  a.txt\nd2  error    file           2026-01-02  Papers  a.txt  CORRUPT_FILE: The file is damaged.\n',
    );
    const filtered = await citewell([
      'ls',
      '--datastore',
      'Papers',
      '--status',
      'error',
      '--limit',
      '5',
      '--json',
    ]);
    expect(JSON.parse(filtered.out)).toEqual(FAILED);
  });

  it.each<[models: Routes[string], answersWith: string]>([
    [{ chat: [{ name: 'gpt-4o', provider: 'openai', modelNames: ['gpt_4'] }] }, 'gpt-4o'],
    [{ chat: [] }, 'quotes, no model'],
    [(response) => response.writeHead(403).end('{"error":"FORBIDDEN","message":"No."}'), 'gpt_4'],
  ])('ls agents shows what writes their answers: %j', async (models, answersWith) => {
    ROUTES['GET /api/models'] = models;
    expect((await citewell(['ls', 'agents'])).out).toBe(`a1  ${answersWith}  Reader\n`);
    expect((await citewell(['ls', 'agents', '--json'])).out).toBe(`${JSON.stringify(AGENT)}\n`);
  });

  it('ls urls lists what a crawl found', async () => {
    expect((await citewell(['ls', 'urls', '--group', 'd1', '--outcome', 'skipped'])).out).toBe(
      'skipped   https://a.example/x  It asks not to be indexed.\nredirect  https://a.example/y  → https://a.example/z\n',
    );
    expect((await citewell(['ls', 'urls'])).err).toMatch(/Name the web site with --group/);
  });

  it('rm continues after an id that it cannot delete', async () => {
    expect(await citewell(['rm', 'gone', 'd1'])).toEqual({
      exitCode: 1,
      out: 'd1  a.txt\n',
      err: 'gone: There is no datasource "gone". List them with "citewell ls datasources".\n',
    });
  });

  it.each([
    [['Papers', '--kind', 'datastore'], 0, 's1  Papers\n', ''],
    [['a.txt'], 1, '', 'a.txt: Several datasources have the name "a.txt". Use an id: d1, d2.\n'],
  ])('rm finds by name: %s', async (args, exitCode, out, err) => {
    expect(await citewell(['rm', ...args])).toEqual({ exitCode, out, err });
  });

  it('rm deletes a datastore', async () => {
    expect((await citewell(['rm', 's1', '--kind', 'datastore'])).out).toBe('s1  Papers\n');
  });

  it('status prints the usage or the state of datasources', async () => {
    expect((await citewell(['status'])).out).toBe(
      'month              2026-01\nagent queries      12 of 100\nstored characters  1,234,567\n',
    );
    const { exitCode, out } = await citewell(['status', 'd1', 'd2']);
    expect(exitCode).toBe(1);
    expect(out).toMatch(
      /^d1 {2}synched {2}a\.txt\n {2}revision 3: 2 pages, 1,200 characters, 4 chunks\nd2 {2}error/,
    );
    expect(out).toMatch(/CORRUPT_FILE: The file is damaged\./);
  });
});
