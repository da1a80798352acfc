import { describe, expect, it } from '@jest/globals';
import { acceptedForm, handleMessage } from './mcp-server.js';

const LIST = { jsonrpc: '2.0', id: 1, method: 'tools/list' };

describe('the form of a response', () => {
  it.each([
    [undefined, 'json'],
    ['', 'json'],
    ['*/*', 'json'],
    ['application/json', 'json'],
    ['Application/JSON; charset=utf-8', 'json'],
    ['application/*', 'json'],
    ['application/json, text/event-stream', 'json'],
    ['text/event-stream, application/json;q=0.5', 'json'],
    ['text/event-stream', 'events'],
    ['text/*', 'events'],
    ['text/event-stream, application/json;q=0', 'events'],
    ['text/html', 'neither'],
  ])('for Accept: %s is %s', async (accept, form) => {
    expect(acceptedForm(accept)).toBe(form);
    const headers = { 'content-type': 'application/json', ...(accept === undefined ? {} : { accept }) };
    const response = await handleMessage(headers, LIST, async () => null);
    const text = await response.text();
    if (form === 'neither') return expect(response.status).toBe(406);
    const [, json = ''] =
      form === 'events' ? (/^event: message\ndata: (.*)\n\n$/.exec(text) ?? []) : ['', text];
    expect([response.status, response.headers.get('content-type')]).toEqual([
      200,
      form === 'events' ? 'text/event-stream' : 'application/json',
    ]);
    expect(JSON.parse(json)).toMatchObject({ id: 1, result: { tools: expect.any(Array) } });
  });

  it('of a notification has no body', async () => {
    for (const accept of ['text/event-stream', 'application/json']) {
      const message = { jsonrpc: '2.0', method: 'notifications/initialized' };
      const headers = { accept, 'content-type': 'application/json' };
      const response = await handleMessage(headers, message, async () => null);
      expect([response.status, await response.text()]).toEqual([202, '']);
    }
  });
});
