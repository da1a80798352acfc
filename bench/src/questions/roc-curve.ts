import { MAX_REFUSED } from '@citewell/retrieval';

export { rocOf } from '@citewell/retrieval';

/** Scores of the best hit of questions with an answer in the documents, and of questions without one. */
export interface Curve {
  readonly name: string;
  readonly answerable: readonly number[];
  readonly unanswerable: readonly number[];
}

const SIZE = 360;
const MARGIN = 40;
/** Thresholds of a curve, at equal distances. */
const STEPS = 200;
const COLOURS = ['#1c7ed6', '#e8590c', '#2f9e44', '#9c36b5', '#c92a2a'];

/** Plots the share of unanswerable questions that are recognised over that of answerable ones that are refused. */
export function curveSvg(curves: readonly Curve[]): string {
  const x = (share: number): string => (MARGIN + share * SIZE).toFixed(1);
  const y = (share: number): string => (MARGIN + (1 - share) * SIZE).toFixed(1);
  const below = (scores: readonly number[], threshold: number): number =>
    scores.filter((score) => score < threshold).length / scores.length;
  const lines = curves.flatMap(({ name, answerable, unanswerable }, n) => {
    const thresholds = Array.from({ length: STEPS + 2 }, (_, step) => step / STEPS);
    const points = thresholds.map((t) => `${x(below(answerable, t))},${y(below(unanswerable, t))}`);
    const colour = COLOURS[n % COLOURS.length] ?? 'black';
    return [
      `<polyline fill="none" stroke="${colour}" stroke-width="2" points="${points.join(' ')}"/>`,
      `<text x="${MARGIN + SIZE - 90}" y="${MARGIN + SIZE - 14 - 18 * n}" fill="${colour}">${name}</text>`,
    ];
  });
  const full = SIZE + 2 * MARGIN;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${full}" height="${full}" font-family="sans-serif" font-size="13">`,
    `<rect width="${full}" height="${full}" fill="white"/>`,
    `<rect x="${MARGIN}" y="${MARGIN}" width="${SIZE}" height="${SIZE}" fill="none" stroke="#868e96"/>`,
    `<line x1="${x(MAX_REFUSED)}" y1="${y(0)}" x2="${x(MAX_REFUSED)}" y2="${y(1)}" stroke="#868e96" stroke-dasharray="4"/>`,
    ...lines,
    `<text x="${MARGIN}" y="${full - 12}">answerable questions refused, 0 to 1 (dashed: ${MAX_REFUSED})</text>`,
    `<text x="14" y="${full - MARGIN}" transform="rotate(-90 14 ${full - MARGIN})">unanswerable questions recognised</text>`,
    '</svg>\n',
  ].join('\n');
}
