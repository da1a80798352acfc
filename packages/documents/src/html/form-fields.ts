import { HtmlElement, type HtmlTree } from './html-tree.js';

/** Types of `input` whose value a visitor types or sees. Others are buttons, secrets or set by the page. */
const VALUE_TYPES = /^(?:date|datetime-local|email|month|number|tel|text|time|url|week)?$/i;
const BOX_TYPES = /^(?:checkbox|radio)$/i;
/** Checked boxes stand before the text of these elements, as in the task lists of Markdown. */
const BOX_PARENT = /^(?:label|li|p)$/;
/** How far up the label, cell or form of a field is searched. */
const MAX_LEVELS = 8;

interface Label {
  readonly element: HtmlElement;
  readonly name: string;
  hasValue: boolean;
}

/** Makes the values of labelled fields text beside their labels, as `Canton: Uri`, and boxes `[x]` or `[ ]`. */
export function placeFieldValues({ fields }: HtmlTree): void {
  const labels = new Map<HtmlElement | string, Label>();
  for (const element of fields) {
    if (element.name !== 'label') continue;
    const label = { element, name: element.rawText.trim(), hasValue: false };
    if (label.name === '') continue;
    labels.set(element, label);
    const id = element.attribute('for');
    if (id !== undefined && !labels.has(id)) labels.set(id, label);
  }
  for (const field of fields) {
    if (field.name === 'label' || field.attribute('hidden') !== undefined) continue;
    const label = labels.get(outerOf(field, /^label$/) ?? field.attribute('id') ?? '');
    if (isBox(field)) placeBox(field, label);
    else placeValue(field, label);
  }
}

function placeBox(box: HtmlElement, label: Label | undefined): void {
  // Outside of forms, boxes with labels open menus and panels.
  const isRead =
    BOX_PARENT.test(box.parent?.name ?? '') ||
    (label !== undefined && outerOf(box, /^(?:fieldset|form)$/) !== undefined);
  if (isRead) makeText(box, box.attribute('checked') === undefined ? '[ ] ' : '[x] ');
}

function placeValue(field: HtmlElement, label: Label | undefined): void {
  const value = valueOf(field);
  const { parent } = field;
  if (value === undefined || parent === null) return;
  const cell = outerOf(field, /^t[dh]$/);
  const name = label?.name ?? field.attribute('aria-label') ?? '';
  // Unlabelled values are addresses to share, or what a script fills in. In a table, the column or row names them.
  if (cell === undefined && name === '') return;
  // A form with values is content, see `fields` in `BoilerplateMarker`.
  if (field.name !== 'select') parent.fields -= 1;
  if (label === undefined || (cell !== undefined && outerOf(label.element, /^t[dh]$/) !== cell))
    return makeText(field, cell === undefined ? `${name}: ${value}` : value);
  makeText(field, '');
  const { children } = label.element;
  if (label.hasValue) {
    children.splice(-1, 0, ` ${value}`);
    return;
  }
  label.hasValue = true;
  // In a label around the field, the field may have text before and after.
  const separator = /[:?：？]$/.test(name) ? ' ' : ': ';
  const last = children.findLastIndex((node) =>
    typeof node === 'string' ? node.trim() !== '' : node !== field,
  );
  children.length = last + 1;
  const text = children[last];
  if (typeof text === 'string') children[last] = text.trimEnd();
  children.push(`${separator}${value}`, new HtmlElement('br', label.element));
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

function makeText(field: HtmlElement, text: string): void {
  field.name = 'span';
  field.children.splice(0, field.children.length, text);
}

function outerOf(element: HtmlElement, name: RegExp): HtmlElement | undefined {
  let outer = element.parent;
  for (let level = 0; level < MAX_LEVELS && outer !== null; level += 1, outer = outer.parent)
    if (name.test(outer.name)) return outer;
  return undefined;
}
