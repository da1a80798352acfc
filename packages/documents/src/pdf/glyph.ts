import type { PageFont } from './page-fonts.js';

/** A glyph on a page. Lengths are PDF points, in coordinates rotated so that its text is horizontal. */
export interface Glyph {
  /** One or more characters, or a space. */
  readonly text: string;
  readonly x: number;
  /** The baseline; grows upwards. */
  readonly y: number;
  readonly width: number;
  readonly fontSize: number;
  readonly font: PageFont;
  /** Direction of the text in quarter turns, from -1 to 2. */
  readonly quarterTurns: number;
  /** Space that the file adds between letters. */
  readonly letterSpacing: number;
  readonly visibility: Visibility;
  /** Whether the file does not say which character this is. The text is the code of the glyph then. */
  readonly isUnknown: boolean;
}

/** `unpainted`: the text layer of a scan, or hidden; `clipped`: outside of what is shown; `hidden`: not seen. */
export type Visibility = 'visible' | 'unpainted' | 'clipped' | 'hidden';

/** A glyph as the engine returns it; see `patches/pdfjs-dist.patch` for `isUnknown`. */
export interface EngineGlyph {
  readonly unicode: string;
  readonly isUnknown: boolean;
  readonly width: number;
  readonly vmetric: readonly number[] | null | undefined;
  readonly isSpace: boolean;
}

/** Vertical text runs downwards, whatever sign its widths have. */
export function advanceDown({ vmetric }: EngineGlyph): number {
  return Math.abs(vmetric?.[0] ?? 1000);
}
