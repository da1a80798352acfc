import { conditionTexts, type PublicSource, withoutMarkdown } from '@citewell/sdk';
import { isInProgress, type Turn } from '../chat/turn.js';
import { type Inline, isWebAddress } from '../markdown/parse-inline.js';
import { type Block, parseMarkdown } from '../markdown/parse-markdown.js';
import { fill, type Texts } from '../messages.js';
import { documentLink, externalLink, iconButton, make } from './dom.js';

/** Headings of an answer are below those of the page and of the panel. */
const HEADINGS = ['h3', 'h4', 'h5'] as const;

/** A question with its answer, its sources, and the open source. */
export class TurnView {
  readonly element = make('div', { className: 'turn' });
  private readonly answer = make('div', { className: 'answer' });
  private openNumber: number | null = null;
  /** Where the focus returns to when the card closes. */
  private opener: HTMLElement | null = null;
  private frame = 0;

  constructor(
    readonly turn: Turn,
    private readonly messages: Texts,
    private readonly onRetry: (turn: Turn) => void,
  ) {
    this.element.append(make('p', { className: 'question', dir: 'auto' }, turn.question), this.answer);
    this.element.addEventListener('keydown', (event) => this.closeByKey(event));
    for (const type of ['pointerover', 'focusin', 'pointerleave', 'focusout'])
      this.element.addEventListener(type, (event) => this.light(event));
    this.render();
  }

  /** Renders the turn in the next frame, so that many pieces of text in one frame cost one rendering. */
  update(onRendered: () => void): void {
    cancelAnimationFrame(this.frame);
    const render = (): void => {
      this.render();
      onRendered();
    };
    // A hidden page has no frames.
    if (isInProgress(this.turn) && !document.hidden) this.frame = requestAnimationFrame(render);
    else render();
  }

  private render(): void {
    const { turn, messages } = this;
    this.answer.className = `answer ${turn.state}${turn.abstained ? ' abstained' : ''}`;
    const text = make('div', { className: 'text', dir: 'auto' });
    text.append(...renderMarkdown(turn.answer, (number, isAdded) => this.chip(number, isAdded)));
    this.answer.replaceChildren(
      ...(turn.answer === '' ? [] : [text]),
      ...(turn.state === 'searching' ? [this.searching()] : []),
      ...(turn.state === 'stopped' ? [make('p', { className: 'note' }, messages.stopped)] : []),
      ...(turn.state === 'failed' ? [this.failure()] : []),
      ...(turn.sources.length > 0 ? [this.sources()] : []),
    );
    if (this.openNumber !== null) this.showCard();
  }

  private searching(): HTMLElement {
    return make('p', { className: 'note pulsing' }, this.messages.searching);
  }

  private failure(): HTMLElement {
    const error = this.turn.error ?? 'other';
    const sentence = make('p', {}, this.messages.errors[error]);
    // Asking again changes nothing about the page, or about the day.
    if (error === 'notAllowed' || error === 'usedUp') return make('div', { className: 'failure' }, sentence);
    const retry = make('button', { type: 'button', className: 'retry' }, this.messages.retry);
    retry.addEventListener('click', () => this.onRetry(this.turn));
    return make('div', { className: 'failure' }, sentence, retry);
  }

  /** A citation in the text. While the answer streams, its source is not known yet. */
  private chip(number: number | null, isAdded: boolean): HTMLElement {
    const { unsupported, added, source: sourceLabel } = this.messages;
    if (number === null)
      return make(
        'span',
        {
          className: 'chip unsupported',
          role: 'img',
          tabIndex: 0,
          ariaLabel: unsupported,
          title: unsupported,
        },
        '?',
      );
    const source = this.turn.sources.find((candidate) => candidate.number === number);
    if (!source) return make('span', { className: 'chip' }, String(number));
    const name = fill(sourceLabel, { number, name: nameOf(source) });
    const about = isAdded
      ? { className: 'chip added', ariaLabel: `${name}. ${added}`, title: added }
      : { className: 'chip', ariaLabel: name };
    return this.sourceButton(number, make('button', about, String(number)));
  }

  private sources(): HTMLElement {
    const buttons = this.turn.sources.map((source) =>
      this.sourceButton(
        source.number,
        make(
          'button',
          { className: 'source' },
          make('span', { className: 'number' }, String(source.number)),
          make('span', { className: 'name', dir: 'auto' }, nameOf(source)),
        ),
      ),
    );
    return make('div', { className: 'sources' }, ...buttons);
  }

  private sourceButton(number: number, button: HTMLButtonElement): HTMLButtonElement {
    Object.assign(button, { type: 'button', ariaExpanded: String(this.openNumber === number) });
    button.dataset['number'] = String(number);
    button.addEventListener('click', () => this.toggle(number, button));
    return button;
  }

  private toggle(number: number, opener: HTMLElement): void {
    this.openNumber = this.openNumber === number ? null : number;
    this.opener = opener;
    this.showCard();
  }

  private showCard(): void {
    this.element.querySelector('.card')?.remove();
    for (const button of this.element.querySelectorAll<HTMLElement>('button[data-number]'))
      button.ariaExpanded = String(button.dataset['number'] === String(this.openNumber));
    const source = this.turn.sources.find(({ number }) => number === this.openNumber);
    if (!source) return;
    const card = sourceCard(source, this.messages, () => this.closeCard());
    this.answer.append(card);
    card.scrollIntoView({ block: 'nearest' });
  }

  private closeCard(): void {
    this.openNumber = null;
    this.showCard();
    this.opener?.focus();
  }

  private closeByKey(event: KeyboardEvent): void {
    if (event.key !== 'Escape' || this.openNumber === null) return;
    event.stopPropagation();
    this.closeCard();
  }

  /** A citation and its source light up together. */
  private light({ type, target }: Event): void {
    const isOver = type === 'pointerover' || type === 'focusin';
    const over = isOver && target instanceof Element ? target.closest<HTMLElement>('[data-number]') : null;
    for (const element of this.element.querySelectorAll<HTMLElement>('[data-number]'))
      element.classList.toggle('lit', element.dataset['number'] === over?.dataset['number']);
  }
}

type Query = NonNullable<NonNullable<PublicSource['table']>['queries']>[number];

/** What an element contains. */
type Content = readonly (Node | string)[];

/** The title of a page, and not its address. */
const nameOf = (source: PublicSource): string => source.title ?? source.datasource_name;

/** A citation as a card: the document, the place, the quote with its passage, queries of its tables, and a link. */
function sourceCard(source: PublicSource, messages: Texts, onClose: () => void): HTMLElement {
  const { number, source: address, text, quote, table } = source;
  const name = nameOf(source);
  const isPart = quote !== undefined && quote.text.length < text.trim().length;
  const place = placeOf(source, messages);
  const close = iconButton('close', messages.closeSource, { className: 'quiet', onclick: onClose });
  return make(
    'article',
    { className: 'card', ariaLabel: fill(messages.source, { number, name }) },
    make(
      'header',
      {},
      make('span', { className: 'number' }, String(number)),
      make(
        'div',
        { className: 'document' },
        make('strong', { dir: 'auto' }, name),
        ...(place === '' ? [] : [make('span', { className: 'place', dir: 'auto' }, place)]),
      ),
      close,
    ),
    quotation(quote?.text ?? text),
    ...(isPart ? [details(messages.passage, quotation(text))] : []),
    ...(table?.queries
      ? [details(messages.queries, ...table.queries.flatMap((it) => queried(it, messages)))]
      : []),
    ...(isWebAddress(address) ? [documentLink(address, messages.openDocument)] : []),
  );
}

function quotation(text: string): HTMLElement {
  // A row of a table has dots between its cells.
  const paragraphs = withoutMarkdown(text)
    .replaceAll(' | ', ' · ')
    .split(/\n{2,}/);
  // Scrollable areas can be reached by keyboard.
  return make('blockquote', { dir: 'auto', tabIndex: 0 }, ...paragraphs.map((it) => make('p', {}, it)));
}

/** Page, headings, how sure the recognition of the text is, and conditions of rows, as far as they are known. */
function placeOf(
  { page_number: page, confidence, described, heading_path: headings = [], table }: PublicSource,
  messages: Texts,
): string {
  const place = [...(page === undefined ? [] : [fill(messages.page, { page })]), ...headings].join(' › ');
  return [
    ...(place === '' ? [] : [place]),
    ...(confidence === undefined ? [] : [fill(messages.recognized, { confidence })]),
    ...(described ? [messages.described] : []),
    ...(table ? conditionTexts(table, messages.language) : []),
  ].join(' · ');
}

/** Shown on request. */
function details(summary: string, ...children: Node[]): HTMLElement {
  return make('details', {}, make('summary', {}, summary), ...children);
}

/** A query of tables from which numbers of the answer are, and its rows. */
function queried({ sql, tables, columns, rows, row_count: count }: Query, messages: Texts): Node[] {
  const names = tables.map(({ name, datasource_name, table }) => `${name}: ${datasource_name}, ${table}`);
  const header = columns.map(({ name, unit }) => [unit === undefined ? name : `${name} (${unit})`]);
  const note = (text: string): Node => make('p', { className: 'note', dir: 'auto' }, text);
  return [
    note(names.join(' · ')),
    // Scrollable areas can be reached by keyboard.
    make('pre', { tabIndex: 0 }, make('code', {}, sql)),
    tableOf(
      header,
      rows.map((row) => row.map((cell) => [String(cell ?? '')])),
    ),
    ...(count === undefined || count === rows.length ? [] : [note(fill(messages.queriedRows, { count }))]),
  ];
}

/** @param header the content of each of its cells, as in `rows` */
function tableOf(header: readonly Content[], rows: readonly (readonly Content[])[]): HTMLElement {
  const row = (tag: 'th' | 'td', cells: readonly Content[]) =>
    make('tr', {}, ...cells.map((content) => make(tag, {}, ...content)));
  const head = make('thead', {}, row('th', header));
  const body = make('tbody', {}, ...rows.map((cells) => row('td', cells)));
  // Wide tables scroll; scrollable areas can be reached by keyboard.
  return make('div', { className: 'table', tabIndex: 0 }, make('table', {}, head, body));
}

/** Creates the element of the citation `[number]`, or of the mark of an unsupported sentence (null). */
type Cite = (number: number | null, isAdded: boolean) => Node;

/** The Markdown of an answer as elements. HTML in it stays text. */
function renderMarkdown(source: string, cite: Cite): Node[] {
  return parseMarkdown(source).map((block) => renderBlock(block, cite));
}

function renderBlock(block: Block, cite: Cite): Node {
  switch (block.kind) {
    case 'paragraph':
      return make('p', {}, ...renderInline(block.children, cite));
    case 'heading':
      return make(HEADINGS[block.level - 1] ?? 'h6', {}, ...renderInline(block.children, cite));
    case 'code':
      // Scrollable areas can be reached by keyboard.
      return make('pre', { tabIndex: 0 }, make('code', {}, block.text));
    case 'quote':
      return make('blockquote', {}, ...block.blocks.map((child) => renderBlock(child, cite)));
    case 'rule':
      return make('hr');
    case 'table': {
      const contents = (cells: readonly Inline[][]) => cells.map((cell) => renderInline(cell, cite));
      return tableOf(contents(block.header), block.rows.map(contents));
    }
    case 'list': {
      const items = block.items.map((blocks) =>
        make('li', {}, ...blocks.map((child) => renderBlock(child, cite))),
      );
      return block.isOrdered ? make('ol', { start: block.start }, ...items) : make('ul', {}, ...items);
    }
  }
}

function renderInline(pieces: readonly Inline[], cite: Cite): (Node | string)[] {
  return pieces.map((piece) => {
    switch (piece.kind) {
      case 'text':
        return piece.text;
      case 'code':
        return make('code', {}, piece.text);
      case 'citation':
        return cite(piece.number, piece.isAdded);
      case 'unsupported':
        return cite(null, false);
      case 'strong':
        return make('strong', {}, ...renderInline(piece.children, cite));
      case 'emphasis':
        return make('em', {}, ...renderInline(piece.children, cite));
      case 'link':
        return externalLink(piece.href, ...renderInline(piece.children, cite));
    }
  });
}
