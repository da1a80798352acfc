/**
 * A run of glyphs from the engine. Lengths are PDF points, in coordinates rotated so that the run is
 * horizontal.
 */
export interface TextRun {
  readonly text: string;
  /** The text with link addresses after the linked words; absent when there are none. */
  readonly linkedText?: string;
  readonly x: number;
  /** The baseline; grows upwards. */
  readonly y: number;
  readonly width: number;
  readonly fontSize: number;
  /** Opaque id of the font, unique in the document. */
  readonly font: string;
  readonly isMonospaced: boolean;
  readonly isRightToLeft: boolean;
  /** Whether the run is a line of its own, whatever is beside it. */
  readonly isOwnLine?: boolean;
  /** Direction of the text in quarter turns. */
  readonly quarterTurns: number;
}

/** Groups runs by direction. The direction with the most text is first. */
export function byDirection(runs: readonly TextRun[]): TextRun[][] {
  const directions = new Map<number, TextRun[]>();
  for (const run of runs) {
    const group = directions.get(run.quarterTurns);
    if (group === undefined) directions.set(run.quarterTurns, [run]);
    else group.push(run);
  }
  if (directions.size < 2) return [...directions.values()];
  const characters = (group: readonly TextRun[]): number =>
    group.reduce((sum, run) => sum + run.text.length, 0);
  return [...directions.values()].sort((one, other) => characters(other) - characters(one));
}
