import { expect, it } from '@jest/globals';
import { inNormalForms, withNormalForms } from './normal-forms.js';

it.each<[written: string, normal: string]>([
  ['$1.8 million', 'dollar 1800000'],
  ['1,8 Mio. €', '1800000 euro'],
  ['€2.5m', 'euro 2500000'],
  ['24k euros', '24000 euros'],
  ['24 000 euros', '24000 euros'],
  ['1’800’000', '1800000'],
  ['180万元', '1800000 元'],
  ['4 July 2024', '2024 July 20240704'],
  ['July 4th, 2024', '2024 July 20240704'],
  ['4. Juli 2024', '2024 July 20240704'],
  ['4 de julio de 2024', '2024 July 20240704'],
  ['1er août 2024', '2024 August 20240801'],
  ['4 июля 2024', '2024 July 20240704'],
  ['2024年7月4日', '2024 July 20240704'],
  ['2024-07-04', '2024 July 20240704'],
  ['4.7.2024', '2024 July 20240704'],
  ['15/08/2024', '2024 August 20240815'],
  // Either order is possible.
  ['07/04/2024', '2024 20240407 20240704'],
  ['120 square metres', '120 m2'],
  ['120 Quadratmeter', '120 m2'],
  ['5 %', '5 percent'],
  // None of these is a date or an amount.
  ['32/13/2024', '32/13/2024'],
  ['version 1.8.2', 'version 1.8.2'],
  ['phone 555 1234', 'phone 555 1234'],
  ['may 2024', 'may 2024'],
])('reads %j as %j', (written, normal) => {
  expect(inNormalForms(written).replace(/\s+/g, ' ').trim()).toBe(normal);
});

it('keeps what a document has', () => {
  expect(withNormalForms('Paid on 4 July 2024').replace(/\s+/g, ' ').trim()).toBe(
    'Paid on 4 July 2024 2024 July 20240704',
  );
});
