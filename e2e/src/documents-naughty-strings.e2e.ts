import { describeNaughtyStrings } from './documents/naughty-strings.js';

// Alone, they are read in the tests of `packages/documents`, and go all the way in `npm run soak`.
describeNaughtyStrings(40);
