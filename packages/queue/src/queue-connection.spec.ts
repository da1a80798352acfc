import { expect, it } from '@jest/globals';
import { isReadOnly } from './queue-connection.js';

const REFUSED = "READONLY You can't write against a read only replica.";

it.each([
  ['a command', REFUSED, true],
  ['a script of Redis 7', `${REFUSED} script: 1a2b, on @user_script:5.`, true],
  [
    'a script of Redis 6',
    `ERR Error running script (call to f_1a2b): @user_script:5: @user_script: 5: -${REFUSED}`,
    true,
  ],
  ['another error', 'LOADING Redis is loading the dataset in memory', false],
  ['an error that contains a text of a client', "ERR unknown command 'READONLY x'", false],
])('isReadOnly of %s', (_, message, expected) => {
  expect(isReadOnly(new Error(message))).toBe(expected);
});
