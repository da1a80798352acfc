import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { outline, parse } from '../test-files/parse.js';

describe('jsonParser', () => {
  it('makes a record of each element with paths from the root', async () => {
    const users = {
      users: [
        { name: 'Ada', tags: ['a', 'b'] },
        { name: 'Bob', 'e-mail address': 'b@x' },
      ],
    };
    const many = { ...users, note: Array.from({ length: 40 }, (_, index) => index) };
    assert.deepEqual(outline(await parse(JSON.stringify(many), 'application/json')).slice(0, 2), [
      [
        'paragraph',
        'users[0].name: Ada\nusers[0].tags[0]: a\nusers[0].tags[1]: b\nusers[1].name: Bob\nusers[1]["e-mail address"]: b@x',
      ],
      ['paragraph', many.note.map((value, index) => `note[${index}]: ${value}`).join('\n')],
    ]);
    assert.deepEqual(outline(await parse(JSON.stringify(users.users), 'application/json')), [
      ['paragraph', '[0].name: Ada\n[0].tags[0]: a\n[0].tags[1]: b'],
      ['paragraph', '[1].name: Bob\n[1]["e-mail address"]: b@x'],
    ]);
  });

  it('reads concatenated objects of several lines', async () => {
    const objects = '{\n  "name": "a } {",\n  "tags": ["x"]\n}\n{\n  "name": "b\\""\n} [{"name": "c"}]\n';
    assert.deepEqual(outline(await parse(objects, 'application/json')), [
      ['paragraph', '[0].name: a } {\n[0].tags[0]: x'],
      ['paragraph', '[1].name: b"'],
      ['paragraph', '[2][0].name: c'],
    ]);
    for (const broken of ['{"a": 1} {"b": ', '{"a": 1} x', '{"a": 1}}', '{"a": 1},{"b": 2}'])
      await assert.rejects(parse(broken, 'application/json'), { code: 'CORRUPT_FILE' });
  });

  it('reads JSON lines and keeps long numbers', async () => {
    const lines = '{"id": 12345678901234567890}\n{"id": 2.50}\n';
    assert.deepEqual(outline(await parse(lines, 'application/json')), [
      ['paragraph', '[0].id: 12345678901234567890'],
      ['paragraph', '[1].id: 2.5'],
    ]);
  });

  it('rejects invalid and deeply nested JSON', async () => {
    await assert.rejects(parse('{"a": ', 'application/json'), { code: 'CORRUPT_FILE' });
    await assert.rejects(parse('['.repeat(1_000_000), 'application/json'), { code: 'TOO_COMPLEX' });
    await assert.rejects(parse('[]', 'application/json'), { code: 'EMPTY_DOCUMENT' });
  });
});
