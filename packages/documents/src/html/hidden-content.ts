import type { LeftOutReason } from '@citewell/contracts/schemas';
import { BLOCK_ELEMENTS, UNREAD_ELEMENTS } from './html-elements.js';
import type { HtmlElement, HtmlNode, HtmlTree } from './html-tree.js';
import { holdsFormula, isFormulaScript } from './formulas.js';
import { isToggle, PageControls } from './page-controls.js';

/** Names of parts that open. */
const PANEL =
  /accordion|answer|collaps|disclosure|expand|faq|tab(?:s__|bed-?)?-?_?(?:pane|panel|content|item)|toggle-?(?:content|body|panel)/i;
/** Names of parts that no visitor opens, whatever is beside them. */
const NEVER_OPENED =
  /(?:^|[\s_-])(?:newsletter|(?:a11y-hidden|assistive-text|captcha|clipboard|consent|cookies?|gdpr|honey-?pot|hp|loader|loading|onetrust|preheader|off-?screen|screen-?reader(?:-text)?|skeleton|snackbar|spinner|sr-only|template|toast|tool-?tip|visible-sr|visually-?hidden)(?![a-z]))/i;
/** Those of them that hold text for people who listen. */
const SCREEN_READER =
  /(?:^|[\s_-])(?:a11y-hidden|assistive-text|honey-?pot|hp|off-?screen|screen-?reader(?:-text)?|sr-only|visible-sr|visually-?hidden)(?![a-z])/i;
/** Names of messages, and of parts that a visitor sees only after an action. */
const MESSAGE =
  /(?:^|[\s_-])(?:subscri|(?:autocomplete|copied|copy-?(?:button|code|text)|error|fail(?:ed|ure)?|fallback|feedback|invalid|log-?in|message|no-?(?:js|results?)|overlay|pop-?up|print-?(?:only|able)|search-?(?:bar|box|form|overlay|results?)|shar(?:e|ing)|sign-?(?:in|up)|success|suggestions?|validation)(?![a-z]))/i;
const DIALOG = /(?:^|[\s_-])(?:dialog|drawer|lightbox|modal|off-?canvas|pop-?up)(?![a-z])/i;
/** What dialogs that open by themselves ask for. */
const REQUEST =
  /cookie|クッキー|newsletter|subscri|abonn|suscr|sign (?:in|up)|log ?-?in\b|anmeld|einloggen|connexion|passwor|are you sure|javascript|browser/i;
const ICON = /(?:^|[\s_-])(?:fa[bsrl]?|glyphicon|icons?|material-\w+|symbols?)(?:[\s_-]|$)/i;
const PLACEHOLDER = /\{[{%*]|\$\{|<%|\[\[/;
/** Labels of panels by their class, which may end with such a word: `faq__question`, `cardTitle`. */
const LABEL = /(?:head(?:er|ing)?|question|title|toggle|trigger|summary)(?![a-z])/i;
const HEADING = /^(?:dt|h[1-6]|summary)$/;
/** In Latin, East Asian, Arabic and Greek script. */
const ASKS = /[?？؟\u037e]\s*$/u;
const MAX_LABEL_LETTERS = 300;
/** A form with fewer letters has no text of its own. */
const MAX_FORM_LETTERS = 400;
/** Hidden text without any sign that it opens is a message of a script if it is shorter. */
const MIN_TEXT_LETTERS = 40;
const MIN_MENU_LINKS = 3;
const MIN_MENU_DENSITY = 0.6;
/** Of more hidden elements, and of longer ones, none is compared with the page. */
const MAX_COMPARISONS = 200;
const MAX_COMPARED_LETTERS = 20_000;

/** `duplicate`: the page shows the same text elsewhere. */
export type HiddenVerdict = 'content' | 'duplicate' | Extract<LeftOutReason, 'hidden' | 'navigation'>;

/**
 * Decides which hidden elements of a page are content: what a click reveals, but not what no visitor sees. Where neither
 * is sure, a sentence is kept, because lost text is worse than noise.
 */
export class HiddenContent {
  private readonly controls: PageControls;
  private readonly body: HtmlElement;
  private shownText: string | undefined;
  private readonly revealedTexts = new Set<string>();
  private comparisons = 0;

  /** @param tree measured except for its hidden elements */
  constructor(tree: HtmlTree) {
    this.body = tree.body;
    this.controls = new PageControls(tree.controls);
  }

  /** Why an element is left out; `content` when it is read. */
  verdictOf(element: HtmlElement): HiddenVerdict {
    // Beside a picture of the formula, the formula itself is hidden.
    if (holdsFormula(element)) return 'content';
    const names = namesOf(element);
    if (hiddenBy(element) === 'position') return 'hidden';
    if (NEVER_OPENED.test(names)) return SCREEN_READER.test(names) ? 'hidden' : 'navigation';
    if (element.fields > 0 && element.letters < MAX_FORM_LETTERS) return 'hidden';
    if (isDialog(element, names)) return this.isOpened(element, names) ? 'content' : 'navigation';
    if (element.letters <= MAX_COMPARED_LETTERS && PLACEHOLDER.test(element.rawText)) return 'hidden';
    // A script shows the page when it is ready.
    if (element.holdsMain || element.letters > this.body.letters) return 'content';
    if (this.opens(element, names)) return 'content';
    if (isMenu(element)) return 'navigation';
    if (element.fields > 0 || isMetadata(element) || MESSAGE.test(names)) return 'hidden';
    if (this.isShownElsewhere(element)) return 'duplicate';
    if (hiddenBy(element) === 'aria') return isDecoration(element) ? 'duplicate' : 'content';
    return isText(element) ? 'content' : 'hidden';
  }

  /** Whether a click opens a dialog. Nobody asks for those that open by themselves, such as consent to cookies. */
  private isOpened(dialog: HtmlElement, names: string): boolean {
    if (isOpenedDialog(dialog, this.controls)) return true;
    const before = nodeBeside(dialog, -1);
    if (dialog.fields === 0 && typeof before === 'object' && before.name === 'button') return true;
    return dialog.fields === 0 && isText(dialog) && !MESSAGE.test(names) && !REQUEST.test(dialog.rawText);
  }

  /** Whether the page has a sign that a click opens the element. */
  private opens(element: HtmlElement, names: string): boolean {
    if (hiddenBy(element) === 'aria' && !BLOCK_ELEMENTS.has(element.name)) return false;
    if (element.name === 'dd' || /^(?:region|tabpanel)$/.test(element.attribute('role') ?? '')) return true;
    if (PANEL.test(names) && !isMenu(element)) return true;
    if (this.controls.of(element) !== undefined && !isMenu(element)) return true;
    return (isLabelled(element) && !isMenu(element)) || continuesList(element) || precedesButton(element);
  }

  /** Whether the page shows the same text: menus for small screens, clones of slides, texts that a button copies. */
  private isShownElsewhere(element: HtmlElement): boolean {
    if (element.letters > MAX_COMPARED_LETTERS) return false;
    const text = squashed(element.rawText);
    if (this.revealedTexts.has(text)) return true;
    this.revealedTexts.add(text);
    this.comparisons += 1;
    if (this.comparisons > MAX_COMPARISONS) return false;
    this.shownText ??= squashed(shownTextOf(this.body));
    return text.length > 8 && this.shownText.includes(text);
  }
}

function namesOf({ attributes }: HtmlElement): string {
  return `${attributes.get('class') ?? ''} ${attributes.get('id') ?? ''}`.replace(
    /(?<=[a-z])(?=[A-Z])/g,
    '-',
  );
}

function isDialog(element: HtmlElement, names: string): boolean {
  return (
    element.name === 'dialog' ||
    /^(?:alert)?dialog$/.test(element.attribute('role') ?? '') ||
    (DIALOG.test(names) && !PANEL.test(names))
  );
}

/** Whether an element is a dialog that something on the page opens. */
export function isOpenedDialog(element: HtmlElement, controls: PageControls): boolean {
  if (element.fields > 0 || controls.of(element) === undefined) return false;
  const names = namesOf(element);
  return isDialog(element, names) && !NEVER_OPENED.test(names);
}

function isText(element: HtmlElement): boolean {
  return element.letters - element.linkLetters >= MIN_TEXT_LETTERS;
}

function isMenu(element: HtmlElement): boolean {
  return (
    element.links >= MIN_MENU_LINKS &&
    element.linkLetters >= element.letters * MIN_MENU_DENSITY &&
    !element.headings
  );
}

/** Whether an element has facts about the page for machines. */
function isMetadata(element: HtmlElement): boolean {
  return [element, ...elementsOf(element)].some(
    (node) => node.attributes.has('itemprop') || node.attributes.has('property'),
  );
}

/** An icon that is written as a word, a line number, or the second form of a formula. */
function isDecoration(element: HtmlElement): boolean {
  if (element.name === 'i' || ICON.test(element.attribute('class') ?? '')) return true;
  if (!/\p{L}|\p{N}/u.test(element.rawText)) return true;
  for (let outer = element.parent; outer !== null; outer = outer.parent) {
    if (outer.name === 'pre') return /^[\d\s]*$/.test(element.rawText);
    if (BLOCK_ELEMENTS.has(outer.name)) break;
  }
  return neighboursOf(element).some(holdsFormula);
}

/** Whether a label comes before the element: a heading, a question, or something that can be clicked. */
function isLabelled(element: HtmlElement): boolean {
  let inner = element;
  for (let level = 0; level < 2 && inner.parent !== null; level += 1) {
    const before = nodeBeside(inner, -1);
    if (typeof before === 'string') return ASKS.test(before);
    if (before !== undefined) return isLabel(before, element);
    inner = inner.parent;
  }
  return false;
}

function isLabel(label: HtmlElement, panel: HtmlElement): boolean {
  if (holdsRevealed(label, 2)) return false;
  const isBlock = BLOCK_ELEMENTS.has(panel.name);
  if (label.name === 'button' || label.attribute('role') === 'button') return isBlock || isToggle(label);
  if (HEADING.test(label.name)) return isBlock;
  if (label.letters === 0 || label.letters > MAX_LABEL_LETTERS) return isToggle(label);
  if (isToggle(label) || label.attributes.has('tabindex') || label.name === 'label') return isBlock;
  if (label.name === 'a' && /^#|^javascript:/i.test(label.attribute('href') ?? '')) return isBlock;
  if (isBlock && (label.headings > 0 || LABEL.test(label.attribute('class') ?? ''))) return true;
  return (
    ASKS.test(label.rawText) || elementsOf(label).some((child) => child.name === 'button' || isToggle(child))
  );
}

/** Whether an element has a panel of its own. */
function holdsRevealed(element: HtmlElement, levels: number): boolean {
  return elementsOf(element).some(
    (child) => child.isRevealed || (levels > 1 && holdsRevealed(child, levels - 1)),
  );
}

/** Whether the element is one of several items, of which others are shown. */
function continuesList(element: HtmlElement): boolean {
  const className = element.attribute('class');
  const isItem = element.name === 'li' || element.name === 'tr';
  if (!isItem && (className === undefined || !BLOCK_ELEMENTS.has(element.name))) return false;
  return neighboursOf(element).some(
    (sibling) =>
      sibling.name === element.name &&
      !sibling.isSkipped &&
      sibling.letters > 0 &&
      (isItem || sibling.attribute('class') === className),
  );
}

/** Whether a button such as "Read more" follows the element. */
function precedesButton(element: HtmlElement): boolean {
  const { parent } = element;
  const next = nodeBeside(element, 1) ?? (parent === null ? undefined : nodeBeside(parent, 1));
  return next !== undefined && typeof next !== 'string' && next.name === 'button';
}

/** The next node with text before or after an element in its parent. */
function nodeBeside(element: HtmlElement, step: -1 | 1): HtmlNode | undefined {
  const siblings = element.parent?.children ?? [];
  for (let distance = 1; distance <= MAX_SIBLINGS; distance += 1) {
    const node = siblings[element.position + step * distance];
    if (typeof node === 'string' ? node.trim() !== '' : node?.name === 'button' || (node?.letters ?? 0) > 0)
      return node;
  }
  return undefined;
}

/** The elements around an element in its parent. */
function neighboursOf(element: HtmlElement): HtmlElement[] {
  const { parent, position } = element;
  const near = parent?.children.slice(Math.max(0, position - MAX_SIBLINGS), position + MAX_SIBLINGS) ?? [];
  return near.filter((node): node is HtmlElement => typeof node !== 'string' && node !== element);
}

function elementsOf(element: HtmlElement): HtmlElement[] {
  return element.children.filter((child): child is HtmlElement => typeof child !== 'string');
}

function shownTextOf(element: HtmlElement): string {
  const parts: string[] = [];
  const read = (node: HtmlNode): void => {
    if (typeof node === 'string') parts.push(node);
    else if (!node.isSkipped) node.children.forEach(read);
  };
  element.children.forEach(read);
  return parts.join('');
}

function squashed(text: string): string {
  return text.replace(/\s+/g, '');
}

const DECORATION = /text-decoration(?:-line)?\s*:/i;
const STRUCK_CLASS = /(?:^|\s)(?:(?:text-(?:decoration-)?)?line-through|strike-?(?:out|through)?)(?:\s|$)/i;
const NOT_DISPLAYED = /(?:^|[;\s])(?:display\s*:\s*none|visibility\s*:\s*hidden)/i;
/** Text that is moved out of the window, or reduced to a pixel. */
const OFF_SCREEN = /(?:left|top|text-indent)\s*:\s*-\d{4}|clip\s*:\s*rect\(\s*0|mso-hide\s*:\s*all/i;

/** Of more siblings, none is searched. */
export const MAX_SIBLINGS = 8;

/** How the markup hides an element when the page opens. */
type HiddenBy =
  /** Not displayed. A click may reveal it. */
  | 'display'
  /** Displayed, and kept from screen readers. */
  | 'aria'
  /** Outside of the window. Nothing reveals it. */
  | 'position';

/** Whether no visitor sees the element as text: scripts, templates, fields. */
export function isUnread(element: HtmlElement): boolean {
  // A declarative shadow root is part of the page.
  if (element.name === 'template') return element.attribute('shadowrootmode') === undefined;
  return UNREAD_ELEMENTS.has(element.name) && !isFormulaScript(element);
}

/** How an element is hidden; undefined for one that is displayed. */
export function hiddenBy({ name, attributes }: HtmlElement): HiddenBy | undefined {
  if (name === 'dialog') return 'display';
  if (attributes.size === 0) return undefined;
  const style = attributes.get('style');
  if (style !== undefined) {
    if (OFF_SCREEN.test(style)) return 'position';
    if (NOT_DISPLAYED.test(style)) return 'display';
  }
  const hidden = attributes.get('hidden');
  if (hidden !== undefined && hidden.toLowerCase() !== 'until-found') return 'display';
  // The description of an image, such as a formula, stands for what is seen.
  return attributes.get('aria-hidden')?.toLowerCase() === 'true' && name !== 'img' ? 'aria' : undefined;
}

/** Whether the text of an element is struck through: it does not hold any more. */
export function isDeleted({ name, attributes }: HtmlElement): boolean {
  if (name === 's' || name === 'del' || name === 'strike') return true;
  if (attributes.size === 0) return false;
  const style = attributes.get('style');
  if (style?.includes('line-through') === true && style.split(';').some(isStruckThrough)) return true;
  const className = attributes.get('class');
  // Most classes fail the cheap test.
  return (
    className !== undefined &&
    className.length > 5 &&
    /trike|hrough/.test(className) &&
    STRUCK_CLASS.test(className)
  );
}

function isStruckThrough(declaration: string): boolean {
  const start = declaration.search(DECORATION);
  return start >= 0 && declaration.includes('line-through', start);
}
