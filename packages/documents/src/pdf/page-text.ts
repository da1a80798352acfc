import type { PDFPageProxy } from 'pdfjs-dist/legacy/build/pdf.mjs';
import type { Glyph, Visibility } from './glyph.js';
import { readGlyphs } from './glyph-reader.js';
import { type GlyphRun, isOverprint, MAX_SHIFT, runOf, runsOf, visibilityOf } from './glyph-runs.js';
import { type LegibleGlyphs, legibleGlyphs } from './legible-glyphs.js';
import type { PageFonts } from './page-fonts.js';
import { type TextRun, withVerticalLines } from './text-run.js';

/** In points. */
const BASELINE_BUCKET = 4;

const MIN_PICTURE_SHARE = 0.5;
const MAX_STAMP_CHARACTERS = 200;
// As factors of the height of the page: distance of margins from its middle, and size of the letters of stamps.
const STAMP_DISTANCE = 0.35;
const STAMP_SIZE = 0.014;

/** As a factor of the font size. */
const SAME_SIZE_TOLERANCE = 0.1;

/** Decides about optional content, such as layers; part of the engine. */
export interface LayerVisibility {
  isVisible(group: unknown): boolean;
}

export interface PageText {
  /** What a reader sees, in drawing order. */
  readonly runs: readonly TextRun[];
  /** Whether the page has letters that the file does not state. Those are not part of its text. */
  readonly garbled: LegibleGlyphs['garbled'];
  /** Whether the page is a scan on which a few words are printed, such as its number. */
  readonly isStampedScan: boolean;
  readonly hasDrawings: boolean;
  /** Text that no reader sees: in hidden layers, outside of the page, white on white, or behind other text. */
  readonly hidden: readonly string[];
  /** All of it, in drawing order, a run on a line. */
  readonly text: string;
}

/** Reads the text of a page. */
export async function readText(
  page: PDFPageProxy,
  fonts: PageFonts,
  layers: LayerVisibility,
  annotations: ReadonlySet<unknown>,
): Promise<PageText> {
  const {
    glyphs: drawn,
    pictureArea,
    hasDrawings,
  } = await readGlyphs({
    page,
    fontOf: (id) => fonts.read(page, id),
    isShown: (content) => layers.isVisible(content),
    annotations,
  });
  const { glyphs, garbled } = legibleGlyphs(drawn);
  const all = runsOf(glyphs);
  const runsWith = (visibility: Visibility): GlyphRun[] =>
    withoutOverprints(all.filter((run) => visibilityOf(run) === visibility));
  const painted = runsWith('visible');
  const unpainted = runsWith('unpainted');
  // A text layer that repeats the text above it shows nothing.
  const layer = unpainted.filter((run) => !repeats(run, painted));
  const hidden = [
    ...runsWith('clipped'),
    ...runsWith('hidden'),
    ...unpainted.filter((run) => !layer.includes(run)),
  ];
  return {
    runs: withVerticalLines([...painted, ...layer].map(({ run }) => run)),
    garbled,
    hasDrawings,
    isStampedScan: layer.length === 0 && isStamped(page, painted, pictureArea),
    hidden: hidden.map(({ run }) => run.text),
    text: all.map(({ run }) => run.text).join('\n'),
  };
}

/** Whether pictures cover most of a page, and its text is that of stamps: little, in its margins or small. */
function isStamped({ view }: PDFPageProxy, printed: readonly GlyphRun[], pictureArea: number): boolean {
  const [left = 0, bottom = 0, right = 0, top = 0] = view;
  const height = top - bottom;
  if (!(pictureArea >= (right - left) * height * MIN_PICTURE_SHARE)) return false;
  const isStamp = ({ run: { y, fontSize, quarterTurns } }: GlyphRun): boolean =>
    quarterTurns !== 0 ||
    Math.abs(y - bottom - height / 2) > height * STAMP_DISTANCE ||
    fontSize < height * STAMP_SIZE;
  const characters = printed.reduce((sum, { run }) => sum + run.text.length, 0);
  return characters > 0 && characters <= MAX_STAMP_CHARACTERS && printed.every(isStamp);
}

/** Whether most words of a run are also in runs at its place. */
function repeats({ run }: GlyphRun, others: readonly GlyphRun[]): boolean {
  const under = others.filter(
    ({ run: other }) =>
      other.quarterTurns === run.quarterTurns &&
      Math.abs(other.y - run.y) < Math.max(run.fontSize, other.fontSize) / 2 &&
      other.x < run.x + run.width &&
      run.x < other.x + other.width,
  );
  if (under.length === 0) return false;
  const text = under
    .map(({ run: other }) => other.text)
    .join(' ')
    .toLowerCase();
  const words = run.text.toLowerCase().split(' ');
  return words.filter((word) => text.includes(word)).length > words.length / 2;
}

/** Removes glyphs that are drawn again at the same place, as programs do for bold letters and shadows. */
function withoutOverprints(runs: readonly GlyphRun[]): GlyphRun[] {
  const buckets = new Map<number, GlyphRun[]>();
  const kept: GlyphRun[] = [];
  for (const run of runs) {
    const bucket = Math.round(run.run.y / BASELINE_BUCKET);
    const earlier = [bucket - 1, bucket, bucket + 1].flatMap((key) => buckets.get(key) ?? []);
    for (const part of newPartsOf(run, earlier)) {
      kept.push(part);
      const known = buckets.get(bucket);
      if (known === undefined) buckets.set(bucket, [part]);
      else known.push(part);
    }
  }
  return kept;
}

function newPartsOf(run: GlyphRun, earlier: readonly GlyphRun[]): GlyphRun[] {
  const under = earlier.filter((other) => overlapOf(run, other)).flatMap(({ glyphs }) => glyphs);
  if (under.length === 0) return [run];
  const parts: Glyph[][] = [];
  let part: Glyph[] = [];
  let isChanged = false;
  for (const glyph of run.glyphs) {
    if (glyph.text !== ' ' && under.some((other) => isOverprint(glyph, other))) {
      isChanged = true;
      parts.push(part);
      part = [];
    } else part.push(glyph);
  }
  if (!isChanged) return [run];
  return [...parts, part]
    .map(trimmedRun)
    .filter((glyphs) => glyphs.length > 0)
    .map(runOf);
}

function trimmedRun(glyphs: readonly Glyph[]): readonly Glyph[] {
  const begin = glyphs.findIndex(({ text }) => text !== ' ');
  const end = glyphs.findLastIndex(({ text }) => text !== ' ');
  return begin < 0 ? [] : glyphs.slice(begin, end + 1);
}

function overlapOf({ run }: GlyphRun, { run: other }: GlyphRun): boolean {
  return (
    run.quarterTurns === other.quarterTurns &&
    Math.abs(run.fontSize - other.fontSize) <= run.fontSize * SAME_SIZE_TOLERANCE &&
    Math.abs(run.y - other.y) <= run.fontSize * MAX_SHIFT &&
    run.x < other.x + other.width &&
    other.x < run.x + run.width
  );
}
