import { describe, expect, it } from '@jest/globals';
import { ToolCallReader, withToolInstructions } from './tool-calls.js';

const TOOLS = [{ name: 'query_tables', description: 'Runs SQL.', parameters: {} }];
const CALL = { toolCall: { name: 'query_tables', arguments: { sql: 'SELECT 1' } } };

/** The events for a text that arrives in pieces of a length, with adjacent texts joined. */
function read(text: string, length: number, tools = TOOLS): unknown[] {
  const reader = new ToolCallReader(tools);
  const pieces = text.match(new RegExp(`[^]{1,${length}}`, 'gu')) ?? [];
  const events = [...pieces.flatMap((piece) => reader.push(piece)), ...reader.flush([])];
  const joined: unknown[] = [];
  let words = '';
  for (const event of events)
    if ('text' in event) words += event.text;
    else joined.push(event);
  return words === '' ? joined : [words, ...joined];
}

describe.each([1, 3, 1_000])('a text in pieces of %d characters', (length) => {
  it.each<[string, unknown[]]>([
    ['{"tool": "query_tables", "arguments": {"sql": "SELECT 1"}}', [CALL]],
    ['```json\n{"tool":"query_tables","arguments":{"sql":"SELECT 1"}}\n```', [CALL]],
    ['<tool_call>\n{"name": "query_tables", "arguments": {"sql": "SELECT 1"}}\n</tool_call>', [CALL]],
    ['{"name":"query_tables","parameters":{"sql":"SELECT 1"}}', [CALL]],
    ['{"name":"query_tables","arguments":"{\\"sql\\":\\"SELECT 1\\"}"}', [CALL]],
    [
      'I count.\n{"tool":"query_tables","arguments":{"sql":"SELECT 1"}}\nResult: 5',
      ['I count.\n', { retracted: true }, CALL],
    ],
    [
      '{"tool":"query_tables","arguments":{"sql":"SELECT \'}\' || \\"a\\""}}',
      [{ toolCall: { name: 'query_tables', arguments: { sql: 'SELECT \'}\' || "a"' } } }],
    ],
    ['{"tool":"query_tables","arguments":5}', [{ toolCall: { name: 'query_tables', arguments: {} } }]],
    ['Twelve orders [1].\n\n- one\n- two', ['Twelve orders [1].\n\n- one\n- two']],
    ['{"tool":"delete_all","arguments":{}}', ['{"tool":"delete_all","arguments":{}}']],
    ['An object:\n{"a": 1}\nand more', ['An object:\n{"a": 1}\nand more']],
    ['```sql\nSELECT 1\n```\nDone', ['```sql\nSELECT 1\n```\nDone']],
    ['{"tool":"query_tables","arguments":{"sql":"SEL', ['{"tool":"query_tables","arguments":{"sql":"SEL']],
    ['<b>12</b>', ['<b>12</b>']],
    ['', []],
  ])('%j', (text, events) => expect(read(text, length)).toEqual(events));
});

it('finds no calls where no tools are offered', () => {
  const text = '{"tool": "query_tables", "arguments": {"sql": "SELECT 1"}}';
  expect(read(text, 5, [])).toEqual([text]);
});

it('adds instructions to the first message', () => {
  const user = { role: 'user' as const, content: 'Hi' };
  const [first, second] = withToolInstructions([user], TOOLS);
  expect([first?.role, second]).toEqual(['system', user]);
  const system = withToolInstructions([{ role: 'system', content: 'Be brief.' }, user], TOOLS);
  expect(system).toHaveLength(2);
  expect(system[0]?.content).toMatch(/^Be brief\.\n\nYou can call tools/);
});
