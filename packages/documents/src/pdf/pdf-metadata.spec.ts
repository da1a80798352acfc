import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { labelRanges, pageRanges } from './pdf-metadata.js';

describe('labelRanges', () => {
  it('returns the labels at which counting restarts', () => {
    assert.equal(labelRanges(['Cover', 'i', 'ii', 'iii', '1', '2', 'A-1', 'A-2']), '1=Cover 2=i 5=1 7=A-1');
  });

  it('returns null for labels that equal the page numbers', () => {
    assert.equal(labelRanges(['1', '2', '3']), null);
    assert.equal(labelRanges([]), null);
  });
});

describe('pageRanges', () => {
  it('joins consecutive pages', () => assert.equal(pageRanges([1, 2, 3, 7, 9, 10]), '1-3, 7, 9-10'));
});
