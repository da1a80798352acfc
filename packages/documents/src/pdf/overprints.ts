import type { Glyph } from './glyph-reader.js';
import { type GlyphRun, isOverprint, MAX_SHIFT, runOf } from './glyph-runs.js';

/** Points per bucket of baselines. */
const BUCKET = 4;
/** A factor of the font size. */
const SAME_SIZE = 0.1;

/** Removes glyphs that are drawn again at the same place, as programs do for bold letters and shadows. */
export function withoutOverprints(runs: readonly GlyphRun[]): GlyphRun[] {
  const buckets = new Map<number, GlyphRun[]>();
  const kept: GlyphRun[] = [];
  for (const run of runs) {
    const bucket = Math.round(run.run.y / BUCKET);
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
  const under = earlier.filter((other) => overlap(run, other)).flatMap(({ glyphs }) => glyphs);
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
    .map(trimmed)
    .filter((glyphs) => glyphs.length > 0)
    .map(runOf);
}

function trimmed(glyphs: readonly Glyph[]): readonly Glyph[] {
  const begin = glyphs.findIndex(({ text }) => text !== ' ');
  const end = glyphs.findLastIndex(({ text }) => text !== ' ');
  return begin < 0 ? [] : glyphs.slice(begin, end + 1);
}

function overlap({ run }: GlyphRun, { run: other }: GlyphRun): boolean {
  return (
    run.quarterTurns === other.quarterTurns &&
    Math.abs(run.fontSize - other.fontSize) <= run.fontSize * SAME_SIZE &&
    Math.abs(run.y - other.y) <= run.fontSize * MAX_SHIFT &&
    run.x < other.x + other.width &&
    other.x < run.x + run.width
  );
}
