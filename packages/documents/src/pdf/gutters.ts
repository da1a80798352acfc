import type { Line } from './pdf-lines.js';

interface Gap {
  readonly left: number;
  readonly right: number;
}

/** Space that consecutive lines leave free, and how many of them have text on both sides. */
interface Gutter extends Gap {
  readonly lines: number;
}

/** Places that are tried as the gutter between two columns. */
const MAX_GUTTERS = 6;
const MIN_LINES = 3;
/** Limit of the work for pages with many cells. */
const MAX_OPEN = 32;
/** Lines at a smaller distance, as a factor of the font size, may be side by side. */
const BESIDE = 1.2;

/** The x coordinates that most consecutive lines leave free, best first. */
export function guttersOf(lines: readonly Line[]): number[] {
  const ended: Gutter[] = [];
  let open: readonly Gutter[] = [];
  for (const [index, line] of lines.entries()) {
    const gaps = gapsAt(lines, index);
    const free = [...innerGaps(line), ...outsideOf(line)];
    const next = new Map<string, Gutter>();
    for (const gutter of [...open, ...gaps.map((gap) => ({ ...gap, lines: 0 }))]) {
      const parts = free.flatMap((gap) => intersection(gutter, gap) ?? []);
      if (parts.length === 0) ended.push(gutter);
      for (const part of parts) {
        const isInside = gaps.some((gap) => intersection(gap, part) !== null);
        const narrowed = { ...part, lines: gutter.lines + (isInside ? 1 : 0) };
        const key = `${part.left} ${part.right}`;
        if (narrowed.lines >= (next.get(key)?.lines ?? 0)) next.set(key, narrowed);
      }
    }
    open = byLines([...next.values()]).slice(0, MAX_OPEN);
  }
  const gutters = byLines([...ended, ...open].filter((gutter) => gutter.lines >= MIN_LINES));
  return [...new Set(gutters.map(({ left, right }) => (left + right) / 2))].slice(0, MAX_GUTTERS);
}

/** The gaps between the cells of a line, and between it and the line below if that is beside it. */
function gapsAt(lines: readonly Line[], index: number): Gap[] {
  const [line, below] = [lines[index], lines[index + 1]];
  if (line === undefined) return [];
  const gaps = innerGaps(line);
  if (below === undefined || line.y - below.y > Math.max(line.fontSize, below.fontSize) * BESIDE) return gaps;
  if (line.right < below.left) gaps.push({ left: line.right, right: below.left });
  else if (below.right < line.left) gaps.push({ left: below.right, right: line.left });
  return gaps;
}

function innerGaps({ cells }: Line): Gap[] {
  const fromLeft = cells.toSorted((one, other) => one.left - other.left);
  return fromLeft.flatMap(({ left }, index) => {
    const before = fromLeft[index - 1];
    return before === undefined ? [] : [{ left: before.right, right: left }];
  });
}

function outsideOf({ left, right }: Line): Gap[] {
  return [
    { left: -Infinity, right: left },
    { left: right, right: Infinity },
  ];
}

function intersection(one: Gap, other: Gap): Gap | null {
  const left = Math.max(one.left, other.left);
  const right = Math.min(one.right, other.right);
  return left < right ? { left, right } : null;
}

function byLines(gutters: readonly Gutter[]): Gutter[] {
  return gutters.toSorted((one, other) => other.lines - one.lines);
}
