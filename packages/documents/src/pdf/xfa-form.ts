import type { PDFDocumentProxy } from 'pdfjs-dist/legacy/build/pdf.mjs';
import type { DocumentBuilder } from '../document/document-builder.js';
import { CHECKED, UNCHECKED } from './page-notes.js';

/** An element of the page that the engine makes of a form. */
interface XfaNode {
  readonly name: string;
  readonly value?: unknown;
  readonly attributes?: Readonly<Record<string, unknown>>;
  readonly children?: readonly (XfaNode | null | undefined)[];
}

/** Elements with a line break after them. */
const LINES = /^(?:br|div|li|p)$/;
const CAPTIONS = ['xfaCaption', 'xfaCaptionForCheckButton'];

/**
 * Reads a form of the XML Forms Architecture, whose PDF page says only that the program cannot show it: text, and the
 * labels and values of fields in their order.
 *
 * @returns whether the file is a form with text
 */
export function addXfaForm(pdf: PDFDocumentProxy, builder: DocumentBuilder): boolean {
  // The declared type of the engine has no children that are null.
  const pages = (pdf.allXfaHtml as XfaNode | null)?.children ?? [];
  for (const [index, page] of pages.entries()) {
    if (page === null || page === undefined) continue;
    builder.beginPage(index + 1);
    for (const node of descendantsOf(page))
      builder.see(node.name === 'option' ? valueOf(node) : stringOf(node.value) || valueOf(node));
    addNode(page, builder);
  }
  if (builder.isEmpty) return false;
  builder.setPageCount(pages.length);
  return true;
}

function addNode(node: XfaNode | null | undefined, builder: DocumentBuilder): void {
  if (node === null || node === undefined) return;
  if (isHidden(node)) builder.leaveOut('hidden', textOf(node));
  else if (hasClass(node, 'xfaField')) addField(node, builder);
  else if (hasClass(node, 'xfaDraw')) builder.block('paragraph', textOf(node));
  else for (const child of node.children ?? []) addNode(child, builder);
}

/** Adds `Label: value`, or a mark and its label. The captions of buttons are not content. */
function addField(field: XfaNode, builder: DocumentBuilder): void {
  const nodes = [...descendantsOf(field)];
  if (nodes.some((node) => hasClass(node, 'xfaButton'))) builder.leaveOut('navigation', textOf(field));
  else builder.block('paragraph', fieldText(nodes));
}

function fieldText(nodes: readonly XfaNode[]): string {
  const caption = nodes.find((node) => CAPTIONS.some((name) => hasClass(node, name)));
  const spoken = stringOf(nodes.find(({ name }) => name === 'input')?.attributes?.['aria-label']);
  const label = (caption === undefined ? spoken : textOf(caption)).trim();
  const values = nodes.map(valueOf).filter((value) => value !== '');
  const isMark = values[0] === CHECKED || values[0] === UNCHECKED;
  if (isMark) return `${values.join(' ')} ${label}`;
  return [label.replace(/:$/, ''), values.join(', ')].filter((part) => part !== '').join(': ');
}

function valueOf({ name, attributes = {}, value }: XfaNode): string {
  const { type, checked } = attributes;
  if (type === 'checkbox' || type === 'radio') return checked === true ? CHECKED : UNCHECKED;
  if (name === 'input' || name === 'textarea')
    return stringOf(attributes['value'] ?? attributes['textContent'] ?? value);
  return name === 'option' && attributes['selected'] === true ? stringOf(value) : '';
}

function textOf({ name, value, children = [] }: XfaNode): string {
  const text = [stringOf(value), ...children.map((child) => (child ? textOf(child) : ''))].join('');
  return LINES.test(name) ? `${text}\n` : text;
}

function* descendantsOf(node: XfaNode): Generator<XfaNode> {
  yield node;
  for (const child of node.children ?? [])
    if (child !== null && child !== undefined) yield* descendantsOf(child);
}

function isHidden({ attributes }: XfaNode): boolean {
  const { display, visibility } = (attributes?.['style'] ?? {}) as Record<string, unknown>;
  return display === 'none' || visibility === 'hidden';
}

function hasClass({ attributes }: XfaNode, name: string): boolean {
  const names = attributes?.['class'];
  return Array.isArray(names) && names.includes(name);
}

function stringOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
