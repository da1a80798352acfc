import { DocumentError } from '../document/document-error.js';
import {
  baseName,
  type ExportArchive,
  type ExportContents,
  type ExportDocument,
  folderOf,
  isRecord,
  plainDocument,
  type PlacedFile,
  textIn,
} from './export-archive.js';
import { readSlackMessage, type SlackMessage, type SlackNames, slackUserName } from './slack-message.js';

/** The list of public channels, and those of private channels, direct messages, and those of several people. */
const PUBLIC_LIST = 'channels.json';
const LISTS: ReadonlySet<string> = new Set([PUBLIC_LIST, 'groups.json', 'dms.json', 'mpims.json']);
const USER_LISTS = ['users.json', 'org_users.json'];
/** What every export has besides conversations: lists, and who added which program. */
const LISTINGS: ReadonlySet<string> = new Set([...LISTS, ...USER_LISTS, 'integration_logs.json']);
/** The list of users or channels of a large workspace. */
const MAX_LIST_BYTES = 32 * 1024 * 1024;
const DAY = /\/\d{4}-\d\d-\d\d\.json$/;
/** Replies that are kept in memory until their thread is written. */
const MAX_LATE_CHARACTERS = 64 * 1024 * 1024;

interface Channel {
  readonly name: string;
  readonly days: PlacedFile[];
  /** Replies of a later day, by the message that began their thread. */
  readonly lateReplies: Map<string, SlackMessage[]>;
  /** The times of these replies. */
  readonly late: Set<string | null>;
}

/**
 * Recognizes an export of Slack: lists of conversations beside folders that have a file of messages for each day.
 *
 * @throws DocumentError CORRUPT_FILE for several exports, and for one without a list that is needed: private messages would
 * be read as files
 */
export async function openSlackExport(archive: ExportArchive): Promise<ExportContents | null> {
  // The lists are beside the folders that have the days.
  const roots = Map.groupBy(
    archive.files.filter(({ path }) => DAY.test(path)),
    ({ path }) => folderOf(folderOf(path).slice(0, -1)),
  );
  const exports: SlackExport[] = [];
  for (const [root, days] of roots) {
    const found = await exportAt(archive, root, days);
    if (found !== null) exports.push(found);
  }
  if (exports.length > 1)
    throw new DocumentError('CORRUPT_FILE', `${exports.length} exports of Slack`, {
      userMessage:
        'The archive has several Slack exports, or several workspaces. Upload the folder of each of them in an archive of its own.',
    });
  return (await exports[0]?.read()) ?? null;
}

/** @returns null for a folder that is no export */
async function exportAt(
  archive: ExportArchive,
  root: string,
  files: readonly PlacedFile[],
): Promise<SlackExport | null> {
  const lists = new Map<string, Conversation[] | null>();
  for (const list of LISTS) {
    if (archive.has(`${root}${list}`)) lists.set(list, await conversationsOf(archive, `${root}${list}`));
  }
  if (lists.size === 0) return null;
  const days = Map.groupBy(files, ({ path }) => folderIn(root, path));
  const isListed = [...lists.values()].some((list) =>
    list?.some(({ id, name }) => days.has(name ?? id) || days.has(id)),
  );
  const damaged = [...lists.keys()].find((list) => lists.get(list) === null);
  // Without a list that names these folders, what they have must be messages beyond doubt.
  const isSure = isListed || damaged !== undefined;
  const isMessage = (item: unknown): boolean =>
    isRecord(item) && 'ts' in item && (isSure || item['type'] === 'message');
  if (!(await hasMessages(archive, files, isMessage, isListed))) return null;
  const channels = lists.get(PUBLIC_LIST) ?? [];
  if (damaged !== undefined && (!isListed || lists.get(PUBLIC_LIST) === null)) throw unreadable(damaged);
  return new SlackExport(archive, root, days, channels);
}

/** The name of the folder of a conversation. Programs of macOS write names in another form of Unicode than Slack. */
function folderIn(root: string, path: string): string {
  return (path.slice(root.length).split('/', 1)[0] ?? '').normalize();
}

interface Conversation {
  readonly id: string;
  readonly name: string | undefined;
  readonly isPrivate: boolean;
}

/** @returns null for a list that cannot be read or is empty */
async function conversationsOf(archive: ExportArchive, path: string): Promise<Conversation[] | null> {
  const file = archive.at(path);
  const list = file === undefined ? null : await archive.json(file, MAX_LIST_BYTES);
  if (!Array.isArray(list)) return null;
  return list.flatMap((item: unknown) => {
    const id = isRecord(item) ? textIn(item['id']) : undefined;
    if (!isRecord(item) || id === undefined) return [];
    const isPrivate = ['is_private', 'is_im', 'is_mpim'].some((field) => item[field] === true);
    return { id, name: textIn(item['name'])?.normalize(), isPrivate };
  });
}

function unreadable(list: string): DocumentError {
  return new DocumentError('CORRUPT_FILE', `${list} cannot be read`, {
    userMessage: `The list ${list} of the Slack export is damaged, encrypted or too large. Export again, and upload the new archive.`,
  });
}

/**
 * Whether some day is a list that has a message.
 *
 * @param unread the answer for a day that cannot be read
 */
async function hasMessages(
  archive: ExportArchive,
  days: readonly PlacedFile[],
  isMessage: (item: unknown) => boolean,
  unread: boolean,
): Promise<boolean> {
  for (const file of days) {
    const messages = await archive.json(file);
    if (messages === null && unread) return true;
    if (Array.isArray(messages) && messages.some((item) => isMessage(item))) return true;
  }
  return false;
}

class SlackExport {
  private names: SlackNames = { users: new Map(), channels: new Map() };
  private readonly sharedFiles = new Map<string, PlacedFile>();
  private lateCharacters = 0;

  constructor(
    private readonly archive: ExportArchive,
    private readonly root: string,
    private readonly days: ReadonlyMap<string, readonly PlacedFile[]>,
    private readonly conversations: readonly Conversation[],
  ) {}

  async read(): Promise<ExportContents> {
    const channels = this.conversations.filter(({ isPrivate }) => !isPrivate);
    this.names = {
      users: await this.users(),
      channels: new Map(channels.map(({ id, name }) => [id, name ?? id])),
    };
    const files = this.archive.files.filter(({ path }) => path.startsWith(this.root));
    for (const file of files) for (const id of fileIdsIn(file)) this.sharedFiles.set(id, file);
    const documents: ExportDocument[] = [];
    const readFolders = new Set<string>();
    const shared = new Set<PlacedFile>();
    for (const { id, name = id } of channels) {
      const folder = this.days.has(name) ? name : id;
      if (readFolders.has(folder)) continue;
      readFolders.add(folder);
      documents.push(...(await this.documentsOf(name, this.days.get(folder) ?? [], shared)));
    }
    let others = 0;
    const dayFiles = new Set([...this.days.values()].flat());
    for (const file of files) {
      const path = file.path.slice(this.root.length);
      const folder = folderIn(this.root, file.path);
      const isOwn = readFolders.has(folder) && !path.endsWith('.json');
      if (isOwn || shared.has(file)) documents.push(plainDocument(file, this.root));
      else if (readFolders.has(folder) ? !dayFiles.has(file) : !this.days.has(folder) && !LISTINGS.has(path))
        others++;
    }
    const unread = [...this.days.keys()].filter((folder) => !readFolders.has(folder)).length;
    const notes = [
      leftOut(unread, 'private conversation', 'public channels'),
      leftOut(others, 'other file', 'messages and files of public channels'),
      leftOutBeside(this.archive.files.length - files.length),
    ].flat();
    return { kind: 'slack', documents, note: notes.length === 0 ? null : notes.join(' ') };
  }

  private async users(): Promise<ReadonlyMap<string, string>> {
    const users = new Map<string, string>();
    const handles = new Map<string, string>();
    for (const list of USER_LISTS) {
      const file = this.archive.at(`${this.root}${list}`);
      const items = file === undefined ? [] : await this.archive.json(file, MAX_LIST_BYTES);
      if (!Array.isArray(items)) throw unreadable(list);
      for (const user of items.filter((item) => isRecord(item))) {
        const [id, name] = [textIn(user['id']), slackUserName(user)];
        if (id === undefined || name === undefined) continue;
        users.set(id, name.replaceAll(/\s+/g, ' ').trim());
        handles.set(id, textIn(user['name']) ?? id);
      }
    }
    // Two people with one name.
    const times = Map.groupBy(users.values(), (name) => name);
    return new Map(
      Array.from(users, ([id, name]) => [
        id,
        times.get(name)?.length === 1 ? name : `${name} (${handles.get(id)})`,
      ]),
    );
  }

  private async documentsOf(
    name: string,
    days: readonly PlacedFile[],
    shared: Set<PlacedFile>,
  ): Promise<ExportDocument[]> {
    const channel: Channel = {
      name,
      days: days.toSorted((a, b) => (baseName(a.path) < baseName(b.path) ? -1 : 1)),
      lateReplies: new Map(),
      late: new Set(),
    };
    const links = new Map<PlacedFile, PlacedFile[]>();
    const unread: ExportDocument[] = [];
    for (const day of channel.days) {
      const messages = await this.messagesOf(day);
      if (messages === null) unread.push(plainDocument(day, this.root));
      if (messages === null || messages.length === 0) continue;
      const files = messages
        .flatMap(({ fileIds }) => fileIds)
        .flatMap((id) => this.sharedFiles.get(id) ?? []);
      links.set(day, files);
      for (const file of files) shared.add(file);
      for (const { ts, isParent } of messages) if (isParent && ts !== null) channel.lateReplies.set(ts, []);
      this.keepLateReplies(messages, channel);
    }
    const read = channel.days.flatMap((file): ExportDocument | [] => {
      const files = links.get(file);
      if (files === undefined) return [];
      const day = baseName(file.path).slice(0, '2026-01-01'.length);
      const title = `#${name} ${day}`;
      return {
        file,
        id: file.path.slice(this.root.length),
        name: title,
        folder: `#${name}`,
        links: files,
        properties: { channel: name, day },
        text: { type: 'text/plain', read: () => this.dayText(channel, file) },
      };
    });
    return [...read, ...unread];
  }

  /** A thread is read in one piece: with the day on which it began. */
  private keepLateReplies(messages: readonly SlackMessage[], { lateReplies, late }: Channel): void {
    const own = new Set(messages.map(({ ts }) => ts));
    for (const message of messages) {
      const { parentTs, text } = message;
      const replies = parentTs === null || own.has(parentTs) ? undefined : lateReplies.get(parentTs);
      if (replies === undefined || this.lateCharacters > MAX_LATE_CHARACTERS) continue;
      this.lateCharacters += text.length;
      replies.push(message);
      late.add(message.ts);
    }
  }

  /** @returns null for a file without a list of messages */
  private async messagesOf(day: PlacedFile): Promise<SlackMessage[] | null> {
    const list = await this.archive.json(day);
    if (!Array.isArray(list)) return null;
    return list.flatMap((item) => readSlackMessage(item, this.names) ?? []);
  }

  /** The messages of a day by their time. Replies follow the message that they answer. */
  private async dayText({ lateReplies, late }: Channel, day: PlacedFile): Promise<string> {
    const messages = (await this.messagesOf(day)) ?? [];
    const own = new Map(messages.map((message) => [message.ts, message]));
    const replies = Map.groupBy(messages, ({ parentTs }) => (own.has(parentTs) ? parentTs : null));
    const lines: string[] = [];
    for (const message of byTime(replies.get(null) ?? [])) {
      if (message.parentTs !== null && late.has(message.ts)) continue;
      lines.push(lineOf(message, message.parentTs === null ? null : 'in a thread'));
      if (message.ts === null) continue;
      const answers = [...(replies.get(message.ts) ?? []), ...(lateReplies.get(message.ts) ?? [])];
      for (const answer of byTime(answers)) lines.push(lineOf(answer, `to ${message.author}`));
    }
    return lines.join('\n\n');
  }
}

/** Exports have the files of messages under their ids, alone (`F1/plan.pdf`) or before the name (`F1-plan.pdf`). */
function fileIdsIn({ path }: PlacedFile): string[] {
  return path.split('/').flatMap((part) => /^(F[A-Z\d]{6,20})(?:-|$)/.exec(part)?.[1] ?? []);
}

/** A message without a time stays behind the one before it. */
function byTime(messages: readonly SlackMessage[]): SlackMessage[] {
  let last = 0;
  return messages
    .map((message) => ({ message, time: (last = message.ts === null ? last : Number(message.ts)) }))
    .toSorted((a, b) => a.time - b.time)
    .map(({ message }) => message);
}

/** A message names its day, time and author, because a quote of it stands alone. */
function lineOf({ ts, author, text }: SlackMessage, reply: string | null): string {
  const time =
    ts === null ? 'no time' : new Date(Number(ts) * 1000).toISOString().slice(0, 16).replace('T', ' at ');
  const suffix = reply === null ? '' : ` (reply ${reply})`;
  return `[${ts === null ? time : `${time} UTC`}] ${author}${suffix}: ${text}`;
}

/** @returns a sentence; none for 0 */
function leftOut(count: number, noun: string, read: string): string[] {
  if (count === 0) return [];
  const were = count === 1 ? `${noun} of the Slack export was` : `${noun}s of the Slack export were`;
  return [`${count} ${were} left out: only ${read} are read.`];
}

/** What is not in the folder of the export may be private, such as another export. */
function leftOutBeside(count: number): string[] {
  if (count === 0) return [];
  const were =
    count === 1 ? '1 file beside the Slack export was' : `${count} files beside the Slack export were`;
  return [`${were} left out: upload other files in another archive.`];
}
