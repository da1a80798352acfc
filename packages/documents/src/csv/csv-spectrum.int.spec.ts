import { promisify } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import spectrum from 'csv-spectrum';
import { parse } from '../test-files/parse.js';

const samples = await promisify(spectrum)();

/** The sample's JSON has a different number than its CSV, and the degree signs of both are broken. */
const COORDINATES = [
  {
    'Contact Phone Number': '2095257564',
    'Location Coordinates': '37\ufffd36\'37.8"N 121\ufffd2\'17.9"W',
    Cities: 'Modesto',
    Counties: 'Stanislaus',
  },
];

describe('csv-spectrum', () => {
  it('has all samples', () => expect(samples).toHaveLength(12));

  for (const { name, csv, json } of samples) {
    it(`reads ${name}`, async () => {
      const records: readonly Readonly<Record<string, string>>[] =
        name === 'location_coordinates' ? COORDINATES : JSON.parse(json.toString());
      const document = await parse(csv, 'text/csv');
      const rows = [Object.keys(records[0] ?? {}), ...records.map((record) => Object.values(record))];
      expect(document.text).toBe(rows.map(lineOf).join('\n'));
      expect(document.blocks[0]?.headerEnd).toBe(lineOf(rows[0] ?? []).length);
    });
  }
});

/** A row as canonical text: line breaks in cells become spaces, and trailing empty cells are dropped. */
function lineOf(cells: readonly string[]): string {
  return cells
    .map((cell) => cell.replace(/\s+/g, ' ').trim())
    .join(' | ')
    .replace(/(?: \| )+$/, '');
}
