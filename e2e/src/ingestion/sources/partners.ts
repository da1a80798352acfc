import { mkdir, mkdtemp, readFile, realpath, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  freePort,
  GitHost,
  type Protocol,
  RcloneServer,
  startDovecot,
  storageSettings,
} from '@citewell/testing/source-servers';
import { FeedServer } from '../../fixtures/feed-server.js';
import { append, imap, MAIL_PASSWORD } from '../../fixtures/mail-commands.js';

/** What can become of a document that a partner holds. */
export type Change = 'change' | 'rename' | 'remove';

/** Where documents live. A path in the library contains the name of its document, such as `doc-7`. */
export interface Partner {
  readonly config: Readonly<Record<string, unknown>>;
  readonly secrets?: Readonly<Record<string, string>>;
  /** Changes that the partner knows, and that a sync of it follows. Every partner adds documents. */
  readonly changes: readonly Change[];
  /** Has these texts, by name, and no others. */
  hold(texts: ReadonlyMap<string, string>): Promise<void>;
  /** Requests since the last call, by kind, where the partner can tell them. */
  requests?(): Promise<{ inventory: number; fetch: number }>;
  stop(): Promise<void>;
}

/** Documents of one page of the list of {@link programPartner}. */
export const PROGRAM_PAGE = 50;

/** Gives the files of the folder in SETTINGS, and writes its requests into a file beside it. */
const PROGRAM = `
import { appendFileSync, readdirSync, readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
const answer = (line) => console.log(JSON.stringify(line));
const folder = process.env.SETTINGS;
const versionOf = (name) => readFileSync(folder + '/' + name, 'utf8');
for await (const line of createInterface({ input: process.stdin })) {
  const { request, id, cursor } = JSON.parse(line);
  appendFileSync(folder + '.log', request + '\\n');
  if (request === 'check') answer({ done: true, message: 'The archive is open.' });
  else if (request === 'inventory') {
    const rest = readdirSync(folder).sort().filter((name) => cursor === null || name > cursor);
    const page = rest.slice(0, ${PROGRAM_PAGE});
    for (const name of page) answer({ document: { id: name, path: name, version: versionOf(name) } });
    answer({ done: true, cursor: rest.length > page.length ? page.at(-1) : null });
  } else {
    answer({ version: versionOf(id) });
    answer({ content: readFileSync(folder + '/' + id, 'base64') });
    answer({ done: true });
  }
}`;

/** Writes files so that their times tell each change, also where only seconds are told. */
class Files {
  private time = 1_700_000_000;
  private held = new Map<string, string>();

  constructor(readonly folder: string) {}

  async hold(texts: ReadonlyMap<string, string>): Promise<void> {
    const at = (name: string): string => join(this.folder, `${name}.txt`);
    for (const name of this.held.keys()) if (!texts.has(name)) await rm(at(name));
    for (const [name, content] of texts) {
      if (this.held.get(name) === content) continue;
      await writeFile(at(name), content);
      this.time += 1;
      await utimes(at(name), this.time, this.time);
    }
    this.held = new Map(texts);
  }
}

async function temporaryFolder(): Promise<string> {
  return realpath(await mkdtemp(join(tmpdir(), 'partner-')));
}

/** @param root an existing folder, below which its own is made */
export async function folderPartner(root: string): Promise<Partner> {
  const folder = await mkdtemp(join(root, 'folder-'));
  const files = new Files(folder);
  return {
    config: { kind: 'folder', folder },
    changes: ['change', 'rename', 'remove'],
    hold: (texts) => files.hold(texts),
    stop: () => rm(folder, { recursive: true }),
  };
}

export async function storagePartner(protocol: Protocol): Promise<Partner> {
  const root = await temporaryFolder();
  const port = await freePort();
  const login = { user: 'someone', password: 'a-password' };
  const { options, secrets, path } = storageSettings(protocol, port, login);
  const files = new Files(join(root, 'served', path));
  await mkdir(files.folder, { recursive: true });
  const server = await RcloneServer.start(protocol, join(root, 'served'), port, login);
  return {
    config: { kind: 'storage', provider: protocol, options, path },
    secrets,
    changes: ['change', 'rename', 'remove'],
    hold: (texts) => files.hold(texts),
    stop: async () => {
      await server.stop();
      await rm(root, { recursive: true });
    },
  };
}

export async function repositoryPartner(): Promise<Partner> {
  const git = await GitHost.start();
  return {
    config: { kind: 'repository', url: git.url },
    changes: ['change', 'rename', 'remove'],
    hold: async (texts) => {
      for (const path of git.files.keys()) git.remove(path);
      for (const [name, content] of texts) git.write(`${name}.txt`, content);
      git.commit();
    },
    stop: () => git.stop(),
  };
}

/** Messages do not change. */
export async function mailboxPartner(): Promise<Partner> {
  const dovecot = await startDovecot();
  let held: ReadonlySet<string> = new Set();
  return {
    config: { kind: 'mailbox', host: '127.0.0.1', port: dovecot.port, security: 'none', user: 'reader' },
    secrets: { password: MAIL_PASSWORD },
    changes: ['remove'],
    hold: async (texts) => {
      const removed = [...held].filter((name) => !texts.has(name));
      const added = [...texts].filter(([name]) => !held.has(name));
      await imap(dovecot.port, [
        ...added.map(([name, content]) => append(name, content)),
        'SELECT INBOX',
        ...removed.flatMap((name) => [
          `UID SEARCH RETURN (SAVE) HEADER Message-ID "<${name}@example.org>"`,
          'UID STORE $ +FLAGS.SILENT (\\Deleted)',
        ]),
        'EXPUNGE',
      ]);
      held = new Set(texts.keys());
    },
    stop: () => dovecot.stop(),
  };
}

/** Old entries stay in the library. */
export async function feedPartner(): Promise<Partner> {
  const feed = await FeedServer.start();
  return {
    config: { kind: 'feed', url: feed.url, linkedPages: false },
    changes: ['change'],
    hold: async (texts) => {
      feed.entries.clear();
      for (const [name, content] of texts) feed.entries.set(name, content);
    },
    stop: async () => feed.stop(),
  };
}

/** A partner of a deployment whose SOURCE_PROGRAMS are {@link programsOf} the same folder. */
export async function programPartner(root: string): Promise<Partner> {
  const folder = await mkdtemp(join(root, 'archive-'));
  const files = new Files(folder);
  await writeFile(join(root, 'program.mjs'), PROGRAM);
  await writeFile(`${folder}.log`, '');
  return {
    config: { kind: 'program', program: 'archive', settings: folder },
    changes: ['change', 'rename', 'remove'],
    hold: (texts) => files.hold(texts),
    requests: async () => {
      const lines = (await readFile(`${folder}.log`, 'utf8')).split('\n');
      await writeFile(`${folder}.log`, '');
      const count = (request: string): number => lines.filter((line) => line === request).length;
      return { inventory: count('inventory'), fetch: count('fetch') };
    },
    stop: () => rm(folder, { recursive: true }),
  };
}

export function programsOf(root: string): string {
  return JSON.stringify({ archive: [process.execPath, join(root, 'program.mjs')] });
}
