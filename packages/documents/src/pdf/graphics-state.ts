import type { PageFont } from './page-fonts.js';
import { type Box, IDENTITY, type Matrix } from './page-geometry.js';

/** The graphics state (ISO 32000-1, 8.4 and 9.3), as far as text needs it. */
export interface GraphicsState {
  ctm: Matrix;
  clip: Box;
  font: PageFont | null;
  fontSize: number;
  letterSpacing: number;
  wordSpacing: number;
  scale: number;
  leading: number;
  rise: number;
  renderingMode: number;
  isWhite: boolean;
}

export const FIRST_STATE: Omit<GraphicsState, 'clip'> = {
  ctm: IDENTITY,
  font: null,
  fontSize: 0,
  letterSpacing: 0,
  wordSpacing: 0,
  scale: 1,
  leading: 0,
  rise: 0,
  renderingMode: 0,
  isWhite: false,
};

/** An open group (ISO 32000-1, 14.6). */
export interface MarkedContent {
  readonly isShown: boolean;
  /** The text that the file gives for the glyphs or the drawing; empty for none. */
  readonly text: string;
  /** Whether this group or a group around it has a text. */
  readonly isWithinText: boolean;
  /** Index of the first glyph. */
  readonly start: number;
}
