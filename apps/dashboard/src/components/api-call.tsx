import { Code, Collapse, Group, Stack, UnstyledButton } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { ReactNode } from 'react';
import { useTranslator } from '../messages/messages.js';
import { CopyButton } from './copy-button.js';
import { SERVER } from '../address.js';

interface ApiCallProps {
  method: 'GET' | 'POST' | 'PATCH';
  /** Below `/api`. */
  path: string;
  body?: unknown;
}

/** What the page has just done, as a call that a program can make. */
export function ApiCall(call: ApiCallProps): ReactNode {
  const { text } = useTranslator();
  const [isOpen, { toggle }] = useDisclosure(false);
  const command = curlOf(`${SERVER}/api`, call);
  return (
    <Stack gap="xs" align="flex-start">
      <UnstyledButton onClick={toggle} aria-expanded={isOpen} fz="sm" td="underline">
        {text('action.apiCall')}
      </UnstyledButton>
      <Collapse expanded={isOpen} w="100%">
        <Stack gap="xs">
          <Code block>{command}</Code>
          <Group>
            <CopyButton value={command} />
          </Group>
        </Stack>
      </Collapse>
    </Stack>
  );
}

function curlOf(baseUrl: string, { method, path, body }: ApiCallProps): string {
  const lines = [`curl -X ${method} '${baseUrl}${path}'`, `  -H 'Authorization: Bearer YOUR_API_KEY'`];
  if (body !== undefined)
    // A quote inside a quoted argument of the shell.
    lines.push(
      `  -H 'Content-Type: application/json'`,
      `  -d '${JSON.stringify(body).replaceAll("'", `'\\''`)}'`,
    );
  return lines.join(' \\\n');
}
