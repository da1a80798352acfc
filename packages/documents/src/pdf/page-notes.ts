import type { PDFDocumentProxy, PDFPageProxy } from 'pdfjs-dist/legacy/build/pdf.mjs';
import { commentText } from '../document/canonical-text.js';
import type { DocumentBuilder } from '../document/document-builder.js';
import { type Box, boxOf, turnedBox } from './page-geometry.js';

const MAX_ATTACHMENTS = 100;
const MAX_ATTACHMENT_NAME_CHARACTERS = 200;

/**
 * Content that was added to a page with an annotation: a form field, a check box or radio button, or free
 * text. Its box is turned so that the text reads from left to right, see {@link turnedBox}.
 */
export interface PageNote extends Box {
  /** The lines of its text, trimmed and not empty. */
  readonly lines: readonly string[];
  /** Direction of its text in quarter turns. */
  readonly quarterTurns: number;
  readonly fontSize: number;
  /**
   * `field`: a form field with text; `mark`: a check box or radio button; `free-text`: text typed on the
   * page.
   */
  readonly kind: 'field' | 'mark' | 'free-text';
}

export interface PageNotes {
  readonly notes: readonly PageNote[];
  /** Comments on the content of the page, formatted by {@link commentText}, and names of attached files. */
  readonly comments: readonly string[];
  /** Ids of the annotations whose drawing has text of its own, such as stamps and signatures. */
  readonly drawn: ReadonlySet<unknown>;
}

/** An annotation as the engine returns it. Its fields come from the file and may have any type. */
export type EngineAnnotation = Readonly<Record<string, unknown>>;

// Limits per page, far above what people fill in.
const MAX_NOTES = 1000;
const MAX_NOTE_LINES = 5000;
const MAX_NOTE_CHARACTERS = 100_000;
/** Font size of fields with automatic size: a share of the height of the box, with a maximum in points. */
const AUTO_SIZE = { share: 0.7, max: 12 };

/** The annotation flags Hidden and NoView (ISO 32000-1, 12.5.3). */
const INVISIBLE_FLAGS = 2 | 32;
export const CHECKED = '☒';
export const UNCHECKED = '☐';

/** Reads the annotations of a page. Returns none when the engine fails, so that the text of the page is still read. */
export async function readAnnotations(page: PDFPageProxy): Promise<EngineAnnotation[]> {
  const annotations: readonly unknown[] = await page.getAnnotations().catch(() => []);
  return annotations.map(recordOf);
}

/** The form fields, free text and comments of a page (ISO 32000-1, 12.5 and 12.7). */
export function notesOf(annotations: readonly EngineAnnotation[]): PageNotes {
  const notes: PageNote[] = [];
  const comments: string[] = [];
  const drawn = new Set<unknown>();
  let characters = MAX_NOTE_CHARACTERS;
  let lines = MAX_NOTE_LINES;
  const others = annotations.filter(({ subtype }) => subtype !== 'Link');
  for (const annotation of others.slice(0, MAX_NOTES)) {
    if ((numberOf(annotation['annotationFlags']) & INVISIBLE_FLAGS) !== 0) continue;
    if (annotation['subtype'] === 'Stamp' || annotation['fieldType'] === 'Sig') drawn.add(annotation['id']);
    const isWritten = annotation['subtype'] === 'Widget' || annotation['subtype'] === 'FreeText';
    const note = isWritten ? noteOf(annotation) : null;
    const comment = isWritten ? '' : [attachmentOf(annotation), commentOf(annotation)].join('\n').trim();
    const length = comment.length + (note?.lines.reduce((sum, line) => sum + line.length, 0) ?? 0);
    // Skip only what exceeds the limits: later annotations may fit.
    if (length > characters || (note?.lines.length ?? 0) > lines) continue;
    characters -= length;
    lines -= note?.lines.length ?? 0;
    if (note !== null) notes.push(note);
    if (comment !== '') comments.push(comment);
  }
  return { notes, comments, drawn };
}

function noteOf(annotation: EngineAnnotation): PageNote | null {
  const mark = markOf(annotation);
  const lines = mark === null ? linesOf(annotation) : [mark];
  const rect = boxOf(annotation['rect']);
  if (lines.length === 0 || rect === null) return null;
  const turns = Math.round(numberOf(annotation['rotation']) / 90) & 3;
  const quarterTurns = turns === 3 ? -1 : turns;
  const box = turnedBox(rect, quarterTurns);
  const height = box.top - box.bottom;
  const appearance = recordOf(annotation['defaultAppearanceData']);
  const fontSize =
    numberOf(appearance['fontSize']) ||
    Math.min(AUTO_SIZE.max, (height / Math.max(1, lines.length)) * AUTO_SIZE.share);
  const kind = mark !== null ? 'mark' : annotation['subtype'] === 'Widget' ? 'field' : 'free-text';
  return { lines, ...box, quarterTurns, fontSize, kind };
}

/** The mark of a check box or radio button; null for other annotations. */
function markOf(annotation: EngineAnnotation): string | null {
  const { checkBox, radioButton, fieldValue, exportValue, buttonValue } = annotation;
  if (checkBox !== true && radioButton !== true) return null;
  const own = checkBox === true ? exportValue : buttonValue;
  return typeof own === 'string' && fieldValue === own ? CHECKED : UNCHECKED;
}

function linesOf(annotation: EngineAnnotation): string[] {
  // Passwords must not be indexed, and the labels of push buttons are not content.
  if (annotation['password'] === true || annotation['fieldType'] === 'Btn') return [];
  const { fieldType, comb, textContent } = annotation;
  // A comb field shows each letter in a separate box, so that its text content has gaps.
  const shown = fieldType === 'Ch' || comb === true ? [] : stringsOf(textContent);
  const text = shown.some((line) => line.trim() !== '') ? shown.join('\n') : valueOf(annotation);
  return text
    .split(/\r\n|[\r\n\u2028\u2029]/)
    .map((line) => line.replace(/[\s\0]+/g, ' ').trim())
    .filter((line) => line !== '');
}

function valueOf(annotation: EngineAnnotation): string {
  const { fieldValue, fieldType, subtype, options } = annotation;
  if (subtype === 'FreeText') return textOf(annotation['contentsObj']);
  if (fieldType !== 'Ch') return typeof fieldValue === 'string' ? fieldValue : '';
  const names = new Map(
    (Array.isArray(options) ? options : [])
      .map(recordOf)
      .map(({ exportValue, displayValue }) => [exportValue, displayValue]),
  );
  const chosen = typeof fieldValue === 'string' ? [fieldValue] : stringsOf(fieldValue);
  return chosen
    .map((value) => names.get(value) ?? value)
    .filter((name) => typeof name === 'string')
    .filter((name) => name.trim() !== '')
    .join(', ');
}

/** The name of a file that is attached to a place on the page. */
function attachmentOf(annotation: EngineAnnotation): string {
  const { filename } = recordOf(annotation['file']);
  const isAttachment = annotation['subtype'] === 'FileAttachment' && typeof filename === 'string';
  return isAttachment ? attachmentLine(filename) : '';
}

/** The comment of a sticky note or text markup. A popup only displays the comment of another annotation. */
function commentOf(annotation: EngineAnnotation): string {
  if (annotation['subtype'] === 'Popup') return '';
  // A review state, such as "accepted" (ISO 32000-1, 12.5.6.3).
  if (typeof annotation['stateModel'] === 'string') return '';
  const text = textOf(annotation['contentsObj']).replace(/[\s\0]+/g, ' ');
  return commentText({ author: textOf(annotation['titleObj']), text });
}

function recordOf(value: unknown): EngineAnnotation {
  // The fields have type `unknown`, so any object is valid.
  return typeof value === 'object' && value !== null ? (value as EngineAnnotation) : {};
}

function numberOf(value: unknown): number {
  return typeof value === 'number' && Number.isFinite(value) ? value : 0;
}

function stringsOf(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}

/** The text of a string that the engine returns as `{ str, dir }`. */
function textOf(value: unknown): string {
  const { str } = recordOf(value);
  return typeof str === 'string' ? str : '';
}

/** Names the files that are attached to the file (ISO 32000-1, 7.11.4), as in e-mail. Their content is not read. */
export async function addPdfAttachments(pdf: PDFDocumentProxy, builder: DocumentBuilder): Promise<void> {
  // A damaged list of names must not make the text unreadable.
  const attachments: unknown = await pdf.getAttachments().catch(() => null);
  if (!(attachments instanceof Map)) return;
  const lines: string[] = [];
  for (const attachment of attachments.values()) {
    const name: unknown =
      typeof attachment === 'object' && attachment !== null ? Reflect.get(attachment, 'filename') : undefined;
    if (typeof name === 'string' && lines.length < MAX_ATTACHMENTS) lines.push(attachmentLine(name));
  }
  builder.leaveHeadings().block('paragraph', lines.join('\n'));
}

function attachmentLine(name: string): string {
  return `Attachment: ${name.replace(/\s+/g, ' ').trim().slice(0, MAX_ATTACHMENT_NAME_CHARACTERS)}`;
}
