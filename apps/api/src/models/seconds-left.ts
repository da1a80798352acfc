import type { SpaceProgress } from '@citewell/database';

/** How much was embedded at a moment. */
export interface SpeedSample {
  readonly space: string;
  /** In ms. */
  readonly at: number;
  readonly charactersDone: number;
}

/** A shorter time says little about the speed. */
const SAMPLE_MS = 5_000;

/**
 * How long the rest takes: at the speed since the sample or, before anything was embedded, at the estimated one.
 *
 * @param charactersPerSecond estimated. Null if unknown
 * @returns null if nothing is known
 */
export function secondsLeft(
  { characters, charactersDone }: Pick<SpaceProgress, 'characters' | 'charactersDone'>,
  since: SpeedSample,
  now: number,
  charactersPerSecond: number | null,
): number | null {
  const embedded = charactersDone - since.charactersDone;
  const isMeasured = embedded > 0 && now - since.at >= SAMPLE_MS;
  const speed = isMeasured ? embedded / ((now - since.at) / 1_000) : charactersPerSecond;
  return speed === null ? null : Math.ceil((characters - charactersDone) / speed);
}
