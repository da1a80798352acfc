import { expect, it } from '@jest/globals';
import { isBlank } from './page-picture.js';

const [WIDTH, HEIGHT] = [800, 600];

/** Paper with grain, whose light falls off to one side. */
function paper(grain: number, ink: (x: number, y: number) => number = () => 0) {
  let state = 1;
  const grey = Uint8Array.from({ length: WIDTH * HEIGHT }, (_, at) => {
    state = (state * 48_271) % 2_147_483_647;
    const [x, y] = [at % WIDTH, Math.trunc(at / WIDTH)];
    return 220 - x / 20 + (state / 2_147_483_647 - 0.5) * grain - ink(x, y);
  });
  return { width: WIDTH, height: HEIGHT, grey };
}

/** A short word: strokes of 4 pixels. */
const word = (contrast: number) => (x: number, y: number) =>
  x > 300 && x < 380 && y > 300 && y < 335 && x % 12 < 4 ? contrast : 0;

it.each([
  ['white paper', paper(0), true],
  ['paper with much grain', paper(60), true],
  ['a word', paper(40, word(180)), false],
  ['a word in light grey', paper(20, word(60)), false],
])('%s', (_, picture, expected) => expect(isBlank(picture)).toBe(expected));
