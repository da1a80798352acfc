import { comparable, isRecord, textIn } from './export-archive.js';

type Fields = Readonly<Record<string, unknown>>;

/** The names of what messages refer to by id. */
export interface SlackNames {
  readonly users: ReadonlyMap<string, string>;
  readonly channels: ReadonlyMap<string, string>;
}

/** A message of a channel. */
export interface SlackMessage {
  /** Seconds since 1970 with a fraction, which is also its id in the channel; null if it has none. */
  readonly ts: string | null;
  /** That of the message that began its thread; null outside of threads, and for that message itself. */
  readonly parentTs: string | null;
  readonly isParent: boolean;
  readonly author: string;
  /** Without blank lines. */
  readonly text: string;
  /** Ids of the files that it shares. */
  readonly fileIds: readonly string[];
}

/** Events that say who came and went, and copies of messages before they were edited or deleted. */
const UNREAD_SUBTYPES: ReadonlySet<unknown> = new Set(
  `bot_add bot_remove channel_join channel_leave group_join group_leave message_changed message_deleted message_replied
  pinned_item unpinned_item`.split(/\s+/),
);

const MAX_DEPTH = 12;
/** Characters of one message that its blocks are searched in. Later blocks are kept, also if they repeat it. */
const MAX_COMPARED = 300_000;
/** Signs of style, except those between digits. */
const STYLE = /(?<!\p{N})[*_~`•]|[*_~`•](?!\p{N})/gu;
/** At the end of a word. */
const PUNCTUATION = /[.,:;!?](?!\S)/g;
const REFERENCE = /<([^<>]*)>/g;
const LINE_RULE = /^\s*(?:={3,}|-{3,}|~{3,})\s*$/;
const ENTITIES: Readonly<Record<string, string>> = { '&lt;': '<', '&gt;': '>', '&amp;': '&' };

/** @returns null for what is no message of a person or a program, and for one without text and files */
export function readSlackMessage(value: unknown, names: SlackNames): SlackMessage | null {
  if (!isRecord(value) || value['hidden'] === true || UNREAD_SUBTYPES.has(value['subtype'])) return null;
  if (value['type'] !== undefined && value['type'] !== 'message') return null;
  const ts = timestampOf(value['ts']);
  const threadTs = timestampOf(value['thread_ts']);
  const files = recordsOf(value['files'] ?? [value['file']]);
  const text = textOf(value, files, names);
  if (text === '') return null;
  return {
    ts,
    parentTs: threadTs === ts ? null : threadTs,
    isParent: threadTs !== null && threadTs === ts,
    author: authorOf(value, names),
    text: isRecord(value['edited']) ? `${text} (edited)` : text,
    fileIds: files.flatMap((file) => textIn(file['id']) ?? []),
  };
}

function timestampOf(value: unknown): string | null {
  const ts = textIn(value) ?? '';
  return /^\d{1,12}(?:\.\d{1,9})?$/.test(ts) ? ts : null;
}

/** What a user is called: the full name, and another name that the user has chosen. */
export function slackUserName(user: Fields): string | undefined {
  const profile = isRecord(user['profile']) ? user['profile'] : user;
  const shown = textIn(profile['display_name']);
  const full = textIn(profile['real_name']) ?? textIn(user['real_name']);
  if (full === undefined) return shown ?? textIn(user['name']);
  if (shown === undefined || comparable(full).includes(comparable(shown))) return full;
  return `${full} (${shown})`;
}

/** The name in the list of users, or the one that the message has: the list lacks people of other companies. */
function authorOf(message: Fields, { users }: SlackNames): string {
  const id = textIn(message['user']);
  const known = id === undefined ? undefined : users.get(id);
  if (known !== undefined) return known;
  const profile = message['user_profile'];
  const bot = message['bot_profile'];
  const ownName =
    (isRecord(profile) ? slackUserName(profile) : undefined) ??
    textIn(message['username']) ??
    (isRecord(bot) ? textIn(bot['name']) : undefined);
  return singleLine(ownName ?? id ?? textIn(message['bot_id']) ?? 'unknown');
}

/** The text, the blocks and attachments that do not repeat it, and the names of files. */
function textOf(message: Fields, files: readonly Fields[], names: SlackNames): string {
  const text = plainText(textIn(message['text']) ?? '', names);
  const blocks = [
    ...recordsOf(message['blocks']).map((block) => blockTexts(block)),
    ...recordsOf(message['attachments']).map((attachment) => attachmentTexts(attachment)),
  ].map((pieces) => pieces.map((piece) => plainText(piece, names)));
  const fileNames = files.map((file) => `[File: ${singleLine(fileName(file))}]`);
  return [text, ...beyond(text, blocks).flat(), ...fileNames]
    .join('\n')
    .split('\n')
    .filter((line) => line.trim() !== '' && !LINE_RULE.test(line))
    .join('\n');
}

/** The blocks that do not repeat a text: all lines of such a block stand in it, in order, after those of the block before. */
function beyond(text: string, blocks: readonly string[][]): string[][] {
  const words = ` ${wordsOf(text)} `;
  let next = 0;
  let compared = 0;
  return blocks.filter((pieces) => {
    let end = next;
    for (const line of pieces.flatMap((piece) => piece.split('\n'))) {
      const key = wordsOf(line) || line.trim();
      if (key === '') continue;
      const at = compared > MAX_COMPARED ? -1 : words.indexOf(` ${key} `, end);
      compared += (at < 0 ? words.length : at) - end;
      if (at < 0) return true;
      end = at + key.length + 1;
    }
    next = end;
    return false;
  });
}

/** The words of a text, in one case and with a blank between them. */
function wordsOf(text: string): string {
  const plain = text.normalize('NFKC').toLowerCase().replaceAll(STYLE, '').replaceAll(PUNCTUATION, '');
  return plain.replaceAll(/\s+/g, ' ').trim();
}

function fileName(file: Fields): string {
  return (
    textIn(file['name']) ?? textIn(file['title']) ?? (file['mode'] === 'tombstone' ? 'deleted' : 'unnamed')
  );
}

function attachmentTexts(attachment: Fields): string[] {
  const fields = recordsOf(attachment['fields']).map((field) =>
    [textIn(field['title']), textIn(field['value'])].filter((text) => text !== undefined).join(': '),
  );
  const own = [attachment['pretext'], attachment['author_name'], attachment['title'], attachment['text']];
  const blocks = recordsOf(attachment['blocks']).flatMap((block) => blockTexts(block));
  const texts = [...own.flatMap((text) => textIn(text) ?? []), ...fields, ...blocks];
  const hasContent = texts.some((text) => text !== '' && text !== attachment['author_name']);
  return hasContent ? texts : [textIn(attachment['fallback']) ?? ''];
}

/** The texts of a block (Block Kit), one for each of its lines. */
function blockTexts(block: Fields, depth = 0): string[] {
  if (depth > MAX_DEPTH) return [];
  const { text, elements } = block;
  const own = textIn(text) ?? (isRecord(text) ? textIn(text['text']) : undefined);
  const fields = recordsOf(block['fields']).flatMap((field) => textIn(field['text']) ?? []);
  const children = recordsOf(elements);
  // The elements of these are parts of one line.
  const isLine = /^rich_text_(?:section|quote|preformatted)$/.test(String(block['type']));
  const below = isLine
    ? [children.map((element) => elementText(element)).join('')]
    : children.flatMap((child) => blockTexts(child, depth + 1));
  return [...(own === undefined ? [] : [own]), ...fields, ...below];
}

/** An element of a line, in the notation of message texts. */
function elementText(element: Fields): string {
  const value = (name: string): string => textIn(element[name]) ?? '';
  switch (element['type']) {
    case 'link':
      return `<${value('url')}${element['text'] === undefined ? '' : `|${value('text')}`}>`;
    case 'user':
      return `<@${value('user_id')}>`;
    case 'channel':
      return `<#${value('channel_id')}>`;
    case 'broadcast':
      return `@${value('range')}`;
    case 'usergroup':
      return `<!subteam^${value('usergroup_id')}>`;
    case 'emoji': {
      const tone = element['skin_tone'];
      return `:${value('name')}:${typeof tone === 'number' ? `:skin-tone-${tone}:` : ''}`;
    }
    case 'color':
      return value('value');
    case 'date':
      return value('fallback');
    default:
      return value('text').replaceAll(/[<>&]/g, (sign) => ({ '<': '&lt;', '>': '&gt;' })[sign] ?? '&amp;');
  }
}

/** Text in the notation of messages, with names in place of ids. */
function plainText(text: string, { users, channels }: SlackNames): string {
  return text
    .replaceAll(REFERENCE, (_, content: string) => {
      const bar = content.indexOf('|');
      const target = bar < 0 ? content : content.slice(0, bar);
      const label = bar < 0 ? '' : content.slice(bar + 1);
      const id = target.slice(1);
      if (target.startsWith('@')) return `@${users.get(id) ?? (label || id)}`;
      if (target.startsWith('#')) return `#${channels.get(id) ?? (label || id)}`;
      if (target.startsWith('!'))
        return label === '' ? `@${id}` : label.replace(/^@?(here|channel|everyone)$/, '@$1');
      const address = target.replace(/^(?:mailto|tel):/, '');
      return label === '' || target.includes(label) ? address : `${label} (${address})`;
    })
    .replaceAll(/&(?:lt|gt|amp);/g, (entity) => ENTITIES[entity] ?? entity)
    .trim();
}

function recordsOf(value: unknown): Fields[] {
  return Array.isArray(value) ? value.filter((item) => isRecord(item)) : [];
}

function singleLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim();
}
