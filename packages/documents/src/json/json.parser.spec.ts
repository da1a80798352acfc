import { describe, expect, it } from '@jest/globals';
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
    expect(outline(await parse(JSON.stringify(many), 'application/json')).slice(0, 2)).toEqual([
      [
        'paragraph',
        'users[0].name: Ada\nusers[0].tags[0]: a\nusers[0].tags[1]: b\nusers[1].name: Bob\nusers[1]["e-mail address"]: b@x',
      ],
      ['paragraph', many.note.map((value, index) => `note[${index}]: ${value}`).join('\n')],
    ]);
    expect(outline(await parse(JSON.stringify(users.users), 'application/json'))).toEqual([
      ['paragraph', '[0].name: Ada\n[0].tags[0]: a\n[0].tags[1]: b'],
      ['paragraph', '[1].name: Bob\n[1]["e-mail address"]: b@x'],
    ]);
  });

  it('reads concatenated objects of several lines', async () => {
    const objects = '{\n  "name": "a } {",\n  "tags": ["x"]\n}\n{\n  "name": "b\\""\n} [{"name": "c"}]\n';
    expect(outline(await parse(objects, 'application/json'))).toEqual([
      ['paragraph', '[0].name: a } {\n[0].tags[0]: x'],
      ['paragraph', '[1].name: b"'],
      ['paragraph', '[2][0].name: c'],
    ]);
    for (const broken of ['{"a": 1} {"b": ', '{"a": 1} x', '{"a": 1}}', '{"a": 1},{"b": 2}'])
      await expect(parse(broken, 'application/json')).rejects.toMatchObject({ code: 'CORRUPT_FILE' });
  });

  it('reads JSON lines and keeps long numbers', async () => {
    const lines = '{"id": 12345678901234567890}\n{"id": 2.50}\n';
    expect(outline(await parse(lines, 'application/json'))).toEqual([
      ['paragraph', '[0].id: 12345678901234567890'],
      ['paragraph', '[1].id: 2.5'],
    ]);
  });

  it('rejects invalid and deeply nested JSON', async () => {
    await expect(parse('{"a": ', 'application/json')).rejects.toMatchObject({ code: 'CORRUPT_FILE' });
    await expect(parse('['.repeat(1_000_000), 'application/json')).rejects.toMatchObject({
      code: 'TOO_COMPLEX',
    });
    await expect(parse('[]', 'application/json')).rejects.toMatchObject({ code: 'EMPTY_DOCUMENT' });
  });
});
