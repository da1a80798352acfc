import { describe, it } from '@jest/globals';
import { expectNoLeaks } from './leaks/leaks.js';

describe('the service', () => {
  it('keeps no listener and no memory of 1,000 requests of each kind', () => expectNoLeaks(1_000));
});
