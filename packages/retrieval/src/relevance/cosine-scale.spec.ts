import { describe, expect, it } from '@jest/globals';
import { CosineScale } from './cosine-scale.js';

describe('CosineScale', () => {
  it('maps the mean cosine of unrelated texts to 0, and 1 to 1', () => {
    // Cosines 0.6, 0.6 and 0.36.
    const scale = CosineScale.of([
      Float32Array.of(5, 0, 0),
      Float32Array.of(3, 4, 0),
      Float32Array.of(3, 0, 4),
    ]);
    expect(scale.similarity((0.6 + 0.6 + 0.36) / 3)).toBeCloseTo(0);
    expect(scale.similarity(1)).toBeCloseTo(1);
    expect(scale.similarity(0)).toBeLessThan(0);
  });

  it('keeps cosines if no unrelated texts have vectors', () =>
    expect(CosineScale.of([new Float32Array(3), new Float32Array(3)]).similarity(0.4)).toBeCloseTo(0.4));
});
