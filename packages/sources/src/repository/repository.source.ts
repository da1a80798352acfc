import { Readable } from 'node:stream';
import type { RepositorySourceConfig } from '@citewell/contracts/schemas';
import { guardedFetch } from '@citewell/web';
import { counted, pagesOf } from '../inventory-pages.js';
import { isPublic, networkError, retryAfterOf } from '../network-error.js';
import { PathFilter } from '../path-filter.js';
import {
  type FetchedDocument,
  type InventoryPage,
  type SkippedDocument,
  type Source,
  type SourceDocument,
  SourceError,
} from '../source.js';
import { Git } from './git.js';

const MAX_PATH_CHARACTERS = 1_024;
/** How long the commit of the branch is not asked for again. */
const FRESH_MS = 10_000;
const PROBE_TIMEOUT_MS = 30_000;
const MAX_REDIRECTS = 5;
/** Files that one request fetches ahead, when files are read in their order. */
const MAX_AHEAD = 256;
const LFS_POINTER = 'version https://git-lfs.github.com/spec/';
const FETCH = [
  'fetch',
  '--quiet',
  '--no-tags',
  '--no-write-fetch-head',
  '--recurse-submodules=no',
  '--filter=blob:none',
];

/** Addresses of files at hosts that many use. */
const LINKS: Readonly<Record<string, string>> = {
  'github.com': '/blob/{commit}/{path}',
  'gitlab.com': '/-/blob/{commit}/{path}',
  'codeberg.org': '/src/commit/{commit}/{path}',
  'gitea.com': '/src/commit/{commit}/{path}',
};

interface RepositoryContext {
  readonly secrets: Readonly<Record<string, string>>;
  readonly allowPrivateNetworks?: readonly string[];
}

interface Entry {
  readonly mode: string;
  readonly oid: string;
  readonly path: string;
}

/**
 * A branch of a Git repository. Only folders are fetched to list it; contents are fetched when they are asked for. The
 * version of a file is the id of its content, so that what no commit has changed is not fetched again.
 */
export class RepositorySource implements Source {
  private head: { readonly commit: string | null; readonly at: number } | null = null;
  private readonly trees = new Map<string, readonly Entry[]>();
  private readonly fetched = new Set<string>();
  private readonly filter: PathFilter;
  private ahead = { next: -1, size: 1 };
  /** Fetches of git run one after the other. */
  private last: Promise<unknown> = Promise.resolve();

  private constructor(
    private readonly git: Git,
    private readonly config: RepositorySourceConfig,
    private readonly probe: (signal: AbortSignal) => Promise<void>,
    private readonly freshMs: number,
  ) {
    this.filter = new PathFilter(config);
  }

  /** @throws SourceError */
  static async open(
    config: RepositorySourceConfig,
    { secrets: { token }, allowPrivateNetworks = [] }: RepositoryContext,
    freshMs = FRESH_MS,
  ): Promise<RepositorySource> {
    const { protocol, hostname } = new URL(config.url);
    if (token && protocol === 'http:' && (await isPublic(hostname)))
      throw new SourceError('denied', 'A token is sent to the Internet over https only.');
    const basic = Buffer.from(`${config.user ?? 'git'}:${token}`).toString('base64');
    const authorization = token ? `Basic ${basic}` : null;
    const fetch = guardedFetch(allowPrivateNetworks);
    const ask = (url: string, signal: AbortSignal): Promise<Response> =>
      fetch(`${url}/info/refs?service=git-upload-pack`, {
        headers: { 'git-protocol': 'version=2', ...(authorization !== null && { authorization }) },
        redirect: 'manual',
        signal: AbortSignal.any([signal, AbortSignal.timeout(PROBE_TIMEOUT_MS)]),
      });
    const url = await findRepository(config.url.replace(/\/$/, ''), ask);
    const probe = async (signal: AbortSignal): Promise<void> => {
      await findRepository(url, ask, signal);
    };
    const git = await Git.open({ url, authorization, allowPrivateNetworks });
    return new RepositorySource(git, { ...config, url }, probe, freshMs);
  }

  async check(signal: AbortSignal): Promise<string> {
    const commit = await this.currentCommit(signal);
    if (commit === null) return 'The repository is empty.';
    const files = (await this.entriesOf(commit, signal)).length;
    return `The repository has ${counted(files, 'file')} at commit ${commit.slice(0, 10)}.`;
  }

  /** All pages are of one commit, as long as the server has it. */
  async *inventory(cursor: string | null, signal: AbortSignal): AsyncGenerator<InventoryPage> {
    const [pinned = '', ...names] = cursor?.split(' ') ?? [];
    const after = cursor === null ? null : Buffer.from(names.join(' '));
    const current = await this.currentCommit(signal, 0);
    const commit = cursor === null ? current : await this.pinned(pinned, current, signal);
    const entries = commit === null ? [] : await this.entriesOf(commit, signal);
    const left = entries.filter(({ path }) => after === null || Buffer.compare(Buffer.from(path), after) > 0);
    const found = left.map((entry) => this.describe(entry, commit ?? ''));
    for await (const page of pagesOf(Readable.from(found), ({ path }) => `${commit} ${path}`)) {
      yield page;
      signal.throwIfAborted();
    }
  }

  async fetch({ path }: Pick<SourceDocument, 'path'>, signal: AbortSignal): Promise<FetchedDocument> {
    const commit = await this.currentCommit(signal, this.freshMs);
    const entries = commit === null ? [] : await this.entriesOf(commit, signal);
    const index = entries.findIndex((entry) => entry.path === path);
    const entry = entries[index];
    if (entry === undefined || reasonOf(entry) !== null)
      throw new SourceError('gone', `${path} is not there any more.`);
    await this.queued(() => this.fetchAhead(entries, index, signal));
    const { output, ended } = this.git.start(['cat-file', 'blob', entry.oid], signal);
    const content = Readable.from(contentOf(output, ended, path), { objectMode: false });
    return { version: entry.oid, content };
  }

  async close(): Promise<void> {
    await this.git.close();
  }

  /** @param freshMs how long a former answer holds. @returns null for an empty repository */
  private async currentCommit(signal: AbortSignal, freshMs = 0): Promise<string | null> {
    signal.throwIfAborted();
    if (this.head !== null && Date.now() - this.head.at < freshMs) return this.head.commit;
    const { branch } = this.config;
    const name = branch === undefined ? 'HEAD' : `refs/heads/${branch}`;
    const refs = await this.remote(['ls-remote', 'origin', name], signal);
    const commit =
      refs
        .split('\n')
        .find((line) => line.endsWith(`\t${name}`))
        ?.split('\t')[0] ?? null;
    if (commit === null && branch !== undefined)
      throw new SourceError('denied', `The repository has no branch ${branch}.`);
    if (commit === null && (await this.remote(['ls-remote', '--heads', 'origin'], signal)) !== '')
      throw new SourceError('denied', 'The repository has no main branch. Enter the name of a branch.');
    this.head = { commit, at: Date.now() };
    return commit;
  }

  /** The commit of a cursor; the current one if the server does not have that any more. */
  private async pinned(commit: string, current: string | null, signal: AbortSignal): Promise<string | null> {
    if (!/^[\da-f]{40,64}$/.test(commit)) return current;
    try {
      await this.entriesOf(commit, signal);
      return commit;
    } catch (error) {
      if (!(error instanceof SourceError) || error.kind !== 'unavailable') throw error;
      return current;
    }
  }

  private async entriesOf(commit: string, signal: AbortSignal): Promise<readonly Entry[]> {
    const known = this.trees.get(commit);
    if (known !== undefined) return known;
    await this.queued(() => this.remote([...FETCH, '--depth=1', 'origin', commit], signal));
    const listing = await this.git.run(['ls-tree', '-r', '-z', '--full-tree', commit], signal);
    const entries = listing
      .toString()
      .split('\0')
      .filter((line) => line !== '')
      .map((line) => {
        const tab = line.indexOf('\t');
        const [mode = '', , oid = ''] = line.slice(0, tab).split(' ');
        return { mode, oid, path: line.slice(tab + 1) };
      });
    this.trees.clear();
    this.trees.set(commit, entries);
    return entries;
  }

  /**
   * Fetches a content, and those of files behind it: twice as many each time, as long as files are read in their order. One
   * changed file is fetched alone.
   */
  private async fetchAhead(entries: readonly Entry[], index: number, signal: AbortSignal): Promise<void> {
    const { oid = '' } = entries[index] ?? {};
    if (this.fetched.has(oid)) return;
    const size = index === this.ahead.next ? Math.min(this.ahead.size * 2, MAX_AHEAD) : 1;
    const oids = new Set([oid]);
    let next = index + 1;
    for (; oids.size < size && next < entries.length; next += 1) {
      const entry = entries[next] as Entry;
      if (reasonOf(entry) === null && this.filter.isWanted(entry.path) && !this.fetched.has(entry.oid))
        oids.add(entry.oid);
    }
    await this.remote([...FETCH, '--stdin', 'origin'], signal, [...oids].join('\n'));
    for (const each of oids) this.fetched.add(each);
    while (next < entries.length && !this.filter.isWanted(entries[next]?.path ?? '')) next += 1;
    this.ahead = { next, size };
  }

  /** Runs git. If it fails, asks the server by itself for the reason. */
  private async remote(args: readonly string[], signal: AbortSignal, input = ''): Promise<string> {
    try {
      return (await this.git.run(args, signal, input)).toString();
    } catch (error) {
      if (error instanceof SourceError) await this.probe(signal);
      throw error;
    }
  }

  private queued<Result>(work: () => Promise<Result>): Promise<Result> {
    const result = this.last.then(work);
    this.last = result.catch(() => undefined);
    return result;
  }

  private describe(entry: Entry, commit: string): SourceDocument | SkippedDocument {
    const { path, oid } = entry;
    const reason = reasonOf(entry);
    if (reason !== null) return { id: path.slice(0, MAX_PATH_CHARACTERS), path, reason };
    const url = this.linkTo(path, commit);
    return {
      id: path,
      path,
      version: oid,
      bytes: null,
      modifiedAt: null,
      ...(url !== null && { url }),
      access: 'library',
    };
  }

  private linkTo(path: string, commit: string): string | null {
    const { url, link } = this.config;
    const known = LINKS[new URL(url).hostname];
    const pattern = link ?? (known === undefined ? null : url.replace(/\.git$/, '') + known);
    const encoded = path.split('/').map(encodeURIComponent).join('/');
    return pattern?.replaceAll('{commit}', commit).replaceAll('{path}', () => encoded) ?? null;
  }
}

/** Follows redirects on the same host. @returns the address of the repository. @throws SourceError */
async function findRepository(
  start: string,
  ask: (url: string, signal: AbortSignal) => Promise<Response>,
  signal = new AbortController().signal,
): Promise<string> {
  let url = start;
  for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects += 1) {
    const response = await ask(url, signal).catch((error: unknown) => {
      signal.throwIfAborted();
      throw networkError(error);
    });
    await response.body?.cancel();
    const { status, headers } = response;
    const target = URL.parse(headers.get('location') ?? '', `${url}/info/`);
    if (status >= 300 && status < 400 && target !== null) {
      if (target.origin !== new URL(url).origin)
        throw new SourceError('denied', `The repository has moved to ${target.host}. Enter its new address.`);
      url = target.origin + target.pathname.replace(/\/info\/refs$/, '');
      continue;
    }
    if (status === 200 && headers.get('content-type')?.startsWith('application/x-git-upload-pack') === true)
      return url;
    throw statusError(response);
  }
  throw new SourceError('denied', 'The address of the repository leads in a circle.');
}

function statusError({ status, headers }: Response): SourceError {
  if (status === 429)
    return new SourceError('limited', 'The server of the repository asks to wait.', retryAfterOf(headers));
  if (status >= 500)
    return new SourceError('unavailable', `The server of the repository fails (status ${status}).`);
  if (status === 401 || status === 403)
    return new SourceError('denied', 'The server refuses the token, or the repository needs one.');
  return new SourceError(
    'denied',
    'There is no Git repository at this address. A private one is only there with a token.',
  );
}

/** Why an entry is not a document; null if it is one. */
function reasonOf({ mode, path }: Entry): string | null {
  if (mode === '120000') return 'It is a symbolic link.';
  if (mode === '160000') return 'It is a submodule: another repository.';
  if (path.includes('\u{FFFD}')) return 'Its name is not valid UTF-8.';
  return path.length > MAX_PATH_CHARACTERS ? 'Its path is too long.' : null;
}

async function* contentOf(output: Readable, ended: Promise<void>, path: string): AsyncGenerator<Buffer> {
  // Waited for below, unless nobody reads to the end.
  ended.catch(() => undefined);
  let isFirst = true;
  for await (const chunk of output as AsyncIterable<Buffer>) {
    if (isFirst && chunk.length < 1_024 && chunk.toString('latin1').startsWith(LFS_POINTER))
      throw new SourceError('unreadable', `The content of ${path} is in Git LFS, which is not read.`);
    isFirst = false;
    yield chunk;
  }
  await ended;
}
