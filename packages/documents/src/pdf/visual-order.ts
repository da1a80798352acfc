/** Letters of scripts that are written from right to left, and their marks. */
const RIGHT_TO_LEFT = /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;
const DIGIT = /^\p{Nd}/u;
const LETTER = /\p{L}/u;
/** Between digits, these are part of a number: `1,250.50`, `12:30`, `3/4`. */
const IN_NUMBER = /^[.,:/٫٬-]$/;
/** Beside digits, these are part of the number. */
const BESIDE_NUMBER = /^[%$€£¥#+٪-]$/;

type Direction = 'left' | 'right' | 'number' | 'neutral';

/** Whether a text has letters that are written from right to left. */
export function hasRightToLeft(text: string): boolean {
  return RIGHT_TO_LEFT.test(text);
}

/** Whether most letters of a text are written from right to left. */
export function isMostlyRightToLeft(text: string): boolean {
  if (!RIGHT_TO_LEFT.test(text)) return false;
  let balance = 0;
  for (const letter of text) if (LETTER.test(letter)) balance += RIGHT_TO_LEFT.test(letter) ? 1 : -1;
  return balance > 0;
}

/**
 * Sorts items from left to right into the order in which they are read: the inverse of the reordering of the Unicode
 * bidirectional algorithm (UAX 9, rule L2), with one level of embedding. Items stay in one piece, such as the glyph
 * of a ligature.
 */
export function inLogicalOrder<T>(
  items: readonly T[],
  textOf: (item: T) => string,
  isRightToLeft: boolean,
): T[] {
  const levels = levelsOf(items.map(textOf), isRightToLeft);
  const ordered = [...items];
  for (const level of [2, 1]) {
    for (let start = 0; start < ordered.length;) {
      let end = start;
      while (end < levels.length && (levels[end] ?? 0) >= level) end += 1;
      if (end > start) {
        // Reversing a range at a higher level first keeps the levels of the range symmetric for the lower one.
        ordered.splice(start, end - start, ...ordered.slice(start, end).reverse());
        levels.splice(start, end - start, ...levels.slice(start, end).reverse());
      }
      start = end + 1;
    }
  }
  return ordered;
}

const MIRRORED: Readonly<Record<string, string>> = {
  '(': ')',
  ')': '(',
  '[': ']',
  ']': '[',
  '{': '}',
  '}': '{',
  '«': '»',
  '»': '«',
};

/**
 * Brackets of a text from right to left are drawn mirrored (UAX 9, rule L4), and most programs store them as they are
 * drawn. A text whose closing bracket comes first has such brackets.
 */
export function unmirrored(text: string): string {
  const first = /[()[\]{}«»]/.exec(text)?.[0];
  const isMirrored = first !== undefined && /[)\]}»]/.test(first) && text.includes(MIRRORED[first] ?? first);
  return isMirrored ? text.replace(/[()[\]{}«»]/g, (bracket) => MIRRORED[bracket] ?? bracket) : text;
}

/** 0: left to right; 1: right to left; 2: left to right within right to left. */
function levelsOf(texts: readonly string[], isRightToLeft: boolean): number[] {
  const directions = texts.map(directionOf);
  joinNumbers(directions, texts);
  const base = isRightToLeft ? 1 : 0;
  const strong = (from: number, step: 1 | -1): 'left' | 'right' => {
    for (let index = from; index >= 0 && index < directions.length; index += step) {
      const direction = directions[index];
      if (direction === 'left' || direction === 'right') return direction;
      if (direction === 'number' && step === 1) return isRightToLeft ? 'right' : 'left';
    }
    return isRightToLeft ? 'right' : 'left';
  };
  return directions.map((direction, index) => {
    switch (direction) {
      case 'left':
        return isRightToLeft ? 2 : 0;
      case 'right':
        return 1;
      case 'number': {
        if (isRightToLeft) return 2;
        // In a text from left to right, a number beside Arabic words belongs to them only if it stands among them.
        return strong(index, -1) === 'right' && strong(index + 1, 1) === 'right' ? 2 : 0;
      }
      case 'neutral': {
        const [before, after] = [strong(index, -1), strong(index, 1)];
        if (before !== after) return base;
        return before === 'right' ? 1 : isRightToLeft ? 2 : 0;
      }
    }
  });
}

function directionOf(text: string): Direction {
  if (RIGHT_TO_LEFT.test(text) && !DIGIT.test(text)) return 'right';
  if (LETTER.test(text)) return 'left';
  return DIGIT.test(text) ? 'number' : 'neutral';
}

/** Makes the signs within and beside numbers a part of them. */
function joinNumbers(directions: Direction[], texts: readonly string[]): void {
  for (const [index, text] of texts.entries()) {
    if (directions[index] !== 'neutral') continue;
    const [before, after] = [directions[index - 1], directions[index + 1]];
    const isWithin = IN_NUMBER.test(text) && before === 'number' && after === 'number';
    const isBeside = BESIDE_NUMBER.test(text) && (before === 'number' || after === 'number');
    if (isWithin || isBeside) directions[index] = 'number';
  }
}
