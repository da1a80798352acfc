import { collapseSpace, inPieces, isExponent, singleLine } from '../document/canonical-text.js';
import { BLOCK_ELEMENTS, PREFORMATTED_ELEMENTS } from './html-elements.js';
import type { HtmlElement, HtmlNode } from './html-tree.js';
import { formulaText, holdsFormula, texOf, texOfContainer } from './formulas.js';
import { MAX_SIBLINGS } from './hidden-content.js';
import { isPermalinkSign } from './anchor-tracker.js';

/** Soft hyphens and zero-width spaces, which are not part of a word. */
const INVISIBLE = /[\u00ad\u200b\ufeff]/g;
const NEEDS_CLEANING = /\s\s|[^\S ]|[\u00ad\u200b\ufeff]/;
/** Exponents are short. */
const MAX_EXPONENT_LETTERS = 5;
const TOOLTIP = /\btooltip-?_?_?(?:text|content|body)/i;
const FILE_NAME = /^\S+\.(?:avif|gif|jpe?g|png|svg|webp)$/i;
/** Boxes in a line, such as the flag of a parameter. Styles separate them from the words beside them. */
const BADGE = /badge|(?:^|[\s_-])(?:chip|deprecated|flag|label|lozenge|pill|since|stab|tag)(?:\s|$)/i;
const BLOCK_STYLE = /\bdisplay\s*:\s*(?:block|flex|grid|list-item|table)\b/i;
const SPACE_BETWEEN: ReadonlySet<string> = new Set(['a', 'button', 'label', 'option', 'td', 'th']);

/** Collects text as a browser renders it: white space collapsed, line breaks for `<br>` and around blocks. */
export class TextFlow {
  /** An array, because V8 flattens a growing string each time its end is read. */
  private parts: string[] = [];
  private lastAlt = '';

  /** Whether only white space has been added. */
  isBlank = true;

  /** Adds text, or an element with its content. */
  add(node: HtmlNode): void {
    if (typeof node === 'string') {
      this.addText(node);
      return;
    }
    if (node.isSkipped || isPermalinkSign(node) || this.addSpecial(node)) return;
    const isLine = isBlock(node);
    if (isLine) this.parts.push('\n');
    this.addChildren(node);
    if (isLine) this.parts.push('\n');
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
    const clean = NEEDS_CLEANING.test(text)
      ? collapseSpace(inPieces(text, (piece) => piece.replace(INVISIBLE, '')))
      : text;
    if (clean === '') return;
    this.parts.push(clean);
    if (this.isBlank && clean !== ' ') this.isBlank = false;
  }

  /** Adds a space between adjacent links, buttons, cells or badges, which browsers separate by styles. */
  separate(previous: HtmlNode | undefined, next: HtmlNode): void {
    if (previous === undefined) return;
    // Most texts have white space at their ends already.
    if (typeof previous === 'string') {
      if (!/\s$/.test(previous.slice(-1)) && isBadge(next)) this.parts.push(' ');
    } else if (typeof next === 'string') {
      if (/^[\p{L}\p{N}]/u.test(next) && isBadge(previous)) this.parts.push(' ');
    } else if (previous.name === next.name && SPACE_BETWEEN.has(next.name)) this.parts.push(' ');
    else if (isBadge(previous) || isBadge(next)) this.parts.push(' ');
  }

  /**
   * Adds an element whose text is not simply that of its children, such as an image or a formula.
   *
   * @returns whether the element was added; other elements are left to the caller
   */
  addSpecial(element: HtmlElement): boolean {
    switch (element.name) {
      case 'br':
        this.parts.push('\n');
        return true;
      case 'img':
        this.addImage(element);
        return true;
      case 'math':
      case 'script':
        this.addText(` ${formulaText(element)} `);
        return true;
      case 'mjx-container': {
        const source = element.letters > 0 ? undefined : texOfContainer(element);
        if (source !== undefined) this.addText(` ${source} `);
        return source !== undefined;
      }
      case 'q':
        this.addBetween('"', element, '"');
        return true;
      case 'ruby':
        this.addRuby(element);
        return true;
      case 'span':
        // A tooltip follows the word that it explains.
        if (!TOOLTIP.test(element.attribute('class') ?? '')) return false;
        this.addBetween(' (', element, ')');
        return true;
      case 'svg':
        this.addDrawing(element);
        return true;
      case 'sup':
        this.addSuperscript(element);
        return true;
      default:
        return false;
    }
  }

  /** Returns and clears the text so far. Two or more consecutive line breaks become one blank line. */
  take(): string {
    if (this.parts.length === 0) return '';
    const text = this.parts.join('');
    const { isBlank } = this;
    this.parts = [];
    this.lastAlt = '';
    this.isBlank = true;
    if (isBlank) return '';
    return inPieces(text, (piece) =>
      piece
        .replace(/[^\S\n ][^\S\n]*| [^\S\n]+/g, ' ')
        .replace(/ ?\n ?/g, '\n')
        .replace(/\n{3,}/g, '\n\n'),
    ).trim();
  }

  private addBetween(before: string, element: HtmlElement, after: string): void {
    const length = this.parts.push(before);
    this.addChildren(element);
    if (this.parts.length === length) this.parts.pop();
    else this.parts.push(after);
  }

  /** Adds the labels of a drawing, one on each line. A label that is drawn twice, for its outline, is added once. */
  private addDrawing(drawing: HtmlElement): void {
    const labels = labelsIn(drawing).filter((label, index, all) => label !== '' && label !== all[index - 1]);
    if (labels.length === 0) return;
    // A single label is part of the line.
    const around = labels.length === 1 ? ' ' : '\n';
    this.parts.push(around, labels.join('\n'), around);
    this.isBlank = false;
  }

  private addImage(image: HtmlElement): void {
    const alt = (image.attribute('alt') ?? '').trim();
    // Skip duplicates (variants for light and dark themes) and generated file names.
    if (alt === '' || alt === this.lastAlt || FILE_NAME.test(alt) || isPictureOfFormula(image)) return;
    if (/^[01](?:px)?$/.test(image.attribute('width') ?? '')) return;
    this.lastAlt = alt;
    this.addText(` ${texOf(alt)} `);
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
    // One reading after the whole word, so that the word is not split.
    if (text !== '') this.addText(`(${text})`);
  }

  private addSuperscript(element: HtmlElement): void {
    const text = element.letters <= MAX_EXPONENT_LETTERS ? flowText(element) : '';
    if (!isExponent(text, this.parts.at(-1) ?? '')) return this.addChildren(element);
    const isNote = element.links > 0 || element.parent?.name === 'a';
    this.addText(isNote ? `[${text}]` : `^${text}`);
  }
}

/** Whether an element has line breaks around it, by its name, role or style. */
export function isBlock({ name, attributes }: HtmlElement): boolean {
  if (BLOCK_ELEMENTS.has(name)) return true;
  if (attributes.size === 0) return false;
  return BLOCK_STYLE.test(attributes.get('style') ?? '') || attributes.get('role') === 'heading';
}

/** Whether an element is a block whose white space is kept; it is read as code. */
export function isPreformatted(element: HtmlElement): boolean {
  if (PREFORMATTED_ELEMENTS.has(element.name)) return true;
  return isBlock(element) && /\bwhite-space\s*:\s*pre\s*(?:[;!]|$)/i.test(element.attribute('style') ?? '');
}

/** Whether an image shows a formula that is beside it in the same line. */
function isPictureOfFormula({ parent }: HtmlElement): boolean {
  // Searching many siblings for each of them would take quadratic time.
  if (parent === null || parent.children.length > MAX_SIBLINGS || isBlock(parent)) return false;
  return parent.children.some((node) => typeof node !== 'string' && !node.isSkipped && holdsFormula(node));
}

function isBadge(node: HtmlNode): boolean {
  if (typeof node === 'string') return false;
  const className = node.attributes.get('class');
  return className !== undefined && BADGE.test(className);
}

/** The text of an element; see {@link TextFlow.take}. */
export function flowText(element: HtmlElement): string {
  const flow = new TextFlow();
  flow.addChildren(element);
  return flow.take();
}

function labelsIn(drawing: HtmlElement): string[] {
  return drawing.children.flatMap((child) => {
    if (typeof child === 'string' || child.isSkipped) return [];
    if (child.name === 'foreignobject') return singleLine(flowText(child));
    return child.name === 'text' ? singleLine(labelText(child)) : labelsIn(child);
  });
}

/** The text of a label. Its parts with positions of their own are words or lines. */
function labelText({ children }: HtmlElement): string {
  const texts = children.map((child) => {
    if (typeof child === 'string') return child;
    const isApart = child.attribute('x') !== undefined || child.attribute('y') !== undefined;
    return child.isSkipped ? '' : `${isApart ? ' ' : ''}${labelText(child)}`;
  });
  return texts.join('');
}

/** The text of preformatted code. White space is kept; `<br>` and block elements add line breaks. */
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
    const isLine = isBlock(node);
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
