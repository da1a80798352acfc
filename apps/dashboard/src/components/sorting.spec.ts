import { expect, it } from '@jest/globals';
import { nextSorting, sortRows, type Sorting } from './sorting.js';

const ROWS = [
  { name: 'page 10', size: 3 },
  { name: 'Zebra', size: 20 },
  { name: 'page 9', size: 3 },
  { name: 'Äpfel', size: 0 },
];
const VALUES = {
  name: ({ name }: { name: string }) => name,
  size: ({ size }: { size: number }) => size,
};

it.each<[Sorting<'name' | 'size'> | null, string[]]>([
  [null, ['page 10', 'Zebra', 'page 9', 'Äpfel']],
  [{ column: 'name', isDescending: false }, ['Äpfel', 'page 9', 'page 10', 'Zebra']],
  [{ column: 'name', isDescending: true }, ['Zebra', 'page 10', 'page 9', 'Äpfel']],
  [{ column: 'size', isDescending: false }, ['Äpfel', 'page 10', 'page 9', 'Zebra']],
  [{ column: 'size', isDescending: true }, ['Zebra', 'page 10', 'page 9', 'Äpfel']],
])('sorts rows by %j', (sorting, names) => {
  expect(sortRows(ROWS, sorting, VALUES, 'de').map(({ name }) => name)).toEqual(names);
});

it('changes the order with each click', () => {
  const first = nextSorting<'name' | 'size'>(null, 'name');
  const second = nextSorting(first, 'name');
  expect([first, second, nextSorting(second, 'name'), nextSorting(second, 'size')]).toEqual([
    { column: 'name', isDescending: false },
    { column: 'name', isDescending: true },
    null,
    { column: 'size', isDescending: false },
  ]);
});
