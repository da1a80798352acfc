import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { promisify } from 'node:util';
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
  it('has all samples', () => assert.equal(samples.length, 12));

  for (const { name, csv, json } of samples) {
    it(`reads ${name}`, async () => {
      const records: readonly Readonly<Record<string, string>>[] =
        name === 'location_coordinates' ? COORDINATES : JSON.parse(json.toString());
      const document = await parse(csv, 'text/csv');
      const rows = [Object.keys(records[0] ?? {}), ...records.map((record) => Object.values(record))];
      assert.equal(document.text, rows.map(lineOf).join('\n'));
      assert.equal(document.blocks[0]?.headerEnd, lineOf(rows[0] ?? []).length);
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
