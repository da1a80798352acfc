import { describeNaughtyStrings } from './documents/naughty-strings.js';

describeNaughtyStrings(1);
