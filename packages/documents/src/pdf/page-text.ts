import type { PDFPageProxy } from 'pdfjs-dist/legacy/build/pdf.mjs';
import { readGlyphs, type Visibility } from './glyph-reader.js';
import { type GlyphRun, runsOf, visibilityOf } from './glyph-runs.js';
import { withoutOverprints } from './overprints.js';
import type { PageFonts } from './page-fonts.js';
import type { TextRun } from './text-run.js';

/** Decides about optional content, such as layers; part of the engine. */
export interface LayerVisibility {
  isVisible(group: unknown): boolean;
}

export interface PageText {
  /** What a reader sees, in drawing order. */
  readonly runs: readonly TextRun[];
  /** Text that no reader sees: in hidden layers, outside of the page, white on white, or behind other text. */
  readonly hidden: readonly string[];
}

/** Reads the text of a page. */
export async function readText(
  page: PDFPageProxy,
  fonts: PageFonts,
  layers: LayerVisibility,
): Promise<PageText> {
  const glyphs = await readGlyphs({
    page,
    fontOf: (id) => fonts.read(page, id),
    isShown: (content) => layers.isVisible(content),
  });
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
    runs: [...painted, ...layer].map(({ run }) => run),
    hidden: hidden.map(({ run }) => run.text),
  };
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
