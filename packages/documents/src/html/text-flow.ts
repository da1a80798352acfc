import { BLOCK_ELEMENTS } from './html-elements.js';
import type { HtmlElement, HtmlNode } from './html-tree.js';

/** Soft hyphens and places where a word may be broken: no part of the word. */
const INVISIBLE = /[\u00ad\u200b\ufeff]/g;
const NEEDS_WORK = /\s\s|[^\S ]|[\u00ad\u200b\ufeff]/;
/** Raised text that is not the number of a note and would change what stands before it: `10⁶`, `xⁿ`. */
const MAX_EXPONENT_LETTERS = 5;
const EXPONENT = /^[+−-]?(?:\d{1,4}|[ijknxy])$/;
const TOOLTIP = /\btooltip-?_?_?(?:text|content|body)/i;
const FILE_NAME = /^\S+\.(?:avif|gif|jpe?g|png|svg|webp)$/i;
const SPACE_BETWEEN: ReadonlySet<string> = new Set(['a', 'button', 'label', 'option', 'td', 'th']);

/** Running text as a browser shows it: white space collapsed, a line break where `<br>` or a block ends. */
export class TextFlow {
  /** Pieces rather than one string: looking at the end of a growing string copies it each time. */
  private parts: string[] = [];
  private lastAlt = '';

  /** Whether nothing but white space was added yet. */
  isBlank = true;

  /** Text, or an element with all that is in it, in one flow. */
  add(node: HtmlNode): void {
    if (typeof node === 'string') {
      this.addText(node);
      return;
    }
    if (node.isSkipped || this.addAtom(node)) return;
    const isBlock = BLOCK_ELEMENTS.has(node.name);
    if (isBlock) this.parts.push('\n');
    this.addChildren(node);
    if (isBlock) this.parts.push('\n');
  }

  addChildren(element: HtmlElement): void {
    let previous: HtmlNode | undefined;
    for (const child of element.children) {
      this.separate(previous, child);
      this.add(child);
      previous = child;
    }
  }

  addText(text: string): void {
    const clean = NEEDS_WORK.test(text) ? text.replace(INVISIBLE, '').replace(/\s+/g, ' ') : text;
    if (clean === '') return;
    this.parts.push(clean);
    if (this.isBlank && clean !== ' ') this.isBlank = false;
  }

  /** Links side by side are items of a row, whatever draws the distance between them. */
  separate(previous: HtmlNode | undefined, next: HtmlNode): void {
    if (previous === undefined || typeof previous === 'string' || typeof next === 'string') return;
    if (previous.name === next.name && SPACE_BETWEEN.has(next.name)) this.parts.push(' ');
  }

  /**
   * Elements whose text is more, less or other than that of their children.
   *
   * @returns whether the element was one, and is done with
   */
  addAtom(element: HtmlElement): boolean {
    switch (element.name) {
      case 'br':
        this.parts.push('\n');
        return true;
      case 'img':
        this.addImage(element);
        return true;
      case 'input':
        this.addInput(element);
        return true;
      case 'math':
        this.addText(formulaOf(element));
        return true;
      case 'q':
        this.addBetween('"', element, '"');
        return true;
      case 'ruby':
        this.addRuby(element);
        return true;
      case 'span':
        // It stands beside the word that it explains, and is shown when the pointer is there.
        if (!TOOLTIP.test(element.attribute('class') ?? '')) return false;
        this.addBetween(' (', element, ')');
        return true;
      case 'sup':
        this.addSuperscript(element);
        return true;
      default:
        return false;
    }
  }

  /** The text so far, which is then forgotten. An empty line stands where two or more breaks followed each other. */
  take(): string {
    if (this.parts.length === 0) return '';
    const text = this.parts.join('');
    const { isBlank } = this;
    this.parts = [];
    this.lastAlt = '';
    this.isBlank = true;
    if (isBlank) return '';
    return text
      .replace(/[^\S\n]+/g, ' ')
      .replace(/ ?\n ?/g, '\n')
      .replace(/\n{3,}/g, '\n\n')
      .trim();
  }

  private addBetween(before: string, element: HtmlElement, after: string): void {
    const length = this.parts.push(before);
    this.addChildren(element);
    if (this.parts.length === length) this.parts.pop();
    else this.parts.push(after);
  }

  private addImage(image: HtmlElement): void {
    const alt = (image.attribute('alt') ?? '').trim();
    // The same picture for light and for dark, or a name that a program gave.
    if (alt === '' || alt === this.lastAlt || FILE_NAME.test(alt)) return;
    if (/^[01](?:px)?$/.test(image.attribute('width') ?? '')) return;
    this.lastAlt = alt;
    this.addText(` ${alt} `);
  }

  private addInput(input: HtmlElement): void {
    if (input.attribute('type')?.toLowerCase() !== 'checkbox' || input.parent === null) return;
    // As Markdown writes the lists of tasks that such boxes mostly come from.
    if (!/^(?:li|p|label)$/.test(input.parent.name)) return;
    this.addText(input.attribute('checked') === undefined ? '[ ] ' : '[x] ');
  }

  private addRuby(ruby: HtmlElement): void {
    const reading = new TextFlow();
    const addBase = (element: HtmlElement): void => {
      for (const child of element.children) {
        if (typeof child === 'string') this.addText(child);
        else if (child.name === 'rt' || child.name === 'rtc') reading.addChildren(child);
        else if (child.name === 'rb') addBase(child);
        else if (child.name !== 'rp') this.add(child);
      }
    };
    addBase(ruby);
    const text = reading.take();
    // Once behind the whole word, so that the word stays one.
    if (text !== '') this.addText(`(${text})`);
  }

  private addSuperscript(element: HtmlElement): void {
    const text = element.letters <= MAX_EXPONENT_LETTERS ? flowOf(element) : '';
    const isRaised = EXPONENT.test(text) && /[\p{L}\p{N})\]]$/u.test(this.parts.at(-1) ?? '');
    if (!isRaised) return this.addChildren(element);
    const isNote = element.links > 0 || element.parent?.name === 'a';
    this.addText(isNote ? `[${text}]` : `^${text}`);
  }
}

/** Text of an element as one flow; see {@link TextFlow.take}. */
export function flowOf(element: HtmlElement): string {
  const flow = new TextFlow();
  flow.addChildren(element);
  return flow.take();
}

/** Code as it stands there: only `<br>` and the ends of lines that are elements of their own are line breaks. */
export function preformattedText(element: HtmlElement): string {
  const parts: string[] = [];
  const endLine = (): void => {
    const last = parts.at(-1);
    if (last !== undefined && !last.endsWith('\n')) parts.push('\n');
  };
  const add = (node: HtmlNode): void => {
    if (typeof node === 'string') {
      if (node !== '') parts.push(node);
      return;
    }
    if (node.isSkipped) return;
    if (node.name === 'br') parts.push('\n');
    const isLine = BLOCK_ELEMENTS.has(node.name);
    if (isLine) endLine();
    for (const child of node.children) add(child);
    if (isLine) endLine();
  };
  for (const child of element.children) add(child);
  return parts
    .join('')
    .replace(/[\u200b\ufeff]/g, '')
    .replaceAll('\u00a0', ' ');
}

/** The TeX that a formula was made from, where it is there; else its symbols. */
function formulaOf(math: HtmlElement): string {
  const source = find(math, (element) => /tex/i.test(element.attribute('encoding') ?? ''));
  if (source !== undefined) return ` ${source.rawText.trim()} `;
  const text = (element: HtmlElement): string =>
    element.children
      .map((child) => {
        if (typeof child === 'string') return child.trim();
        return child.name.startsWith('annotation') ? '' : text(child);
      })
      .filter((part) => part !== '')
      .join(' ');
  return ` ${text(math)} `;
}

function find(element: HtmlElement, isWanted: (element: HtmlElement) => boolean): HtmlElement | undefined {
  for (const child of element.children) {
    if (typeof child === 'string') continue;
    const found = isWanted(child) ? child : find(child, isWanted);
    if (found !== undefined) return found;
  }
  return undefined;
}
