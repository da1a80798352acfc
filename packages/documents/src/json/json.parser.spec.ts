import { describe, expect, it } from '@jest/globals';
import iconv from 'iconv-lite';
import { parseDocument } from '../parse-document.js';
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

  it.each([
    ['a word', '{"q":1}\n\n{"q":2}\n{broken\n{"q":3}', [4], 3],
    ['NaN', '{"a":1}\n{"a":NaN}\n{"a":2}', [2], 2],
    ['a truncated last line', '{"a":"x"}\n{"a":"y"}\n{"a":"z', [3], 2],
    ['a trailing comma', '[1,2]\n[3,4,]\n[5]', [2], 2],
    ['most lines, if the name says that it has lines', '{"a":1}\nx\ny\nz', [2, 3, 4], 1],
    ['300 lines', '{"a":1}\n{"a":2}\n{"x\n'.repeat(300), [3, 6, 9], 600],
  ])('skips a line of JSON lines with %s, with a warning', async (_what, text, skipped, records) => {
    const { blocks, warnings } = await parseDocument(Buffer.from(text), {
      fileType: 'application/json',
      fileName: 'faq.jsonl',
    });
    expect(blocks).toHaveLength(records);
    expect(warnings.map(({ code }) => code)).toEqual(['LINES_SKIPPED']);
    expect(warnings[0]?.message).toContain(skipped.join(', '));
  });

  it.each([
    ['NaN', '{\n  "a": 1,\n  "b": NaN\n}', "'N'", 'line 3 column 8'],
    ['NaN in a short text', '{"a": NaN}', "'N'", 'line 1 column 7'],
    ['NaN after the same text in a string', '["\\"a\\": NaN,",\n{"a": NaN}]', "'N'", 'line 2 column 7'],
    ['a secret', '{"password": hunter2secret}', "'h'", 'line 1 column 14'],
    ['Infinity', '[1, -Infinity]', 'minus sign', 'line 1 column 6'],
    ['a trailing comma', '{"b": 1,\n"a": [1, 2,],\n"b": 1}', "']'", 'line 2 column 12'],
    ['a trailing comma in lines', '{\n"a": [1, 2,\n3,\n]\n}', "']'", 'line 4 column 1'],
    ['a comma at the end', '{"a": 1,\n}', 'property name', 'line 2 column 1'],
    ['a comment', '{\n// note\n"a": 1}', 'property name', 'line 2 column 1'],
    ['a comment at the start', '// note\n{"a": 1}', "'/'", 'line 1 column 1'],
    ['half a word at the end of a line', '{\n "a": 1,\n "b": tru\n}', "' '", 'line 3 column 10'],
    ['half a word', 'nul', "' '", 'line 1 column 4'],
    ['text', 'undefined', "'u'", 'line 1 column 1'],
    ['single quotes', "{'a': 1}", 'property name', 'line 1 column 2'],
    ['a missing comma', '{"a": 1\n "b": 2}', "','", 'line 2 column 2'],
    ['a missing end', '{"a": {"b": 1}', "'}'", 'line 1 column 15'],
    ['a line break in a string', '{"a": "x\ny"}', 'control character', 'line 1 column 9'],
    ['leading zeros', '[1, 007]', 'number', 'line 1 column 6'],
  ])('names %s and its place', async (_what, text, found, place) => {
    const error = parse(text, 'application/json');
    await expect(error).rejects.toMatchObject({
      code: 'CORRUPT_FILE',
      // Nothing else of the text, which may be secret.
      userMessage: expect.stringMatching(`has a mistake: [^"]*${found}[^"]*\\(${place}\\)\\. Correct`),
      message: expect.not.stringMatching('hunter|"'),
    });
  });

  it('rejects invalid and deeply nested JSON', async () => {
    await expect(parse('{"a": ', 'application/json')).rejects.toMatchObject({ code: 'CORRUPT_FILE' });
    await expect(parse('['.repeat(1_000_000), 'application/json')).rejects.toMatchObject({
      code: 'TOO_COMPLEX',
    });
    await expect(parse('[]', 'application/json')).rejects.toMatchObject({ code: 'EMPTY_DOCUMENT' });
  });

  it('reads notebooks as Jupyter shows them', async () => {
    const picture = 'iVBORw0KGgo=\n';
    const cells = [
      { cell_type: 'markdown', source: ['# Pumps\n', '\n', 'The *limit*.'], attachments: { a: picture } },
      {
        cell_type: 'code',
        source: 'if x:\n\n    y()',
        outputs: [
          { text: ['\u001b[31mslow\u001b[0m\n', 'done'] },
          { data: { 'text/plain': '<Figure>', 'image/png': picture } },
          { data: { 'text/html': '<table><tr><th>a<th>b<tr><td>1<td>2</table>', 'text/plain': ['a b'] } },
          { data: { 'text/plain': ['4'] } },
          { traceback: ['ValueError', 'line 2'] },
        ],
      },
    ];
    expect(outline(await parse(JSON.stringify({ cells, nbformat: 4 }), 'application/json'))).toEqual([
      ['heading1', 'Pumps'],
      ['paragraph', 'The limit.'],
      ['code', 'if x:\n\n    y()'],
      ['code', 'slow\ndone'],
      ['caption', '[image/png]'],
      ['table', 'a | b\n1 | 2'],
      ['code', '4'],
      ['code', 'ValueError\nline 2'],
    ]);
    const old = [
      {
        cells: [
          { cell_type: 'heading', level: 2, source: 'Old' },
          { cell_type: 'code', input: ['x'] },
        ],
      },
    ];
    expect(
      outline(await parse(JSON.stringify({ worksheets: old, nbformat: 3 }), 'application/json')),
    ).toEqual([
      ['heading2', 'Old'],
      ['code', 'x'],
    ]);
  });

  it.each(['utf-8', 'utf-16le', 'windows-1251'])('reads notebooks in %s', async (encoding) => {
    const cells = [
      { cell_type: 'markdown', source: 'Насос № 5' },
      { cell_type: 'code', source: '# давление' },
    ];
    const bytes = Uint8Array.from(iconv.encode(JSON.stringify({ cells, nbformat: 4 }), encoding));
    const { text } = await parseDocument(bytes, { fileType: 'application/json', encoding });
    expect(text).toBe('Насос № 5\n\n# давление');
  });

  it('names files in the attributes of HTML in values', async () => {
    const html = '<img src="data:image/png;base64,iVBORw0KGgo="> 5 "bar"';
    const json = JSON.stringify({ html, next: 'x' }).replaceAll('/', String.raw`\/`);
    expect((await parse(json, 'application/json')).text).toBe(
      'html: <img src="[image/png]"> 5 "bar"\nnext: x',
    );
  });

  it('names files in base64', async () => {
    const data = 'iVBORw0KGgo1'.repeat(100);
    const { text } = await parse(
      JSON.stringify({ a: `x data:image/png;base64,${data} y`, b: data, c: 'x'.repeat(2000) }),
      'application/json',
    );
    expect(text).toBe(`a: x [image/png] y\nb: [base64]\nc: ${'x'.repeat(2000)}`);
  });
});
