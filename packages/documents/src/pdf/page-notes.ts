import type { PDFPageProxy } from 'pdfjs-dist/legacy/build/pdf.mjs';
import { commentText } from '../document/comment.js';

/** What somebody has written on a page: in a field of a form, as a mark in a box, or beside what is printed. */
export interface PageNote {
  /** As many as it has lines; none is blank at either end. */
  readonly lines: readonly string[];
  /** In points of the page, turned so that it reads from left to right. */
  readonly left: number;
  readonly right: number;
  readonly bottom: number;
  readonly top: number;
  /** Direction of its text, in quarter turns. */
  readonly quarter: number;
  readonly fontSize: number;
  /** A field belongs to the words beside it; a mark to what it is a choice of; a remark stands for itself. */
  readonly kind: 'field' | 'mark' | 'remark';
}

export interface PageNotes {
  readonly notes: readonly PageNote[];
  /** Remarks on what is printed, each as it reads as text. */
  readonly comments: readonly string[];
}

/** What the engine says of an annotation: anything that a file makes of it. */
type EngineAnnotation = Readonly<Record<string, unknown>>;

/** More than anybody fills in on one page. */
const MAX_NOTES = 1000;
const MAX_LINES = 5000;
const MAX_CHARACTERS = 100_000;
/** Of fields that fit their text to their box, as a share of the box's height. */
const AUTO_SIZE = { share: 0.7, max: 12 };

/** Flags of an annotation that is shown to nobody (ISO 32000-1, 12.5.3): Hidden and NoView. */
const UNSEEN = 2 | 32;
/** Marks of boxes and buttons. */
export const CHECKED = '☒';
export const UNCHECKED = '☐';

/**
 * Reads what was filled in and remarked on a page (ISO 32000-1, 12.5 and 12.7). It takes half as long as reading its
 * text. Where the engine cannot read them there are none: they do not cost the text.
 */
export async function readNotes(page: PDFPageProxy): Promise<PageNotes> {
  const annotations: readonly unknown[] = await page.getAnnotations().catch(() => []);
  return notesOf(annotations.map(recordOf));
}

/** @param annotations as the engine gives them */
export function notesOf(annotations: readonly EngineAnnotation[]): PageNotes {
  const notes: PageNote[] = [];
  const comments: string[] = [];
  let characters = MAX_CHARACTERS;
  let lines = MAX_LINES;
  for (const annotation of annotations.slice(0, MAX_NOTES)) {
    if ((numberOf(annotation['annotationFlags']) & UNSEEN) !== 0) continue;
    const isWritten = annotation['subtype'] === 'Widget' || annotation['subtype'] === 'FreeText';
    const note = isWritten ? noteOf(annotation) : null;
    const comment = isWritten ? '' : commentOf(annotation);
    const length = comment.length + (note?.lines.reduce((sum, line) => sum + line.length, 0) ?? 0);
    // What is too much by itself does not cost what is not.
    if (length > characters || (note?.lines.length ?? 0) > lines) continue;
    characters -= length;
    lines -= note?.lines.length ?? 0;
    if (note !== null) notes.push(note);
    if (comment !== '') comments.push(comment);
  }
  return { notes, comments };
}

function noteOf(annotation: EngineAnnotation): PageNote | null {
  const mark = markOf(annotation);
  const lines = mark === null ? linesOf(annotation) : [mark];
  const box = turnedBox(annotation);
  if (lines.length === 0 || box === null) return null;
  const height = box.top - box.bottom;
  const appearance = recordOf(annotation['defaultAppearanceData']);
  const fontSize =
    numberOf(appearance['fontSize']) ||
    Math.min(AUTO_SIZE.max, (height / Math.max(1, lines.length)) * AUTO_SIZE.share);
  const kind = mark !== null ? 'mark' : annotation['subtype'] === 'Widget' ? 'field' : 'remark';
  return { lines, ...box, fontSize, kind };
}

/** Of boxes to check and buttons of which one is chosen. */
function markOf(annotation: EngineAnnotation): string | null {
  const { checkBox, radioButton, fieldValue, exportValue, buttonValue } = annotation;
  if (checkBox !== true && radioButton !== true) return null;
  const own = checkBox === true ? exportValue : buttonValue;
  return typeof own === 'string' && fieldValue === own ? CHECKED : UNCHECKED;
}

function linesOf(annotation: EngineAnnotation): string[] {
  // A password is nothing to read out, and buttons are no text that somebody wrote.
  if (annotation['password'] === true || annotation['fieldType'] === 'Btn') return [];
  const { fieldType, comb, textContent } = annotation;
  // A comb shows each letter in a box of its own.
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
    .filter((name) => typeof name === 'string' && name.trim() !== '')
    .join(', ');
}

/** Of notes that are pinned to a page and remarks on marked text; the window that shows one says nothing of its own. */
function commentOf(annotation: EngineAnnotation): string {
  if (annotation['subtype'] === 'Popup' || annotation['subtype'] === 'Link') return '';
  // That somebody has accepted or read a remark (ISO 32000-1, 12.5.6.3).
  if (typeof annotation['stateModel'] === 'string') return '';
  const text = textOf(annotation['contentsObj']).replace(/[\s\0]+/g, ' ');
  return commentText({ author: textOf(annotation['titleObj']), text });
}

function turnedBox(
  annotation: EngineAnnotation,
): Pick<PageNote, 'left' | 'right' | 'bottom' | 'top' | 'quarter'> | null {
  const { rect, rotation } = annotation;
  const [x1, y1, x2, y2] = Array.isArray(rect) ? rect.map(numberOf) : [];
  if (x1 === undefined || y1 === undefined || x2 === undefined || y2 === undefined) return null;
  const turns = Math.round(numberOf(rotation) / 90) & 3;
  const [cos, sin] = TURNS[turns] ?? [1, 0];
  const [xs, ys] = [
    [x1 * cos + y1 * sin, x2 * cos + y2 * sin],
    [y1 * cos - x1 * sin, y2 * cos - x2 * sin],
  ];
  return {
    left: Math.min(...xs),
    right: Math.max(...xs),
    bottom: Math.min(...ys),
    top: Math.max(...ys),
    quarter: turns === 3 ? -1 : turns,
  };
}

/** Cosine and sine of as many quarter turns. */
const TURNS = [
  [1, 0],
  [0, 1],
  [-1, 0],
  [0, -1],
] as const;

function recordOf(value: unknown): EngineAnnotation {
  // Of an object, nothing is known yet of any of its fields.
  return typeof value === 'object' && value !== null ? (value as EngineAnnotation) : {};
}

function numberOf(value: unknown): number {
  return typeof value === 'number' && Number.isFinite(value) ? value : 0;
}

function stringsOf(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}

/** Of what the engine gives with a direction. */
function textOf(value: unknown): string {
  const { str } = recordOf(value);
  return typeof str === 'string' ? str : '';
}
