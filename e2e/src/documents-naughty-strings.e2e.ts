import { describeNaughtyStrings } from './documents/naughty-strings.js';

// Each string goes one of the two ways; all of them go both in `npm run soak`.
describeNaughtyStrings((index, way) => index % 2 === way);
