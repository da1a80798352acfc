import { describe, it } from '@jest/globals';
import { expectNoLeaks } from './leaks/leaks.js';

describe('the service', () => {
  it('keeps no listener and no memory of 100 requests of each kind', () => expectNoLeaks(100, 10));
});
