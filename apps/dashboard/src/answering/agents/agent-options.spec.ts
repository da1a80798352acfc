import { expect, it } from '@jest/globals';
import { agentOptions } from './agent-options.js';

it('tells agents of the same name apart by the time of their creation', () => {
  const agentOf = (id: string, name: string, createdAt: string, allDatastores = false) => ({
    id,
    name,
    allDatastores,
    timestamps: { createdAt, updatedAt: 'May' },
  });
  const agents = [
    agentOf('d', 'All documents', 'April', true),
    agentOf('c', 'Assistant', 'March'),
    agentOf('b', 'All documents', 'February'),
    agentOf('a', 'Assistant', 'January'),
  ];
  const translator = { text: () => 'Alle Dokumente', time: (instant: string) => `in ${instant}` };
  expect(agentOptions(agents, translator)).toEqual([
    // The server names the agent of all libraries.
    { value: 'd', label: 'Alle Dokumente' },
    { value: 'c', label: 'Assistant · in March' },
    { value: 'b', label: 'All documents' },
    { value: 'a', label: 'Assistant · in January' },
  ]);
});
