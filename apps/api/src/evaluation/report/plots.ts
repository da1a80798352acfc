import type { EvaluationSideResult } from '@citewell/contracts/schemas';
import { type Html, html } from '../../http/html.js';

/** A value with its interval, in a row of {@link intervalPlot}. */
export interface PlottedInterval {
  readonly label: string;
  readonly series: 'configuration' | 'baseline' | 'difference';
  readonly value: number;
  readonly low: number;
  readonly high: number;
}

const WIDTH = 640;
const LABELS = 210;
const ROW = 22;
const MARGIN = 14;
const AXIS = 26;

/** A dot for each value, on the line of its interval. @param range of the axis */
export function intervalPlot(title: string, rows: readonly PlottedInterval[], range: [number, number]): Html {
  const [from, to] = range;
  const x = (value: number): string =>
    (LABELS + ((value - from) / (to - from)) * (WIDTH - LABELS - MARGIN)).toFixed(1);
  const height = rows.length * ROW + AXIS + 6;
  const ticks = [0, 0.25, 0.5, 0.75, 1].map((share) => from + share * (to - from));
  return html`<svg viewBox="0 0 ${WIDTH} ${height}" role="img" aria-label="${title}">
    ${ticks.map(
      (tick) =>
        html`<line class="grid" x1="${x(tick)}" x2="${x(tick)}" y1="0" y2="${height - AXIS}" />
          <text class="axis" x="${x(tick)}" y="${height - 8}" text-anchor="middle"
            >${Number(tick.toFixed(2))}</text
          >`,
    )}
    ${rows.map(({ label, series, value, low, high }, index) => {
      const y = index * ROW + ROW / 2 + 3;
      return html`<text x="0" y="${y + 4}">${label}</text>
        <line class="${series}" x1="${x(low)}" x2="${x(high)}" y1="${y}" y2="${y}" />
        <circle class="${series}" cx="${x(value)}" cy="${y}" r="4" />`;
    })}
  </svg>`;
}

const SIZE = 300;
const PAD = 44;

/** The shares of refused questions over the minimum score, with the one that was used and the one that is proposed. */
export function minimumScorePlot({ curve, minScore, proposedMinScore }: EvaluationSideResult): Html {
  const x = (value: number): number => PAD + value * (WIDTH - PAD - MARGIN);
  const y = (share: number): number => MARGIN + (1 - share) * (SIZE - MARGIN - PAD);
  const points = (share: 'refused' | 'recognised'): string =>
    curve.map((point) => `${x(point.minScore).toFixed(1)},${y(point[share]).toFixed(1)}`).join(' ');
  const mark = (value: number, name: string, row: number): Html =>
    html`<line class="mark" x1="${x(value)}" x2="${x(value)}" y1="${y(1)}" y2="${y(0)}" />
      <text
        x="${x(value) + (value > 0.7 ? -6 : 6)}"
        y="${y(1) + 14 + row * 18}"
        text-anchor="${value > 0.7 ? 'end' : 'start'}"
      >
        ${name} ${value}
      </text>`;
  const ticks = [0, 0.25, 0.5, 0.75, 1];
  return html`<svg viewBox="0 0 ${WIDTH} ${SIZE}" role="img" aria-label="Shares over the minimum score">
    ${ticks.map(
      (tick) =>
        html`<line class="grid" x1="${x(0)}" x2="${x(1)}" y1="${y(tick)}" y2="${y(tick)}" />
          <text class="axis" x="${PAD - 6}" y="${y(tick) + 4}" text-anchor="end">${tick}</text>
          <text class="axis" x="${x(tick)}" y="${SIZE - 24}" text-anchor="middle">${tick}</text>`,
    )}
    <text class="axis" x="${x(0.5)}" y="${SIZE - 6}" text-anchor="middle">minimum score</text>
    <polyline class="refused" points="${points('refused')}" />
    <polyline class="recognised" points="${points('recognised')}" />
    ${mark(minScore, 'used:', 0)} ${proposedMinScore ? mark(proposedMinScore.minScore, 'proposed:', 1) : ''}
  </svg>`;
}
