import { HtmlElement, type HtmlNode, type HtmlTree } from './html-tree.js';

/** Types of `input` whose value a visitor types or sees. Others are buttons, secrets or set by the page. */
const VALUE_TYPES = /^(?:date|datetime-local|email|month|number|tel|text|time|url|week)?$/i;
const BOX_TYPES = /^(?:checkbox|radio)$/i;
/** Checked boxes stand before the text of these elements, as in the task lists of Markdown. */
const BOX_PARENT = /^(?:label|li|p)$/;
/** How far up the label, cell or form of a field is searched. */
const MAX_LEVELS = 8;

/** Makes the values of labelled fields text beside their labels, as `Canton: Uri`, and boxes `[x]` or `[ ]`. */
export function placeFieldValues({ fields }: HtmlTree): void {
  const labels = new Map<string, HtmlElement>();
  for (const field of fields) {
    const id = field.name === 'label' ? field.attribute('for') : undefined;
    if (id !== undefined && !labels.has(id)) labels.set(id, field);
  }
  for (const field of fields) {
    if (field.name === 'label' || field.attribute('hidden') !== undefined) continue;
    const label = outerOf(field, /^label$/) ?? labels.get(field.attribute('id') ?? '');
    if (isBox(field)) placeBox(field, label);
    else placeValue(field, label);
  }
}

function placeBox(box: HtmlElement, label: HtmlElement | undefined): void {
  // Outside of forms, boxes with labels open menus and panels.
  const isRead =
    BOX_PARENT.test(box.parent?.name ?? '') ||
    (label !== undefined && outerOf(box, /^(?:fieldset|form)$/) !== undefined);
  if (isRead) replace(box, [box.attribute('checked') === undefined ? '[ ] ' : '[x] ']);
}

function placeValue(field: HtmlElement, label: HtmlElement | undefined): void {
  const value = valueOf(field);
  const { parent } = field;
  if (value === undefined || parent === null) return;
  const cell = outerOf(field, /^t[dh]$/);
  const name = label?.rawText.trim() ?? field.attribute('aria-label');
  // Unlabelled values are addresses to share, or what a script fills in. In a table, the column or row names them.
  if (cell === undefined && (name === undefined || name === '')) return;
  // A form with values is content, see `fields` in `BoilerplateMarker`.
  if (field.name !== 'select') parent.fields -= 1;
  if (label === undefined || (cell !== undefined && outerOf(label, /^t[dh]$/) !== cell))
    return replace(field, [cell === undefined ? `${name ?? ''}: ${value}` : value]);
  replace(field, []);
  // In a label around the field, the field may have text before and after.
  const separator = /[:?：？]$/.test(name ?? '') ? ' ' : ': ';
  const last = label.children.findLastIndex((node) => typeof node !== 'string' || node.trim() !== '');
  label.children.length = last + 1;
  const text = label.children[last];
  if (typeof text === 'string') label.children[last] = text.trimEnd();
  label.children.push(`${separator}${value}`, new HtmlElement('br', label));
}

/** What a field shows; undefined if it is empty, or not text. */
function valueOf(field: HtmlElement): string | undefined {
  let value: string | undefined;
  if (field.name === 'textarea') value = field.rawText;
  else if (field.name === 'select') value = chosenIn(field).join(', ');
  else if (VALUE_TYPES.test(field.attribute('type') ?? '')) value = field.attribute('value');
  return value === undefined || value.trim() === '' ? undefined : value.trim();
}

/** The options that the page marks as chosen. One without a value asks for a choice. */
function chosenIn(element: HtmlElement): string[] {
  return element.children.flatMap((child) => {
    if (typeof child === 'string') return [];
    if (child.name !== 'option') return chosenIn(child);
    return child.attribute('selected') === undefined || child.attribute('value') === ''
      ? []
      : child.rawText.replace(/\s+/g, ' ').trim();
  });
}

function isBox(field: HtmlElement): boolean {
  return field.name === 'input' && BOX_TYPES.test(field.attribute('type') ?? '');
}

function replace(field: HtmlElement, nodes: readonly HtmlNode[]): void {
  const siblings = field.parent?.children;
  siblings?.splice(siblings.indexOf(field), 1, ...nodes);
}

function outerOf(element: HtmlElement, name: RegExp): HtmlElement | undefined {
  let outer = element.parent;
  for (let level = 0; level < MAX_LEVELS && outer !== null; level += 1, outer = outer.parent)
    if (name.test(outer.name)) return outer;
  return undefined;
}
