import { Readable } from 'node:stream';
import type { ConfluenceSourceConfig } from '@citewell/contracts/schemas';
import { htmlPage } from '../html-page.js';
import { counted } from '../inventory-pages.js';
import {
  type FetchedDocument,
  type InventoryPage,
  type Source,
  type SourceAccess,
  type SourceDocument,
  SourceError,
} from '../source.js';
import { StatusError, WikiClient } from '../wiki/wiki-client.js';
import { inventoryOf, type WikiSection } from '../wiki/wiki-inventory.js';
import { pathsOf, type WikiNode } from '../wiki/wiki-paths.js';
import type { Content, ConfluenceSpace } from './confluence-answers.js';
import { ConfluenceApi } from './confluence-api.js';
import {
  type ConfluenceNode,
  dateOf,
  isCurrent,
  type PageType,
  UNTOLD_PARENT,
  versionOf,
} from './confluence-nodes.js';
import { ConfluenceReaders } from './confluence-readers.js';
import { htmlOfStorage, mentionsIn } from './storage-html.js';

const CONCURRENCY = 4;
const NAMED_SPACES = 10;
const ID = /^(page|blogpost|attachment)\/(.{1,200})$/;

interface ConfluenceContext {
  readonly secrets: Readonly<Record<string, string>>;
  readonly allowPrivateNetworks?: readonly string[];
}

/**
 * Pages, blog posts and attachments of Confluence, Cloud or Data Center. A space is listed at once. Pages that are drafts,
 * archived or deleted are not listed.
 */
export class ConfluenceSource implements Source {
  private opened: Promise<ConfluenceApi> | null = null;

  constructor(
    private readonly config: ConfluenceSourceConfig,
    private readonly context: ConfluenceContext,
  ) {}

  async check(signal: AbortSignal): Promise<string> {
    const api = await this.api(signal);
    const spaces = await this.spaces(api, signal);
    const found = `Confluence has ${counted(spaces.length, 'space')}.`;
    if (!this.hasReaders) return found;
    const first = spaces.slice(0, NAMED_SPACES);
    const readers = await Promise.all(first.map((space) => api.readersOfSpace(space, signal)));
    const untold = first.filter((_, index) => readers[index] === null).map(({ key }) => key);
    if (untold.length === 0) return found;
    return `${found} It does not tell this account who may read ${untold.join(', ')}: those pages are for nobody.`;
  }

  async *inventory(cursor: string | null, signal: AbortSignal): AsyncGenerator<InventoryPage> {
    const api = await this.api(signal);
    const spaces = new Map((await this.spaces(api, signal)).map((space) => [space.key, space]));
    yield* inventoryOf(cursor, [...spaces.keys()], (key) =>
      this.sectionOf(api, spaces.get(key) as ConfluenceSpace, signal).catch((error: unknown) =>
        this.withheld(key, error),
      ),
    );
  }

  async fetch(
    { id, path }: Pick<SourceDocument, 'id' | 'path'>,
    signal: AbortSignal,
  ): Promise<FetchedDocument> {
    const [, type, contentId = ''] = ID.exec(id) ?? [];
    const gone = new SourceError('gone', `${path} is not there any more.`);
    if (type === undefined) throw gone;
    const api = await this.api(signal);
    try {
      if (type === 'attachment') return await api.attachment(contentId, signal);
      const page = await api.page(type as PageType, contentId, signal);
      const names = new Map<string, string>();
      for (const user of mentionsIn(page.storage))
        names.set(user, (await api.user(user, signal)).displayName ?? 'somebody');
      const html = htmlOfStorage(page.storage, {
        base: api.site,
        space: path.slice(0, Math.max(0, path.indexOf('/'))),
        nameOf: (user) => names.get(user) ?? 'somebody',
      });
      const document = htmlPage({
        title: page.title,
        base: page.url ?? `${api.site}/`,
        date: page.modifiedAt,
        html,
      });
      return {
        version: page.version,
        mediaType: 'text/html',
        content: Readable.from([Buffer.from(document)], { objectMode: false }),
      };
    } catch (error) {
      // The account may not read it any more, or it was deleted.
      throw isWithheld(error) ? gone : error;
    }
  }

  async close(): Promise<void> {
    this.opened = null;
  }

  private get hasReaders(): boolean {
    return this.config.permissions !== false;
  }

  private api(signal: AbortSignal): Promise<ConfluenceApi> {
    signal.throwIfAborted();
    this.opened ??= this.open(signal).catch((error: unknown) => {
      this.opened = null;
      throw error;
    });
    return this.opened;
  }

  private open(signal: AbortSignal): Promise<ConfluenceApi> {
    const { url, user } = this.config;
    const {
      secrets: { token },
      allowPrivateNetworks = [],
    } = this.context;
    const basic = Buffer.from(`${user}:${token}`).toString('base64');
    const authorization = user ? `Basic ${basic}` : `Bearer ${token}`;
    const headers = { accept: 'application/json', ...(token && { authorization }) };
    const open = (base: string): Promise<WikiClient> =>
      WikiClient.open({
        service: 'Confluence',
        base,
        headers,
        allowPrivateNetworks,
        concurrency: CONCURRENCY,
        delayMs: 0,
      });
    return ConfluenceApi.open(url.replace(/\/$/, ''), open, signal);
  }

  /** @throws SourceError `denied` for a space that is not there */
  private async spaces(api: ConfluenceApi, signal: AbortSignal): Promise<ConfluenceSpace[]> {
    const all = await api.spaces(signal);
    const wanted = this.config.spaces;
    if (wanted === undefined) return all;
    const missing = wanted.find((key) => !all.some((space) => space.key === key));
    if (missing !== undefined)
      throw new SourceError('denied', `Confluence has no space ${missing} that this account may read.`);
    return all.filter(({ key }) => wanted.includes(key));
  }

  private async sectionOf(
    api: ConfluenceApi,
    space: ConfluenceSpace,
    signal: AbortSignal,
  ): Promise<WikiSection> {
    const pages = await api.contentsOf(space, this.hasReaders, signal);
    const nodes = await this.withHolders(api, pages, signal);
    const attachments = (await api.attachmentsIn(space, signal)).filter(
      (one) => nodes.has(one.container?.id ?? '') && isCurrent(one),
    );
    const ofSpace = this.hasReaders ? await api.readersOfSpace(space, signal) : null;
    const readers = new ConfluenceReaders(api, ofSpace, nodes, signal);
    const accessOf = async (id: string): Promise<SourceAccess> =>
      this.hasReaders ? readers.accessOf(id) : 'library';
    const paths = pathsOf(wikiNodes(nodes, attachments));
    const pathOf = (id: string): string => `${space.key}/${paths.get(id) ?? id}`;
    const documents: SourceDocument[] = [];
    for (const { id, type, version, modifiedAt, url } of pages)
      documents.push({
        id: `${type}/${id}`,
        path: pathOf(id),
        version,
        bytes: null,
        modifiedAt,
        ...(url !== null && { url }),
        access: await accessOf(id),
      });
    for (const { id, container, version, extensions } of attachments)
      documents.push({
        id: `attachment/${id}`,
        path: pathOf(id),
        version: versionOf(version),
        bytes: extensions?.fileSize ?? null,
        modifiedAt: dateOf(version?.when),
        access: await accessOf(container?.id ?? ''),
      });
    return { documents, skipped: [], groups: readers.named };
  }

  /** A space that the account sees and may not list: its documents stay. @throws other errors */
  private withheld(key: string, error: unknown): WikiSection {
    if (!isWithheld(error)) throw error;
    const skipped = {
      id: `space/${key}`,
      path: key,
      reason: 'Confluence does not list this space to the account of the token.',
      isFolder: true,
      isRestricted: this.hasReaders,
    };
    return { documents: [], skipped: [skipped], groups: [] };
  }

  /** Pages with all of their parents, and with the restrictions that the list did not have. */
  private async withHolders(
    api: ConfluenceApi,
    pages: readonly ConfluenceNode[],
    signal: AbortSignal,
  ): Promise<Map<string, ConfluenceNode>> {
    const nodes = new Map(pages.map((page) => [page.id, page]));
    const asked = new Set([UNTOLD_PARENT.id]);
    // Each parent is asked for once, so that a circle ends.
    for (let open = [...pages]; open.length > 0;) {
      const parents = open.flatMap(({ parent }) => (parent === null || nodes.has(parent.id) ? [] : [parent]));
      const missing = [...new Map(parents.map((parent) => [parent.id, parent])).values()];
      const holders = await Promise.all(
        missing.filter(({ id }) => !asked.has(id)).map((parent) => api.holder(parent, signal)),
      );
      for (const { id } of missing) asked.add(id);
      open = holders.filter((holder) => holder !== null);
      for (const holder of open) nodes.set(holder.id, holder);
    }
    if (!this.hasReaders) return nodes;
    const unread = [...nodes.values()].filter(({ readers }) => readers === null);
    const found = await Promise.all(unread.map(({ id }) => api.readersOf(id, signal)));
    for (const [index, node] of unread.entries())
      nodes.set(node.id, { ...node, readers: found[index] ?? null });
    return nodes;
  }
}

function isWithheld(error: unknown): boolean {
  return error instanceof StatusError && (error.status === 403 || error.status === 404);
}

function wikiNodes(
  nodes: ReadonlyMap<string, ConfluenceNode>,
  attachments: readonly Content[],
): Map<string, WikiNode> {
  const pages = [...nodes.values()].map(({ id, title, parent, type }): [string, WikiNode] => [
    id,
    { id, title, parentId: parent?.id ?? null, suffix: type === null ? '' : '.html' },
  ]);
  const files = attachments.map(({ id, title, container }): [string, WikiNode] => [
    id,
    { id, title, parentId: container?.id ?? null, suffix: '' },
  ]);
  return new Map([...pages, ...files]);
}
