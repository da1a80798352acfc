import type { Readable } from 'node:stream';
import { z } from 'zod';
import { SourceError } from '../source.js';
import { StatusError, type WikiClient } from '../wiki/wiki-client.js';
import {
  cloudAttachmentSchema,
  type CloudContent,
  cloudContentSchema,
  cloudPermissionSchema,
  type ConfluenceSpace,
  type ConfluenceUser,
  type Content,
  contentSchema,
  listSchema,
  ownRestrictionsSchema,
  permissionSchema,
  profileSchema,
  restrictionSchema,
  spaceSchema,
  userSchema,
} from './confluence-answers.js';
import {
  type ConfluenceNode,
  dateOf,
  isCurrent,
  type PageType,
  parentOf,
  type Readers,
  versionOf,
} from './confluence-nodes.js';

const PAGE_ENTRIES = 100;
/** Characters that the lists of a space may have together: some 45,000 pages and attachments, which take 250 MB of memory. */
const MAX_LIST_CHARACTERS = 16 * 1024 ** 2;
const CLOUD_CONTEXT = '/wiki';
const READERS = 'restrictions.read.restrictions.user,restrictions.read.restrictions.group';

interface ConfluencePage {
  readonly title: string;
  readonly version: string;
  readonly modifiedAt: Date | null;
  readonly url: string | null;
  readonly storage: string;
}

/** What is read of Confluence: Cloud by REST v2, and by v1 what v2 does not have; Data Center by its REST API. */
export class ConfluenceApi {
  /** Names and e-mail of users, as far as answers had them. */
  private readonly users = new Map<string, ConfluenceUser>();
  /** Where people open pages, of an answer of Cloud: tokens with scopes have another address. */
  private ownSite: string | null = null;
  /** Characters of the lists of the space that is being read. */
  private characters = 0;

  private constructor(
    private readonly client: WikiClient,
    private readonly base: string,
    private readonly isCloud: boolean,
  ) {}

  /**
   * Cloud answers to v2 below `/wiki`; what does not is Data Center.
   *
   * @param open makes a client for an address
   */
  static async open(
    address: string,
    open: (base: string) => Promise<WikiClient>,
    signal: AbortSignal,
  ): Promise<ConfluenceApi> {
    const cloud = address.endsWith(CLOUD_CONTEXT) ? address : address + CLOUD_CONTEXT;
    const client = await open(cloud);
    try {
      await client.json('/api/v2/spaces?limit=1', listSchema, signal);
      return new ConfluenceApi(client, cloud, true);
    } catch (error) {
      const isOther = error instanceof SourceError && error.kind === 'denied';
      // A guard that refuses the address, or a token that is not valid, is no sign of Data Center.
      const isRefused = !(error instanceof StatusError) ? isGuard(error) : error.status === 401;
      if (!isOther || isRefused) throw error;
    }
    return new ConfluenceApi(await open(address), address, false);
  }

  /** Where people open pages. */
  get site(): string {
    return this.ownSite ?? this.base;
  }

  /** The spaces that the account may read, without those that are archived. */
  async spaces(signal: AbortSignal): Promise<ConfluenceSpace[]> {
    const url = this.isCloud
      ? `/api/v2/spaces?status=current&limit=${PAGE_ENTRIES}`
      : `/rest/api/space?status=current&limit=${PAGE_ENTRIES}`;
    const spaces = await this.all(url, spaceSchema, signal);
    return spaces.filter(({ status }) => status !== 'archived');
  }

  /** The current pages and blog posts of a space. @param withReaders whether their restrictions are read */
  async contentsOf(
    space: ConfluenceSpace,
    withReaders: boolean,
    signal: AbortSignal,
  ): Promise<ConfluenceNode[]> {
    const nodes: ConfluenceNode[] = [];
    this.characters = 0;
    if (this.isCloud) {
      const readers = withReaders ? await this.restrictionsIn(space, signal) : new Map<string, Readers>();
      for (const type of ['page', 'blogpost'] as const) {
        const url = `/api/v2/spaces/${space.id}/${type}s?status=current&limit=${PAGE_ENTRIES}`;
        for (const one of await this.all(url, cloudContentSchema, signal))
          if (isCurrent(one)) nodes.push(this.cloudNode(one, type, readers.get(one.id) ?? null));
      }
      return nodes;
    }
    const expand = `version,ancestors${withReaders ? `,${READERS}` : ''}`;
    for (const type of ['page', 'blogpost'] as const) {
      const query = `spaceKey=${encodeURIComponent(space.key)}&type=${type}&status=current`;
      const url = `/rest/api/content?${query}&expand=${expand}&limit=${PAGE_ENTRIES}`;
      for (const one of await this.all(url, contentSchema, signal))
        if (isCurrent(one)) nodes.push(this.node(one, type));
    }
    return nodes;
  }

  /** The attachments of the pages of a space, as the search has them. */
  attachmentsIn({ key }: ConfluenceSpace, signal: AbortSignal): Promise<Content[]> {
    return this.all(
      searchUrl(`type = attachment and space = ${quoted(key)}`, 'version,container'),
      contentSchema,
      signal,
    );
  }

  /** A parent that is not a page of its space, such as a folder. @returns null if the account may not read it */
  async holder(
    { id, type }: { id: string; type: string },
    signal: AbortSignal,
  ): Promise<ConfluenceNode | null> {
    try {
      if (!this.isCloud) {
        const url = `/rest/api/content/${encodeURIComponent(id)}?status=any&expand=version,ancestors,${READERS}`;
        return this.node(await this.client.json(url, contentSchema, signal), null);
      }
      const url = `/api/v2/${encodeURIComponent(type)}s/${encodeURIComponent(id)}`;
      return this.cloudNode(await this.client.json(url, cloudContentSchema, signal), null, null);
    } catch (error) {
      return orNull(error);
    }
  }

  /** Whom the restriction of one content names. @returns null if the account is not told */
  async readersOf(id: string, signal: AbortSignal): Promise<Readers | null> {
    const url = `/rest/api/content/${encodeURIComponent(id)}/restriction/byOperation/read`;
    try {
      return this.readers(
        await this.client.json(
          `${url}?expand=restrictions.user,restrictions.group`,
          restrictionSchema,
          signal,
        ),
      );
    } catch (error) {
      return orNull(error);
    }
  }

  /** Who may read a space. @returns null if the account is not told */
  async readersOfSpace({ id, key }: ConfluenceSpace, signal: AbortSignal): Promise<Readers | null> {
    const users: string[] = [];
    const groups: string[] = [];
    try {
      if (this.isCloud) {
        const url = `/api/v2/spaces/${id}/permissions?limit=${PAGE_ENTRIES}`;
        for (const { operation, principal } of await this.all(url, cloudPermissionSchema, signal)) {
          if (operation?.key !== 'read' || operation.targetType !== 'space' || !principal?.id) continue;
          if (principal.type === 'user') users.push(principal.id);
          if (principal.type === 'group') groups.push(principal.id);
        }
        return { users, groups };
      }
      const url = `/rest/api/space/${encodeURIComponent(key)}/permissions?limit=${PAGE_ENTRIES}`;
      for (const { operation, subject } of await this.all(url, permissionSchema, signal)) {
        if (operation.operationKey !== 'read' || operation.targetType !== 'space') continue;
        if (subject?.type === 'user' && subject.userKey) users.push(`key:${subject.userKey}`);
        if (subject?.type === 'group' && subject.name) groups.push(subject.name);
      }
      return { users, groups };
    } catch (error) {
      return orNull(error);
    }
  }

  /** The members of a group. Empty if the account is not told. */
  async membersOf(group: string, signal: AbortSignal): Promise<string[]> {
    const path = this.isCloud ? 'membersByGroupId' : 'member';
    const url = `/rest/api/group/${encodeURIComponent(group)}/${path}?limit=${PAGE_ENTRIES}`;
    try {
      return (await this.all(url, userSchema, signal)).map((user) => this.remember(user));
    } catch (error) {
      return orNull(error) ?? [];
    }
  }

  /** A user with an e-mail and a name, as far as the account is told. Data Center has the e-mail in profiles only. */
  async user(id: string, signal: AbortSignal): Promise<ConfluenceUser> {
    const known = this.users.get(id);
    if (known?.email) return known;
    const [, key] = /^key:(.*)$/s.exec(id) ?? [];
    const query = this.isCloud
      ? `accountId=${encodeURIComponent(id)}`
      : key === undefined
        ? `username=${encodeURIComponent(id)}`
        : `key=${encodeURIComponent(key)}`;
    try {
      const user = known?.username
        ? known
        : await this.client.json(`/rest/api/user?${query}`, userSchema, signal);
      const profileUrl = `/rest/mobile/1.0/profile/${encodeURIComponent(user.username ?? '')}`;
      const profile =
        !this.isCloud && user.username
          ? await this.client.json(profileUrl, profileSchema, signal).catch(orNull)
          : null;
      // Without an e-mail, it is not asked for again.
      this.users.set(id, { ...user, email: (profile?.email ?? user.email) || '-' });
    } catch (error) {
      orNull(error);
      this.users.set(id, { email: '-' });
    }
    return this.users.get(id) ?? {};
  }

  /** @throws SourceError `gone` */
  async page(type: PageType, id: string, signal: AbortSignal): Promise<ConfluencePage> {
    const path = `${encodeURIComponent(id)}`;
    const content = this.isCloud
      ? await this.client.json(`/api/v2/${type}s/${path}?body-format=storage`, cloudContentSchema, signal)
      : await this.client.json(
          `/rest/api/content/${path}?expand=body.storage,version`,
          contentSchema,
          signal,
        );
    if (!isCurrent(content) || content.body?.storage === undefined) throw gone();
    this.learnSite(content._links.base);
    const { version, modifiedAt, url, title } = this.isCloud
      ? this.cloudNode(content as CloudContent, type, null)
      : this.node(content as Content, type);
    return { title, version, modifiedAt, url, storage: content.body.storage.value };
  }

  /** @throws SourceError `gone` */
  async attachment(id: string, signal: AbortSignal): Promise<{ version: string; content: Readable }> {
    if (this.isCloud) {
      const found = await this.client.json(
        `/api/v2/attachments/${encodeURIComponent(id)}`,
        cloudAttachmentSchema,
        signal,
      );
      const holder = found.pageId ?? found.blogPostId;
      if (!isCurrent(found) || !holder) throw gone();
      const url = `/rest/api/content/${holder}/child/attachment/${encodeURIComponent(id)}/download`;
      const content = await this.client.download(url, found.fileSize, signal);
      return { version: versionOf(found.version), content };
    }
    const url = `/rest/api/content/${encodeURIComponent(id)}?expand=version`;
    const found = await this.client.json(url, contentSchema, signal);
    const { download } = found._links;
    if (!isCurrent(found) || download === undefined) throw gone();
    const content = await this.client.download(this.resolved(download), found.extensions?.fileSize, signal);
    return { version: versionOf(found.version), content };
  }

  /** Restrictions by the search, of many pages in one request. What it does not have is asked for one by one. */
  private async restrictionsIn({ key }: ConfluenceSpace, signal: AbortSignal): Promise<Map<string, Readers>> {
    const url = searchUrl(`type in (page, blogpost) and space = ${quoted(key)}`, READERS);
    try {
      const found = await this.all(url, ownRestrictionsSchema, signal);
      return new Map(found.map(({ id, restrictions }) => [id, this.readers(restrictions.read)]));
    } catch (error) {
      // The whole answer fails if the account may not read a part of it.
      orNull(error);
      return new Map();
    }
  }

  private cloudNode(content: CloudContent, type: PageType | null, readers: Readers | null): ConfluenceNode {
    const { id, title, parentId, parentType, version, _links: links } = content;
    const parent = parentId ? { id: parentId, type: parentType ?? 'page' } : undefined;
    return {
      id,
      type,
      title,
      parent: parentOf(parentId !== undefined, parent, type),
      version: versionOf(version),
      modifiedAt: dateOf(version?.createdAt),
      url: this.link(links.webui),
      readers,
    };
  }

  private node(content: Content, type: PageType | null): ConfluenceNode {
    const { id, title, ancestors, version, restrictions, _links: links } = content;
    const parent = ancestors?.at(-1);
    return {
      id,
      type,
      title,
      parent: parentOf(ancestors !== undefined, parent && { id: parent.id, type: 'page' }, type),
      version: versionOf(version),
      modifiedAt: dateOf(version?.when),
      url: this.link(links.webui),
      readers: restrictions?.read === undefined ? null : this.readers(restrictions.read),
    };
  }

  private readers({ restrictions: { user, group } }: z.infer<typeof restrictionSchema>): Readers {
    const groups = group.results.map(({ id, name }) => (this.isCloud ? id : name) ?? '');
    return { users: user.results.map((one) => this.remember(one)), groups };
  }

  private remember(user: ConfluenceUser): string {
    const id = (this.isCloud ? user.accountId : user.username) ?? `key:${user.userKey ?? ''}`;
    // Users without an id are not one user.
    if (id !== 'key:' && !this.users.get(id)?.email) this.users.set(id, user);
    return id;
  }

  /** All entries of a list. @throws SourceError `unavailable` for a list that leads in a circle or is too long */
  private async all<Entry>(url: string, schema: z.ZodType<Entry>, signal: AbortSignal): Promise<Entry[]> {
    const entries: Entry[] = [];
    const visited = new Set<string>();
    const answer = listSchema.extend({ results: z.array(schema) });
    for (let at: string | null = url; at !== null;) {
      if (visited.has(at)) throw new SourceError('unavailable', 'A list of Confluence leads in a circle.');
      visited.add(at);
      const { results, _links: links }: z.infer<typeof answer> = await this.client.json(at, answer, signal);
      this.learnSite(links.base);
      for (const entry of results) entries.push(entry);
      this.characters += at.length + JSON.stringify(results).length;
      if (this.characters > MAX_LIST_CHARACTERS)
        throw new SourceError('unavailable', 'The lists of a space of Confluence are too long.');
      at = links.next === undefined ? null : this.client.sameHost(this.resolved(links.next));
    }
    return entries;
  }

  /** Links are relative to the address of Confluence, or, in v2, to that of its host. */
  private resolved(link: string, base = this.base): string {
    if (/^https?:\/\//.test(link)) return link;
    const context = this.isCloud ? CLOUD_CONTEXT : new URL(this.base).pathname;
    return context !== '/' && link.startsWith(`${context}/`) && base.endsWith(context)
      ? base.slice(0, -context.length) + link
      : base + link;
  }

  private link(webui: string | undefined): string | null {
    return webui === undefined ? null : this.resolved(webui, this.site);
  }

  private learnSite(base: string | undefined): void {
    if (this.isCloud && base !== undefined && /^https?:\/\//.test(base) && URL.canParse(base))
      this.ownSite ??= base.replace(/\/$/, '');
  }
}

function searchUrl(query: string, expand: string): string {
  return `/rest/api/content/search?cql=${encodeURIComponent(query)}&expand=${expand}&limit=${PAGE_ENTRIES}`;
}

function quoted(key: string): string {
  return `"${key.replaceAll(/["\\]/g, '')}"`;
}

function gone(): SourceError {
  return new SourceError('gone', 'Confluence does not have it any more.');
}

/** Null for what the account may not read or does not find. @throws other errors */
function orNull(error: unknown): null {
  if (error instanceof StatusError && error.kind === 'denied' && error.status !== 401) return null;
  throw error;
}

/** Whether the guard of private networks refused, instead of the service. */
function isGuard(error: unknown): boolean {
  return error instanceof SourceError && error.options.cause !== undefined;
}
