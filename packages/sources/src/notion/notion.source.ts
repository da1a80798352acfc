import { Readable } from 'node:stream';
import { htmlPage } from '../html-page.js';
import { counted } from '../inventory-pages.js';
import {
  type FetchedDocument,
  type InventoryPage,
  type Source,
  type SourceDocument,
  SourceError,
} from '../source.js';
import { StatusError, WikiClient } from '../wiki/wiki-client.js';
import { inventoryOf, type WikiSection } from '../wiki/wiki-inventory.js';
import { pathsOf, type WikiNode } from '../wiki/wiki-paths.js';
import {
  blockParentSchema,
  type NotionBlock,
  blocksSchema,
  botSchema,
  isInTrash,
  type NotionPage,
  type NotionParent,
  pageSchema,
  searchSchema,
} from './notion-answers.js';
import { htmlOfBlocks } from './notion-blocks.js';
import { plainText, propertiesHtml, titleOf } from './notion-text.js';

const API = 'https://api.notion.com';
const API_VERSION = '2025-09-03';
const PAGE_SIZE = 100;
/** Notion allows three requests per second on average. */
const DELAY_MS = 340;
const CONCURRENCY = 3;
const MAX_BLOCK_PARENTS = 50;
/** Times of edits are those of minutes. Until this time after an edit, another one may have the same time. */
const UNCERTAIN_MS = 180_000;

interface NotionContext {
  readonly secrets: Readonly<Record<string, string>>;
  readonly allowPrivateNetworks?: readonly string[];
}

/**
 * The pages of Notion that are shared with an integration. Rows of databases are pages with properties. The API does not
 * tell who may read a page.
 */
export class NotionSource implements Source {
  private opened: Promise<WikiClient> | null = null;

  constructor(
    private readonly context: NotionContext,
    /** For tests. */
    private readonly api = { base: API, delayMs: DELAY_MS },
  ) {}

  async check(signal: AbortSignal): Promise<string> {
    const client = await this.client(signal);
    const { name, bot } = await client.json('/v1/users/me', botSchema, signal);
    const { results, has_more: hasMore } = await this.search(client, undefined, signal);
    const workspace = bot?.workspace_name ? ` of ${bot.workspace_name}` : '';
    const shared = `${hasMore ? 'more than ' : ''}${counted(results.length, 'page or database')}`;
    if (results.length > 0) return `Notion shares ${shared}${workspace} with ${name ?? 'the integration'}.`;
    return `Notion shares no page${workspace} with ${name ?? 'the integration'} yet. Add it to pages there, under Connections.`;
  }

  async *inventory(cursor: string | null, signal: AbortSignal): AsyncGenerator<InventoryPage> {
    const client = await this.client(signal);
    yield* inventoryOf(cursor, [''], () => this.list(client, signal));
  }

  async fetch(
    { id, path }: Pick<SourceDocument, 'id' | 'path'>,
    signal: AbortSignal,
  ): Promise<FetchedDocument> {
    const client = await this.client(signal);
    const gone = new SourceError(
      'gone',
      `${path} is not there any more, or not shared with the integration.`,
    );
    const page = await client
      .json(`/v1/pages/${encodeURIComponent(id)}`, pageSchema, signal)
      .catch((error: unknown) => {
        throw isMissing(error) ? gone : error;
      });
    if (isInTrash(page)) throw gone;
    const childrenOf = (blockId: string): Promise<NotionBlock[] | null> =>
      this.childrenOf(client, blockId, signal);
    const blocks = await childrenOf(id);
    if (blocks === null) throw gone;
    const html = `${propertiesHtml(page)}\n${await htmlOfBlocks(blocks, childrenOf)}`;
    const edited = new Date(page.last_edited_time);
    const document = htmlPage({
      title: titleOf(page),
      base: page.url ?? `${API}/`,
      date: edited,
      html: html.trim(),
    });
    return {
      version: versionOf(page),
      mediaType: 'text/html',
      content: Readable.from([Buffer.from(document)], { objectMode: false }),
    };
  }

  async close(): Promise<void> {
    this.opened = null;
  }

  private client(signal: AbortSignal): Promise<WikiClient> {
    signal.throwIfAborted();
    const { secrets, allowPrivateNetworks = [] } = this.context;
    if (!secrets['token']) throw new SourceError('denied', 'The token of the integration is missing.');
    this.opened ??= WikiClient.open({
      service: 'Notion',
      base: this.api.base,
      headers: {
        accept: 'application/json',
        authorization: `Bearer ${secrets['token']}`,
        'notion-version': API_VERSION,
      },
      allowPrivateNetworks,
      concurrency: CONCURRENCY,
      delayMs: this.api.delayMs,
    });
    return this.opened;
  }

  /** Oldest edits first: a page that is edited meanwhile moves to the end, and is listed there. */
  private search(
    client: WikiClient,
    cursor: string | undefined,
    signal: AbortSignal,
  ): Promise<ReturnType<typeof searchSchema.parse>> {
    return client.json('/v1/search', searchSchema, signal, {
      sort: { timestamp: 'last_edited_time', direction: 'ascending' },
      page_size: PAGE_SIZE,
      ...(cursor !== undefined && { start_cursor: cursor }),
    });
  }

  private async list(client: WikiClient, signal: AbortSignal): Promise<WikiSection> {
    const pages = new Map<string, NotionPage>();
    const nodes = new Map<string, WikiNode & { readonly parent: NotionParent }>();
    for await (const { results } of pagesOf((cursor) => this.search(client, cursor, signal)))
      for (const one of results) {
        if (one.object === 'page') {
          if (isInTrash(one)) continue;
          pages.set(one.id, one);
          const title = titleOf(one) || 'Untitled';
          nodes.set(one.id, { id: one.id, title, parent: one.parent, parentId: null, suffix: '.html' });
        } else {
          const title = plainText(one.title) || 'Untitled';
          const parent = one.database_parent ?? one.parent;
          nodes.set(one.id, { id: one.id, title, parent, parentId: null, suffix: '' });
        }
      }
    const blocks = new Map<string, NotionParent | null>();
    const placed = new Map<string, WikiNode>();
    for (const [id, node] of nodes) {
      const parent = await this.pageAbove(client, node.parent, blocks, signal);
      const { data_source_id: rows, page_id: page, database_id: database } = parent ?? {};
      placed.set(id, { ...node, parentId: rows ?? page ?? database ?? null });
    }
    const paths = pathsOf(placed);
    const documents = [...pages.values()].map((page): SourceDocument => ({
      id: page.id,
      path: paths.get(page.id) ?? page.id,
      version: versionOf(page),
      bytes: null,
      modifiedAt: new Date(page.last_edited_time),
      ...(page.url && { url: page.url }),
      access: 'library',
    }));
    return { documents, skipped: [], groups: [] };
  }

  /** A page in a column or a toggle has that block as its parent. */
  private async pageAbove(
    client: WikiClient,
    parent: NotionParent,
    known: Map<string, NotionParent | null>,
    signal: AbortSignal,
  ): Promise<NotionParent | null> {
    let at: NotionParent | null = parent;
    for (let level = 0; at?.type === 'block_id' && level < MAX_BLOCK_PARENTS; level += 1) {
      const id: string = at.block_id ?? '';
      const block: NotionParent | null | undefined = known.get(id);
      at = block === undefined ? await this.parentOfBlock(client, id, signal) : block;
      known.set(id, at);
    }
    return at;
  }

  private async parentOfBlock(
    client: WikiClient,
    id: string,
    signal: AbortSignal,
  ): Promise<NotionParent | null> {
    try {
      return (await client.json(`/v1/blocks/${encodeURIComponent(id)}`, blockParentSchema, signal)).parent;
    } catch (error) {
      if (isMissing(error)) return null;
      throw error;
    }
  }

  private async childrenOf(
    client: WikiClient,
    id: string,
    signal: AbortSignal,
  ): Promise<NotionBlock[] | null> {
    const blocks: NotionBlock[] = [];
    const url = `/v1/blocks/${encodeURIComponent(id)}/children?page_size=${PAGE_SIZE}`;
    const load = (cursor: string | undefined) =>
      client.json(
        cursor === undefined ? url : `${url}&start_cursor=${encodeURIComponent(cursor)}`,
        blocksSchema,
        signal,
      );
    try {
      for await (const { results } of pagesOf(load)) for (const block of results) blocks.push(block);
    } catch (error) {
      if (isMissing(error)) return null;
      throw error;
    }
    return blocks;
  }
}

/** The pages of a list. @throws SourceError `unavailable` for one that leads in a circle */
async function* pagesOf<Page extends { has_more: boolean; next_cursor?: string | null | undefined }>(
  load: (cursor: string | undefined) => Promise<Page>,
): AsyncGenerator<Page> {
  const seen = new Set<string>();
  for (let cursor: string | undefined; ;) {
    const page = await load(cursor);
    yield page;
    if (!page.has_more) return;
    cursor = page.next_cursor ?? '';
    if (seen.has(cursor)) throw new SourceError('unavailable', 'A list of Notion leads in a circle.');
    seen.add(cursor);
  }
}

/** An edit in the same minute as the last one does not change its time: the page is fetched again later. */
function versionOf({ last_edited_time: edited }: NotionPage): string {
  const isCertain = Date.now() - new Date(edited).getTime() > UNCERTAIN_MS;
  return isCertain ? edited : `${edited} or later`;
}

/** What is not shared with the integration, or is no block of a kind that can be read. */
function isMissing(error: unknown): boolean {
  return error instanceof StatusError && [400, 403, 404].includes(error.status);
}
