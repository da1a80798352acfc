import type { LeftOutReason } from '@citewell/contracts/schemas';
import { BLOCK_ELEMENTS, UNREAD_ELEMENTS } from './html-elements.js';
import type { HtmlElement, HtmlNode, HtmlTree } from './html-tree.js';
import { holdsFormula, isFormulaScript } from './formulas.js';
import { PageControls } from './page-controls.js';

/** Names of parts that no visitor opens, whatever is beside them. */
const NEVER_OPENED =
  /(?:^|[\s_-])(?:newsletter|(?:a11y-hidden|assistive-text|captcha|clipboard|consent|cookies?|gdpr|honey-?pot|hp|loader|loading|onetrust|preheader|off-?screen|screen-?reader(?:-text)?|skeleton|snackbar|spinner|sr-only|template|toast|tool-?tip|visible-sr|visually-?hidden)(?![a-z]))/i;
/** Names of messages, and of parts that a visitor sees only after an action. */
const MESSAGE =
  /(?:^|[\s_-])(?:subscri|(?:autocomplete|copied|copy-?(?:button|code|text)|error|fail(?:ed|ure)?|fallback|feedback|invalid|log-?in|message|no-?(?:js|results?)|overlay|pop-?up|print-?(?:only|able)|search-?(?:bar|box|form|overlay|results?)|shar(?:e|ing)|sign-?(?:in|up)|success|suggestions?|validation)(?![a-z]))/i;
const DIALOG = /(?:^|[\s_-])(?:dialog|drawer|lightbox|modal|off-?canvas|pop-?up)(?![a-z])/i;
/** What dialogs that open by themselves ask for. */
const REQUEST =
  /cookie|クッキー|newsletter|subscri|abonn|suscr|sign (?:in|up)|log ?-?in\b|anmeld|einloggen|connexion|passwor|are you sure|javascript|browser/i;
const ICON = /(?:^|[\s_-])(?:fa[bsrl]?|glyphicon|icons?|material-\w+|symbols?)(?:[\s_-]|$)/i;
const PANEL = /^(?:region|tabpanel)$/;
const SENTENCE_END = /[.!。।۔]$/;
/** The end of a question, of a label, or of a text that is cut. */
const OPEN_END = /(?:[?:？：؟…]|\.\.\.)$/;
const PLACEHOLDER = /\{[{%*]|\$\{|<%|\[\[/;
/** A form with fewer letters has no text of its own. */
const MAX_FORM_LETTERS = 400;
/** Hidden text without any sign that it opens is a message of a script if it is shorter. */
const MIN_TEXT_LETTERS = 40;
/** A longer text is no message, whatever its name is. */
const MAX_MESSAGE_LETTERS = 200;
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
    if (hiddenBy(element) === 'position' || NEVER_OPENED.test(names)) return 'hidden';
    if (element.fields > 0 && element.letters < MAX_FORM_LETTERS) return 'hidden';
    if (isDialog(element, names)) return this.isOpened(element, names) ? 'content' : 'navigation';
    if (element.letters <= MAX_COMPARED_LETTERS && PLACEHOLDER.test(element.rawText)) return 'hidden';
    // A script shows the page when it is ready.
    if (element.holdsMain || element.letters > this.body.letters) return 'content';
    if (isMenu(element)) return 'navigation';
    const isControlled =
      this.controls.of(element) !== undefined || PANEL.test(element.attribute('role') ?? '');
    if (!isControlled && element.letters < MAX_MESSAGE_LETTERS && MESSAGE.test(names)) return 'hidden';
    if (this.isShownElsewhere(element)) return 'duplicate';
    if (hiddenBy(element) === 'aria') return isDecoration(element) ? 'duplicate' : 'content';
    const isText = element.letters - element.linkLetters >= MIN_TEXT_LETTERS;
    return isText || isControlled || followsLabel(element) ? 'content' : 'hidden';
  }

  /** Whether a click opens a dialog. Nobody asks for those that open by themselves, such as consent to cookies. */
  private isOpened(dialog: HtmlElement, names: string): boolean {
    if (isOpenedDialog(dialog, this.controls)) return true;
    return dialog.fields === 0 && !MESSAGE.test(names) && !REQUEST.test(dialog.rawText);
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
    DIALOG.test(names)
  );
}

/** Whether an element is a dialog that something on the page opens. */
export function isOpenedDialog(element: HtmlElement, controls: PageControls): boolean {
  if (element.fields > 0 || controls.of(element) === undefined) return false;
  const names = namesOf(element);
  return isDialog(element, names) && !NEVER_OPENED.test(names);
}

function isMenu(element: HtmlElement): boolean {
  return (
    element.links >= MIN_MENU_LINKS &&
    element.linkLetters >= element.letters * MIN_MENU_DENSITY &&
    !element.headings
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
  const { parent, position } = element;
  const near = parent?.children.slice(Math.max(0, position - MAX_SIBLINGS), position + MAX_SIBLINGS) ?? [];
  return near.some((node) => typeof node !== 'string' && node !== element && holdsFormula(node));
}

/** Whether an element, or what it begins, follows a label: no sentence, and inside of a line a question or the like. */
function followsLabel({ name, parent, position }: HtmlElement): boolean {
  let before = lastText(parent?.children, position);
  if (position < MAX_SIBLINGS) before ??= lastText(parent?.parent?.children, parent?.position);
  const isBlock = BLOCK_ELEMENTS.has(name);
  if (isBlock && typeof before === 'object' && before.name !== 'p' && before.paragraphs === 0) return true;
  while (typeof before === 'object') before = lastText(before.children);
  const end = before?.trimEnd().slice(-3) ?? '.';
  return OPEN_END.test(end) || (isBlock && !SENTENCE_END.test(end));
}

/** The last of some nodes that has text, of the {@link MAX_SIBLINGS} nodes before the position. */
function lastText(nodes: readonly HtmlNode[] = [], position = nodes.length): HtmlNode | undefined {
  return nodes
    .slice(Math.max(0, position - MAX_SIBLINGS), position)
    .findLast((node) => (typeof node === 'string' ? node.trim() !== '' : node.letters > 0));
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
