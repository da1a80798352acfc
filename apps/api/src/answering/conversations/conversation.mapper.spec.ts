import { expect, it } from '@jest/globals';
import { titleOf } from './conversation.mapper.js';

it.each([
  ['How long is the warranty?', 'How long is the warranty?'],
  [' Two\n\tlines ', 'Two lines'],
  ['🦊'.repeat(120), '🦊'.repeat(120)],
  ['🦊'.repeat(121), `${'🦊'.repeat(119)}…`],
  ['', ''],
])('the title of %j', (question, title) => {
  expect(titleOf(question)).toBe(title);
});
