import { BLOCK_ELEMENTS } from './html-elements.js';
import { HtmlElement, type HtmlTree } from './html-tree.js';
import { exclude, include } from './page-counts.js';
import { isToggle, targetsOf } from './page-controls.js';
import { MAX_SIBLINGS } from './visibility.js';

/** A button with more letters is a text that can be clicked. */
const MAX_BUTTON_LETTERS = 120;
const MAX_LABEL_LETTERS = 100;
const MIN_MENU_LINKS = 3;
const IS_TAB = /(?:^|[\s_-])tab(?:s|bed)?(?:[\s_-]|pane|panel|content|$)/i;

/**
 * Reads the buttons that are labels of content, such as the questions of an FAQ, and puts the label of a tab before its
 * panel. Other buttons are no text.
 */
export class PanelLabels {
  private readonly toggles: HtmlElement[] = [];

  constructor(private readonly tree: HtmlTree) {}

  /** Reads the buttons that may be labels. */
  readButtons(buttons: readonly HtmlElement[]): void {
    for (const button of buttons) {
      if (button.letters === 0) continue;
      if (isInHeading(button) || isText(button)) include(button);
      else if (isToggle(button) && !isTab(button)) {
        include(button);
        this.toggles.push(button);
      }
    }
  }

  /** To be called when the hidden content of the page is known. */
  finish(): void {
    for (const toggle of this.toggles)
      if (!isContent(this.targetOf(toggle)) && !isPanel(blockAfter(toggle))) exclude(toggle);
    const tabs = this.tree.controls.flatMap((control) => {
      const panel = this.panelOfTab(control);
      return panel === undefined ? [] : [{ control, panel }];
    });
    const tabsOf = Map.groupBy(tabs, ({ panel }) => panel);
    // Tabs with a common panel filter it.
    for (const { control, panel } of tabs) if (tabsOf.get(panel)?.length === 1) moveLabel(control, panel);
  }

  private panelOfTab(control: HtmlElement): HtmlElement | undefined {
    const { parent } = control;
    if (
      !isTab(control) &&
      !(parent !== null && (isTab(parent) || (parent.parent !== null && isTab(parent.parent))))
    )
      return undefined;
    const panel = this.targetOf(control);
    return panel !== undefined && isContent(panel) ? panel : undefined;
  }

  private targetOf(control: HtmlElement): HtmlElement | undefined {
    for (const id of targetsOf(control)) {
      const target = this.tree.ids.elementOf(id);
      if (target !== undefined) return target;
    }
    return undefined;
  }
}

function moveLabel(control: HtmlElement, panel: HtmlElement): void {
  const label = control.rawText.replace(/\s+/g, ' ').trim();
  if (label === '' || label.length > MAX_LABEL_LETTERS || contains(panel, control)) return;
  // The label of an accordion is where it belongs.
  if (!control.isSkipped && blockAfter(control) === panel) return;
  if (!control.isSkipped) exclude(control);
  if (panel.rawText.trimStart().startsWith(label)) return;
  const paragraph = new HtmlElement('p', panel);
  paragraph.children.push(label);
  paragraph.letters = label.replace(/\s+/g, '').length;
  panel.children.unshift(paragraph);
  include(paragraph);
}

function isTab(element: HtmlElement): boolean {
  const role = element.attribute('role') ?? '';
  return role === 'tab' || role === 'tabpanel' || IS_TAB.test(element.attribute('class') ?? '');
}

/** Whether an element is read as text, and is not a menu. */
function isContent(element: HtmlElement | undefined): boolean {
  if (element === undefined || element.letters === 0) return false;
  for (let outer: HtmlElement | null = element; outer !== null; outer = outer.parent)
    if (outer.isSkipped) return false;
  return element.links < MIN_MENU_LINKS || element.linkLetters < element.letters * 0.5;
}

/** As {@link isContent}, for a block that nothing names as the panel of a button. */
function isPanel(block: HtmlElement | undefined): boolean {
  return isContent(block) && block?.holdsMain === false;
}

/** The block after a button, or after what contains only the button. */
function blockAfter(button: HtmlElement): HtmlElement | undefined {
  for (let inner = button; inner.parent !== null; inner = inner.parent) {
    const siblings = inner.parent.children.slice(inner.position + 1, inner.position + 1 + MAX_SIBLINGS);
    for (const node of siblings) {
      if (typeof node === 'string' ? node.trim() === '' : node.letters === 0 || node.isSkipped) continue;
      return typeof node !== 'string' && BLOCK_ELEMENTS.has(node.name) ? node : undefined;
    }
    if (inner.parent.letters > button.letters) break;
  }
  return undefined;
}

/** Whether a button has a text of its own, as a card that can be clicked has. */
function isText(button: HtmlElement): boolean {
  return button.headings > 0 || button.paragraphs > 0 || button.letters > MAX_BUTTON_LETTERS;
}

/** Whether a button is the text of a heading, `dt`, `summary` or `legend`, as the questions of an FAQ are. */
function isInHeading(button: HtmlElement): boolean {
  for (let outer = button.parent; outer !== null; outer = outer.parent) {
    if (/^(?:h[1-6]|dt|summary|legend)$/.test(outer.name) || outer.attribute('role') === 'heading')
      return !isBesideText(button);
    if (outer.name === 'div' || outer.name === 'body') break;
  }
  return false;
}

/** Whether a button has text beside it, as a button that copies the heading has. */
function isBesideText({ parent }: HtmlElement): boolean {
  // Searching many siblings for each of them would take quadratic time.
  if (parent === null || parent.children.length > MAX_SIBLINGS) return false;
  return parent.children.some((child) => typeof child === 'string' && /[\p{L}\p{N}]/u.test(child));
}

function contains(outer: HtmlElement, inner: HtmlElement): boolean {
  for (let element: HtmlElement | null = inner; element !== null; element = element.parent)
    if (element === outer) return true;
  return false;
}
