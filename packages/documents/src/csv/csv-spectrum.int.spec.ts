import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { promisify } from 'node:util';
import spectrum from 'csv-spectrum';
import { parse } from '../test-files/parse.js';

const samples = await promisify(spectrum)();

/** Its JSON has another number than its CSV; the degree signs of both were lost before they came here. */
const COORDINATES = [
  {
    'Contact Phone Number': '2095257564',
    'Location Coordinates': '37\ufffd36\'37.8"N 121\ufffd2\'17.9"W',
    Cities: 'Modesto',
    Counties: 'Stanislaus',
  },
];

describe('csv-spectrum', () => {
  it('is there', () => assert.equal(samples.length, 12));

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

/** A row as the canonical text has it: line breaks in cells are spaces, and empty cells at the end are not there. */
function lineOf(cells: readonly string[]): string {
  return cells
    .map((cell) => cell.replace(/\s+/g, ' ').trim())
    .join(' | ')
    .replace(/(?: \| )+$/, '');
}
