import { describeNaughtyStrings } from './documents/naughty-strings.js';

// The tests of `packages/documents` parse each string alone, and the soak test ingests each one alone.
describeNaughtyStrings(40);
