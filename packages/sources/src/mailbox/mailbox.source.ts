import { Readable } from 'node:stream';
import type { MailboxSourceConfig } from '@citewell/contracts/schemas';
import type { FetchMessageObject, ImapFlow, ListResponse } from 'imapflow';
import { counted, emptyPage, PAGE_DOCUMENTS } from '../inventory-pages.js';
import {
  type FetchedDocument,
  type InventoryPage,
  type SkippedDocument,
  type Source,
  type SourceDocument,
  SourceError,
} from '../source.js';
import { connectToMailbox, type MailContext, mailError } from './mail-connection.js';
import { DESCRIPTION, documentsOf, keyOf, parseId } from './mail-documents.js';

/** Messages that are described by one command. */
const BATCH_MESSAGES = 250;
const CHUNK_BYTES = 1024 ** 2;
/** Messages whose numbers are kept, to find documents without listing their folder again. */
const MAX_KNOWN_MESSAGES = 200_000;
/** Uses of folders (RFC 6154) that people do not search: copies of messages, and what they do not want. */
const LEFT_OUT = new Set(['\\All', '\\Drafts', '\\Junk', '\\Trash']);

/** Where an inventory goes on: after this message. */
interface MailCursor {
  readonly folder: string;
  readonly uidValidity: string;
  readonly uid: number;
}

/** The numbers of the messages of a folder, by their keys. */
interface KnownFolder {
  readonly uidValidity: bigint;
  readonly uidNext: number;
  readonly uids: Map<string, number>;
}

/**
 * A mailbox that speaks IMAP (RFC 9051, RFC 3501). Each message is a document, and each attachment that is a file: a
 * citation names one message, and a reply leaves the other messages as they are. Flags are not read, except that messages
 * marked as deleted are. Nothing is changed: folders are opened for reading.
 */
export class MailboxSource implements Source {
  private readonly idle: ImapFlow[] = [];
  private readonly busy = new Set<ImapFlow>();
  private readonly known = new Map<string, KnownFolder>();

  constructor(
    private readonly config: MailboxSourceConfig,
    private readonly context: MailContext,
  ) {}

  async check(signal: AbortSignal): Promise<string> {
    return this.use(signal, async (client) => {
      const folders = await this.foldersOf(client);
      const counts = await Promise.all(
        folders.map(async ({ path }) => (await client.status(path, { messages: true })) || { messages: 0 }),
      );
      const messages = counts.reduce((sum, { messages: number = 0 }) => sum + number, 0);
      return `The mailbox has ${counted(messages, 'message')} in ${counted(folders.length, 'folder')}.`;
    });
  }

  async *inventory(cursor: string | null, signal: AbortSignal): AsyncGenerator<InventoryPage> {
    const start = cursor === null ? null : (JSON.parse(cursor) as MailCursor);
    const folders = await this.use(signal, (client) => this.foldersOf(client));
    let page = emptyPage();
    let last = start;
    for (const folder of folders) {
      if (start !== null && folder.path < start.folder) continue;
      for await (const { found, position } of this.messagesOf(folder, start, signal)) {
        if (page.documents.length + page.skipped.length + found.length > PAGE_DOCUMENTS && last !== null) {
          yield { ...page, cursor: JSON.stringify(last) };
          page = emptyPage();
        }
        for (const item of found)
          if ('reason' in item) page.skipped.push(item);
          else page.documents.push(item);
        last = position;
      }
    }
    yield { ...page, cursor: null };
  }

  async fetch(
    { id, path }: Pick<SourceDocument, 'id' | 'path'>,
    signal: AbortSignal,
  ): Promise<FetchedDocument> {
    const gone = new SourceError('gone', `${path} is not there any more.`);
    const location = parseId(id);
    if (location === null) throw gone;
    const { folder, key, part } = location;
    const client = await this.take(signal);
    try {
      const uid = await this.guarded(client, signal, () => this.locate(client, folder, key));
      if (uid === null) throw gone;
      const options = { uid: true, chunkSize: CHUNK_BYTES, decodeText: false };
      const download = await this.guarded(client, signal, () => client.download(String(uid), part, options));
      if (!('content' in download) || download.content === undefined) throw gone;
      const contents = this.contentOf(client, download.content, signal);
      const content = Readable.from(contents, { objectMode: false });
      // Also when nobody has begun to read. The rest of a content that nobody wants ends with its connection.
      content.once('close', () => this.putBack(client, content.readableEnded));
      return { version: part === undefined ? key : `${key}/${part}`, content };
    } catch (error) {
      this.putBack(client, error === gone);
      throw error;
    }
  }

  async close(): Promise<void> {
    for (const client of [...this.idle.splice(0), ...this.busy]) client.close();
    this.busy.clear();
  }

  /** The folders of the source, by path. */
  private async foldersOf(client: ImapFlow): Promise<ListResponse[]> {
    const { folders: chosen } = this.config;
    const all = (await client.list()).filter(
      ({ flags }) => !flags.has('\\Noselect') && !flags.has('\\NonExistent'),
    );
    const missing = chosen?.find((name) => !all.some((folder) => isWithin(folder, name)));
    if (missing !== undefined) throw new SourceError('denied', `The mailbox has no folder ${missing}.`);
    return all
      .filter((folder) =>
        chosen === undefined ? !isLeftOut(folder) : chosen.some((name) => isWithin(folder, name)),
      )
      .toSorted((one, other) => (one.path < other.path ? -1 : 1));
  }

  /** The documents of each message of a folder, from a cursor on if it is in this folder. */
  private async *messagesOf(
    folder: ListResponse,
    start: MailCursor | null,
    signal: AbortSignal,
  ): AsyncGenerator<{ found: (SourceDocument | SkippedDocument)[]; position: MailCursor }> {
    const names = [...folder.parent, folder.name];
    const opened = await this.use(signal, async (client) => {
      const isOpen = await this.openFolder(client, folder.path);
      return isOpen ? { ...stateOf(client), uids: await this.search(client) } : null;
    });
    const position = { folder: folder.path, uidValidity: String(opened?.uidValidity ?? 0), uid: 0 };
    if (opened === null) {
      const reason = 'The mail server does not open this folder.';
      const skipped = { id: folder.path, path: names.join('/'), reason, isFolder: true };
      yield { found: [skipped], position };
      return;
    }
    const { uidValidity, uidNext, uids } = opened;
    // Numbers of another validity are those of other messages.
    const isSame = start?.folder === folder.path && start.uidValidity === position.uidValidity;
    const rest = isSame ? uids.filter((uid) => uid > start.uid) : uids;
    const known = this.remember(folder.path, { uidValidity, uidNext: isSame ? 0 : uidNext, uids: new Map() });
    for (let at = 0; at < rest.length; at += BATCH_MESSAGES) {
      const batch = rest.slice(at, at + BATCH_MESSAGES);
      const messages = await this.use(signal, async (client) => {
        const isOpen = await this.openFolder(client, folder.path);
        if (!isOpen || stateOf(client).uidValidity !== uidValidity)
          throw new SourceError('unavailable', `The folder ${folder.path} was changed while it was listed.`);
        return describeAll(client, batch);
      });
      for (const message of messages) {
        const found = 'reason' in message ? [brokenMessage(folder.path, names, message)] : [];
        if (!('reason' in message)) {
          const key = keyOf(message);
          // The same message once more.
          if (known.uids.has(key)) continue;
          known.uids.set(key, message.uid);
          found.push(...(documentsOf(message, { path: folder.path, names }) as SkippedDocument[]));
        }
        yield { found, position: { ...position, uid: message.uid } };
      }
    }
  }

  /** @returns the number of a message in the folder, which is open then; null if it is not there */
  private async locate(client: ImapFlow, path: string, key: string): Promise<number | null> {
    if (!(await this.openFolder(client, path))) return null;
    const { uidValidity, uidNext } = stateOf(client);
    const known = this.known.get(path);
    const uid = known?.uidValidity === uidValidity ? known.uids.get(key) : undefined;
    if (uid !== undefined) return uid;
    if (known?.uidValidity === uidValidity && known.uidNext === uidNext) return null;
    const listed = { uidValidity, uidNext, uids: new Map<string, number>() };
    const uids = await this.search(client);
    for (let at = 0; at < uids.length; at += BATCH_MESSAGES)
      for (const message of await describeAll(client, uids.slice(at, at + BATCH_MESSAGES)))
        if (!('reason' in message) && !listed.uids.has(keyOf(message)))
          listed.uids.set(keyOf(message), message.uid);
    this.remember(path, listed);
    return listed.uids.get(key) ?? null;
  }

  private remember(path: string, folder: KnownFolder): KnownFolder {
    let messages = 0;
    for (const { uids } of this.known.values()) messages += uids.size;
    if (messages > MAX_KNOWN_MESSAGES) this.known.clear();
    this.known.set(path, folder);
    return folder;
  }

  /** The numbers of the messages of the open folder that the source has, in ascending order. */
  private async search(client: ImapFlow): Promise<number[]> {
    const { since } = this.config;
    const query = { deleted: false, ...(since !== undefined && { since }) };
    const uids = await client.search(query, { uid: true });
    // No number at all is an empty list.
    if (!Array.isArray(uids))
      throw new SourceError('unavailable', 'The mail server does not list its messages.');
    return uids.toSorted((one, other) => one - other);
  }

  /** @returns false if the server refuses to open the folder */
  private async openFolder(client: ImapFlow, path: string): Promise<boolean> {
    try {
      await client.mailboxOpen(path, { readOnly: true });
      return true;
    } catch (error) {
      const { responseStatus, mailboxMissing } = error as {
        responseStatus?: string;
        mailboxMissing?: boolean;
      };
      const isRefused = client.usable && (mailboxMissing === true || responseStatus === 'NO');
      if (isRefused && mailError(error).kind !== 'limited') return false;
      throw error;
    }
  }

  private async *contentOf(
    client: ImapFlow,
    content: AsyncIterable<Buffer>,
    signal: AbortSignal,
  ): AsyncGenerator<Buffer> {
    const chunks = content[Symbol.asyncIterator]();
    for (;;) {
      const chunk = await this.guarded(client, signal, () => chunks.next());
      if (chunk.done === true) return;
      yield chunk.value;
    }
  }

  private async use<Result>(
    signal: AbortSignal,
    work: (client: ImapFlow) => Promise<Result>,
  ): Promise<Result> {
    const client = await this.take(signal);
    let isDone = false;
    try {
      const result = await this.guarded(client, signal, () => work(client));
      isDone = true;
      return result;
    } finally {
      this.putBack(client, isDone);
    }
  }

  /** Ends the connection when the signal is aborted. */
  private async guarded<Result>(
    client: ImapFlow,
    signal: AbortSignal,
    work: () => Promise<Result>,
  ): Promise<Result> {
    signal.throwIfAborted();
    const onAbort = (): void => client.close();
    signal.addEventListener('abort', onAbort);
    try {
      return await work();
    } catch (error) {
      signal.throwIfAborted();
      throw mailError(error);
    } finally {
      signal.removeEventListener('abort', onAbort);
    }
  }

  private async take(signal: AbortSignal): Promise<ImapFlow> {
    signal.throwIfAborted();
    let client = this.idle.pop();
    while (client?.usable === false) client = this.idle.pop();
    client ??= await connectToMailbox(this.config, this.context);
    this.busy.add(client);
    return client;
  }

  private putBack(client: ImapFlow, isReusable: boolean): void {
    if (!this.busy.delete(client)) return;
    if (isReusable && client.usable) this.idle.push(client);
    else client.close();
  }
}

const UNREADABLE = 'The mail server cannot read this message.';

interface Undescribed {
  readonly uid: number;
  readonly reason: string;
}

/** Describes messages. One that the server cannot describe fails all of a command; they are asked for one by one then. */
async function describeAll(
  client: ImapFlow,
  uids: readonly number[],
): Promise<(FetchMessageObject | Undescribed)[]> {
  const [only] = uids;
  try {
    const messages = await client.fetchAll([...uids].join(','), DESCRIPTION, { uid: true });
    const described = new Set(messages.map(({ uid }) => uid));
    const missing = uids.filter((uid) => !described.has(uid));
    const undescribed =
      missing.length === 0 ? [] : await client.search({ uid: missing.join(',') }, { uid: true });
    if (!Array.isArray(undescribed))
      throw new SourceError('unavailable', 'The mail server does not list its messages.');
    // Others were removed meanwhile.
    const unreadable = undescribed.map((uid) => ({ uid, reason: UNREADABLE }));
    return [...messages, ...unreadable].toSorted((one, other) => one.uid - other.uid);
  } catch (error) {
    const isRefused = client.usable && (error as { responseStatus?: string }).responseStatus === 'NO';
    if (!isRefused || mailError(error).kind === 'limited' || only === undefined) throw error;
    if (uids.length === 1) return [{ uid: only, reason: UNREADABLE }];
  }
  const described = [];
  for (const uid of uids) described.push(...(await describeAll(client, [uid])));
  return described;
}

function brokenMessage(
  path: string,
  names: readonly string[],
  { uid, reason }: Undescribed,
): SkippedDocument {
  return { id: `${path}/${uid}`, path: `${names.join('/')}/${uid}`, reason };
}

/** @throws SourceError if no folder is open */
function stateOf({ mailbox }: ImapFlow): { uidValidity: bigint; uidNext: number } {
  if (mailbox === false) throw new SourceError('unavailable', 'The connection to the mail server was lost.');
  return mailbox;
}

/** Only what the server says, not what names look like. */
function isLeftOut({ specialUse, specialUseSource }: ListResponse): boolean {
  return specialUseSource === 'extension' && LEFT_OUT.has(specialUse ?? '');
}

function isWithin({ path, delimiter }: ListResponse, name: string): boolean {
  return path === name || path.startsWith(name + delimiter);
}
