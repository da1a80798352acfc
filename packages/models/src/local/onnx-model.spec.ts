import { expect, it } from '@jest/globals';
import { threadsOf } from './onnx-model.js';

it.each([
  [2, 2, {}],
  [2, 64, { intraOpNumThreads: 2 }],
  [1, 8, { intraOpNumThreads: 1 }],
])('%i of %i cores', (allowed, cores, options) => expect(threadsOf(allowed, cores)).toEqual(options));
