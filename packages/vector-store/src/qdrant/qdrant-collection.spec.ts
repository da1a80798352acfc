import { expect, it } from '@jest/globals';
import { type QdrantStorageOptions, toCollection, toStorageChange } from './qdrant-collection.js';

const dense = { name: 'a', dense: { dimensions: 8 } };
const lexical = { name: 'b', dense: null };

it.each<[QdrantStorageOptions, unknown, unknown]>([
  [{}, { vectors: { dense: { on_disk: false } } }, 'Disabled'],
  [{ onDiskVectors: true }, { vectors: { dense: { on_disk: true } } }, 'Disabled'],
  [{ quantization: 'scalar' }, {}, { scalar: { type: 'int8', quantile: 0.99, always_ram: true } }],
  [{ quantization: 'binary' }, {}, { binary: { always_ram: true } }],
  [
    { replicas: 3, writeConsistency: 2 },
    { params: { replication_factor: 3, write_consistency_factor: 2 } },
    'Disabled',
  ],
])('an existing collection gets the settings of a new one: %j', (options, change, quantization) => {
  expect(toStorageChange(dense, options)).toMatchObject({
    ...(change as object),
    quantization_config: quantization,
  });
  const created = toCollection(dense, options);
  expect(created.quantization_config ?? 'Disabled').toEqual(quantization);
});

it('changes no dense vectors of a space without them', () => {
  expect(toStorageChange(lexical, { onDiskVectors: true })).not.toHaveProperty('vectors');
});
