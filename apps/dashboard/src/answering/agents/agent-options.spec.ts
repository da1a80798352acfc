import { expect, it } from '@jest/globals';
import { agentOptions } from './agent-options.js';

it('tells agents of the same name apart by the time of their creation', () => {
  const agents = [
    { id: 'c', name: 'Assistant', timestamps: { createdAt: 'March', updatedAt: 'May' } },
    { id: 'b', name: 'Reader', timestamps: { createdAt: 'February', updatedAt: 'May' } },
    { id: 'a', name: 'Assistant', timestamps: { createdAt: 'January', updatedAt: 'May' } },
  ];
  expect(agentOptions(agents, (instant) => `in ${instant}`)).toEqual([
    { value: 'c', label: 'Assistant · in March' },
    { value: 'b', label: 'Reader' },
    { value: 'a', label: 'Assistant · in January' },
  ]);
});
