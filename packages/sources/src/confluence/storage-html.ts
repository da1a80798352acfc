import { Parser } from 'htmlparser2';
import { escapeHtml } from '../html-page.js';
import { SourceError } from '../source.js';

/** What the storage format refers to. */
interface StorageContext {
  /** Address of Confluence, without a `/` at the end. */
  readonly base: string;
  /** Key of the space of the page. */
  readonly space: string;
  /** The name of a user by the id that a mention has. */
  nameOf(userId: string): string;
}

/** Elements in each other. The time that the parser takes grows with it. */
const MAX_DEPTH = 1_000;
/** Attributes that have or structure text. */
const KEPT_ATTRIBUTES = ['href', 'colspan', 'rowspan', 'start', 'title', 'alt', 'datetime'];
const VOID = new Set(['br', 'hr', 'img', 'col', 'wbr']);
/** Elements of Confluence whose content is no text of the page. */
const LEFT_OUT = new Set([
  'ac:adf-attribute',
  'ac:adf-fallback',
  'ac:placeholder',
  'ac:task-id',
  'ac:task-uuid',
  'ac:task-status',
  'ac:parameter',
  'ac:default-parameter',
]);
/** The elements of HTML that elements of Confluence become. */
const TAGS: Readonly<Record<string, readonly [string, string]>> = {
  'ac:rich-text-body': ['<div>', '</div>'],
  'ac:plain-text-body': ['<pre><code>', '</code></pre>'],
  'ac:layout-section': ['<div>', '</div>'],
  'ac:layout-cell': ['<div>', '</div>'],
  'ac:adf-content': ['<div>', '</div>'],
  'ac:caption': ['<div>', '</div>'],
  'ac:task-list': ['<ul>', '</ul>'],
  'ac:task': ['<li>', '</li>'],
};
const MACROS = new Set(['ac:structured-macro', 'ac:macro']);
const BODIES = new Set(['ac:rich-text-body', 'ac:plain-text-body']);
/** Elements with blanks between their parts that are no text. */
const PARTED = new Set([...MACROS, 'ac:link', 'ac:image', 'ac:task-list', 'ac:task']);
/** Macros that show parts of the wiki as a list: titles, and no text. */
const LISTS = new Set([
  'toc',
  'children',
  'pagetree',
  'anchor',
  'recently-updated',
  'livesearch',
  'contributors',
]);
const USER_ATTRIBUTES = ['ri:account-id', 'ri:userkey', 'ri:username'] as const;
const USER = /\s(ri:(?:account-id|userkey|username))="([^"]{1,200})"/g;

/** The ids of the users that a page mentions, as `ConfluenceApi` has them. */
export function mentionsIn(storage: string): Set<string> {
  return new Set([...storage.matchAll(USER)].map(([, name = '', id = '']) => userIdOf(name, id)));
}

function userIdOf(attribute: string, value: string): string {
  return attribute === 'ri:userkey' ? `key:${value}` : value;
}

/** An open element of Confluence. */
interface Frame {
  readonly name: string;
  /** Where its output begins, with an empty text in front that can be replaced. */
  readonly start: number;
  /** Of a macro: its name, and its parameters. */
  readonly macro: string;
  readonly parameters: Map<string, string>;
  /** Of a link: its address. */
  href: string;
  /** What is shown of a link or a picture without a text of its own. Of a task: its status. */
  title: string;
}

/**
 * The storage format of Confluence as HTML. Text, tables, code, panels, tasks, links and mentions are kept. A macro without
 * a text of its own is named with its parameters. Content of other pages is not included: it may have other readers.
 *
 * @throws SourceError `unreadable` for elements that are nested too deeply
 */
export function htmlOfStorage(storage: string, context: StorageContext): string {
  const writer = new StorageWriter(context);
  // Entities stay as they are: they are those of HTML.
  new Parser(writer, { xmlMode: true, decodeEntities: false }).end(storage);
  return writer.html;
}

/** Its callbacks have the names that the parser calls. */
class StorageWriter {
  private readonly output: string[] = [];
  private readonly open: Frame[] = [];
  /** Open elements whose content is left out. */
  private leftOut = 0;
  /** The text of a parameter or a status that is read. */
  private captured: { readonly name: string; text: string } | null = null;
  private isRaw = false;
  private depth = 0;

  constructor(private readonly context: StorageContext) {}

  get html(): string {
    return this.output.join('');
  }

  onopentag(name: string, attributes: Readonly<Record<string, string>>): void {
    this.depth += 1;
    if (this.depth > MAX_DEPTH)
      throw new SourceError('unreadable', 'The elements of the page are nested too deeply.');
    if (name === 'ac:parameter' || name === 'ac:task-status')
      this.captured = { name: attributes['ac:name'] ?? '', text: '' };
    if (LEFT_OUT.has(name)) this.leftOut += 1;
    else if (name.startsWith('ri:')) this.refer(name, attributes);
    else if (this.leftOut > 0) return;
    else if (name.startsWith('ac:')) this.openOwn(name, attributes);
    else if (name === 'time') this.output.push(attributes['datetime'] ?? '');
    else {
      const kept = KEPT_ATTRIBUTES.filter((key) => attributes[key] !== undefined);
      this.output.push(`<${name}${kept.map((key) => ` ${key}="${quoted(attributes[key])}"`).join('')}>`);
    }
  }

  onclosetag(name: string): void {
    this.depth -= 1;
    if (LEFT_OUT.has(name)) {
      this.leftOut -= 1;
      const owner = this.open.at(-1);
      const text = this.captured?.text.trim() ?? '';
      if (name === 'ac:parameter') owner?.parameters.set(this.captured?.name ?? '', text);
      if (name === 'ac:task-status' && owner !== undefined) owner.title = text;
      this.captured = null;
    } else if (this.leftOut > 0) return;
    else if (name.startsWith('ac:')) this.closeOwn(name);
    else if (!name.startsWith('ri:') && !VOID.has(name) && name !== 'time') this.output.push(`</${name}>`);
  }

  ontext(text: string): void {
    if (this.captured !== null) this.captured.text += this.isRaw ? escapeHtml(text) : text;
    if (this.leftOut > 0) return;
    const isBetween = PARTED.has(this.open.at(-1)?.name ?? '');
    if (this.isRaw) this.output.push(escapeHtml(text));
    else if (!isBetween || text.trim() !== '') this.output.push(text);
  }

  oncdatastart(): void {
    this.isRaw = true;
  }

  oncdataend(): void {
    this.isRaw = false;
  }

  private openOwn(name: string, attributes: Readonly<Record<string, string>>): void {
    const owner = this.open.at(-1);
    // The parameters of a macro stand before its body.
    const title = BODIES.has(name) ? (owner?.parameters.get('title') ?? '') : '';
    if (title !== '') this.output.push(`<p><strong>${title}</strong></p>`);
    this.output.push(TAGS[name]?.[0] ?? '');
    if (name === 'ac:emoticon') this.output.push(quoted(attributes['ac:emoji-fallback']));
    const anchor = attributes['ac:anchor'];
    this.open.push({
      name,
      start: this.output.push('') - 1,
      macro: MACROS.has(name) ? (attributes['ac:name'] ?? '') : '',
      parameters: new Map(),
      href: anchor === undefined ? '' : `#${quoted(anchor)}`,
      title: attributes['ac:alt'] ?? attributes['ac:title'] ?? '',
    });
  }

  private closeOwn(name: string): void {
    const frame = this.open.pop();
    if (frame === undefined) return;
    const isEmpty = this.output.length === frame.start + 1;
    if (name === 'ac:task') this.output[frame.start] = frame.title === 'complete' ? '☑ ' : '☐ ';
    else if (name === 'ac:image' && isEmpty) this.output.push(`<img alt="${quoted(frame.title)}">`);
    else if (name === 'ac:link') this.closeLink(frame, isEmpty);
    else if (frame.macro !== '' && isEmpty) this.output.push(macroText(frame));
    this.output.push(TAGS[name]?.[1] ?? '');
  }

  private closeLink({ start, href, title }: Frame, isEmpty: boolean): void {
    if (isEmpty) this.output.push(title || href.slice(1));
    if (href === '') return;
    this.output[start] = `<a href="${href}">`;
    this.output.push('</a>');
  }

  /** What a resource identifier refers to becomes the target of its link, or a value of its macro. */
  private refer(name: string, attributes: Readonly<Record<string, string>>): void {
    const userId = USER_ATTRIBUTES.flatMap((one) =>
      attributes[one] === undefined ? [] : userIdOf(one, attributes[one]),
    ).at(0);
    const key = attributes['ri:space-key'] ?? this.context.space;
    const page = attributes['ri:content-title'];
    const title =
      userId === undefined
        ? (page ?? attributes['ri:filename'] ?? attributes['ri:value'] ?? attributes['ri:space-key'] ?? '')
        : `@${escapeHtml(this.context.nameOf(userId))}`;
    if (this.captured !== null) this.captured.text += `${title} `;
    if (this.leftOut > 0) return;
    const target = this.open.at(-1);
    if (target?.name !== 'ac:link' && target?.name !== 'ac:image') {
      this.output.push(title);
      return;
    }
    target.title ||= title;
    if (name === 'ri:page' && page !== undefined)
      target.href = `${escapeHtml(this.context.base)}/display/${encodeURIComponent(key)}/${encodeURIComponent(decoded(page))}${target.href}`;
    else if (name === 'ri:url') target.href = quoted(attributes['ri:value']);
  }
}

/** What is shown of a macro without a body. */
function macroText({ macro, parameters }: Frame): string {
  const { title = '', ...others } = Object.fromEntries(parameters);
  if (macro === 'status') return title;
  if (LISTS.has(macro)) return '';
  const values = others['key'] === undefined ? Object.values(others) : [others['key']];
  const named = [title, ...values].filter((value) => value !== '').join(', ');
  return named === '' ? `[${macro}]` : `[${macro}: ${named}]`;
}

function quoted(attribute = ''): string {
  return attribute.replaceAll('"', '&quot;');
}

/** A title without the entities of its attribute. */
function decoded(text: string): string {
  return text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&');
}
