import { parseDocument } from '@citewell/documents';
import { describe, expect, it } from '@jest/globals';
import { htmlPage } from '../html-page.js';
import type { NotionBlock } from './notion-answers.js';
import { htmlOfBlocks } from './notion-blocks.js';
import { propertiesHtml } from './notion-text.js';

const rich = (text: string, fields: object = {}): object[] => [{ type: 'text', plain_text: text, ...fields }];
let lastId = 0;
const children = new Map<string, readonly NotionBlock[]>();
function block(type: string, content: object = {}, below: readonly NotionBlock[] = []): NotionBlock {
  lastId += 1;
  const id = `00000000-0000-4000-8000-${lastId}`;
  if (below.length > 0) children.set(id, below);
  return { id, type, has_children: below.length > 0, [type]: content };
}
const text = (
  type: string,
  words: string,
  below: readonly NotionBlock[] = [],
  fields: object = {},
): NotionBlock => block(type, { rich_text: rich(words), ...fields }, below);

/** The text that the parser of HTML reads of blocks. */
async function textOf(blocks: readonly NotionBlock[]): Promise<string> {
  const html = await htmlOfBlocks(blocks, async (id) => children.get(id) ?? null);
  const page = htmlPage({ title: 'Page', base: 'https://x.example/', date: null, html });
  return (await parseDocument(new TextEncoder().encode(page), { fileType: 'text/html' })).text.replace(
    /^Page\s*/,
    '',
  );
}

describe('blocks of Notion', () => {
  it.each<[string, NotionBlock[], RegExp]>([
    [
      'headings with what is below them',
      [text('heading_1', 'One', [text('paragraph', 'Below')]), text('heading_4', 'Four')],
      /One\s+Below\s+Four/,
    ],
    [
      'lists in lists',
      [
        text('numbered_list_item', 'First', [text('bulleted_list_item', 'Inner')]),
        text('numbered_list_item', 'Second'),
        text('bulleted_list_item', 'Other'),
      ],
      /1\. First\s+[^]*Inner\s+2\. Second\s+[^]*Other/,
    ],
    ['tasks', [text('to_do', 'Paint', [], { checked: true }), text('to_do', 'Rope')], /☑ Paint\s+[^]*☐ Rope/],
    [
      'toggles, callouts and quotes',
      [
        text('toggle', 'More', [text('paragraph', 'Hidden')]),
        text('callout', 'Mind', [text('paragraph', 'the gap')]),
        text('quote', 'Said'),
      ],
      /More\s+Hidden\s+[^]*Mind\s+[^]*the gap\s+[^]*Said/,
    ],
    [
      'code as it is',
      [text('code', 'if (a < b) {\n  c();\n}', [], { language: 'java', caption: rich('Listing 1') })],
      /if \(a < b\) \{\n {2}c\(\);\n\}\s+[^]*Listing 1/,
    ],
    [
      'formulas',
      [
        block('equation', { expression: 'E = mc^2' }),
        block('paragraph', { rich_text: [...rich('so '), { type: 'equation', plain_text: 'a<b' }] }),
      ],
      /E = mc\^2\s+[^]*so .*a<b/,
    ],
    [
      'tables',
      [
        block('table', { has_column_header: true }, [
          block('table_row', { cells: [rich('Ship'), rich('Crew')] }),
          block('table_row', { cells: [rich('Aurora'), rich('7')] }),
        ]),
      ],
      /Ship[^]*Crew[^]*Aurora[^]*7/,
    ],
    [
      'columns and synced blocks',
      [
        block('column_list', {}, [
          block('column', {}, [text('paragraph', 'Left')]),
          block('column', {}, [block('synced_block', {}, [text('paragraph', 'Right')])]),
        ]),
      ],
      /Left\s+Right/,
    ],
    [
      'the titles of pages and databases in it',
      [
        block('child_page', { title: 'Child' }, [text('paragraph', 'not read')]),
        block('child_database', { title: 'Ships' }),
      ],
      /^Child\s+Ships$/,
    ],
    [
      'names and captions of files',
      [
        block('pdf', {
          type: 'file',
          file: { url: 'https://signed.example/secret' },
          name: 'plan.pdf',
          caption: rich('The plan'),
        }),
        block('bookmark', { url: 'https://a.example/' }),
      ],
      /\[pdf: plan\.pdf\]\s+[^]*The plan\s+[^]*https:\/\/a\.example\//,
    ],
    [
      'the texts of a type that is not known',
      [text('future_block', 'Words', [text('paragraph', 'below')])],
      /Words\s+below/,
    ],
    [
      'the name of a type without a text',
      [block('ai_block', { model: 'x' })],
      /\[Notion does not give a block of the type ai_block\.\]/,
    ],
    ['lines of a text', [text('paragraph', 'one\ntwo')], /one\s*\n\s*two/],
    [
      'nothing of dividers and of what is in the trash',
      [block('divider'), { ...text('paragraph', 'Old'), in_trash: true }, text('paragraph', 'New')],
      /^New$/,
    ],
  ])('have %s', async (_, blocks, expected) => {
    expect((await textOf(blocks)).trim()).toMatch(expected);
  });

  it('keep links, and no address of a stored file', async () => {
    const link = block('paragraph', { rich_text: rich('here', { href: 'https://a.example/?a=1&b=2' }) });
    const file = block('file', {
      type: 'file',
      file: { url: 'https://signed.example/secret' },
      name: 'a.zip',
    });
    const html = await htmlOfBlocks([link, file], async () => null);
    expect(html).toContain('<a href="https://a.example/?a=1&amp;b=2">here</a>');
    expect(html).not.toContain('secret');
  });

  it('have the properties of a row in front of them', () => {
    const value = (type: string, content: unknown): { type: string } => ({ type, [type]: content });
    const properties = {
      Name: value('title', rich('Aurora')),
      Text: value('rich_text', [...rich('a '), ...rich('b')]),
      Number: value('number', 0),
      Choice: value('select', { name: 'Red' }),
      Choices: value('multi_select', [{ name: 'A' }, { name: 'B' }]),
      Status: value('status', { name: 'Done' }),
      Day: value('date', { start: '2026-01-01', end: null }),
      Days: value('date', { start: '2026-01-01', end: '2026-01-03' }),
      People: value('people', [{ object: 'user', name: 'Ada' }, { object: 'user' }]),
      Files: value('files', [{ name: 'a.pdf', file: { url: 'https://signed.example/secret' } }]),
      Yes: value('checkbox', true),
      No: value('checkbox', false),
      Site: value('url', 'https://a.example'),
      Formula: value('formula', { type: 'string', string: 'made' }),
      Rollup: value('rollup', { type: 'array', array: [value('number', 1), value('title', rich('x'))] }),
      Sum: value('rollup', { type: 'number', number: 12 }),
      Id: value('unique_id', { prefix: 'HAR', number: 7 }),
      Author: value('created_by', { object: 'user', name: 'Bob' }),
      Relation: value('relation', [{ id: 'x' }]),
      Empty: value('select', null),
      Later: value('a_type_of_the_future', { x: 1 }),
    };
    const rows = propertiesHtml({ properties }).matchAll(/<th>(.*?)<\/th><td>(.*?)<\/td>/g);
    expect(Object.fromEntries([...rows].map(([, name = '', shown]) => [name, shown]))).toEqual({
      Text: 'a b',
      Number: '0',
      Choice: 'Red',
      Choices: 'A, B',
      Status: 'Done',
      Day: '2026-01-01',
      Days: '2026-01-01 – 2026-01-03',
      People: 'Ada',
      Files: 'a.pdf',
      Yes: 'yes',
      No: 'no',
      Site: 'https://a.example',
      Formula: 'made',
      Rollup: '1, x',
      Sum: '12',
      Id: 'HAR-7',
      Author: 'Bob',
    });
  });
});
