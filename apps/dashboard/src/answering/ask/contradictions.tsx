import { Alert } from '@mantine/core';
import type { Message } from '@citewell/sdk';
import type { ReactNode } from 'react';
import { Icon } from '../../components/icon.js';
import { useTranslator } from '../../messages/messages.js';

/** What sources say in place of an answer's sentences; nothing if they say nothing else. */
export function Contradictions({ sentences = [] }: { sentences: Message['sentences'] }): ReactNode {
  const { text } = useTranslator();
  const found = sentences.flatMap(({ contradiction }) => contradiction ?? []);
  if (found.length === 0) return null;
  return (
    <Alert
      color="gray"
      variant="light"
      role="status"
      icon={<Icon name="warning" />}
      title={text('ask.contradictions')}
    >
      {found.map(({ number, stated, found: said }, index) => (
        <div key={index} dir="auto">
          {text('ask.contradiction', { number, stated, found: said })}
        </div>
      ))}
    </Alert>
  );
}
