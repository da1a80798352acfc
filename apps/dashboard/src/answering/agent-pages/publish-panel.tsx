import { Anchor, Button, Code, Group, Paper, Stack, Text, Textarea, Title } from '@mantine/core';
import type { Agent, ApiKeyWithSecret } from '@citewell/sdk';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { client } from '../../client.js';
import { CopyButton } from '../../components/copy-button.js';
import { ErrorNotice } from '../../components/error-notice.js';
import { Form } from '../../components/form.js';
import { QueryState } from '../../components/query.js';
import { readAddresses } from '../../content/datasources/addresses.js';
import { useTranslator } from '../../messages/messages.js';
import { useSession } from '../../identity/sign-in/session.js';
import { keysQuery, RevokeButton } from '../../identity/keys/keys.js';
import { SERVER } from '../../address.js';

/** Puts a public agent on web pages: keys that pages may contain, the script tag, and the agent's own page. */
export function PublishPanel({ agent }: { agent: Agent }): ReactNode {
  const { text } = useTranslator();
  const isAdministrator = useSession().scopes.includes('admin');
  const keys = useQuery({ ...keysQuery, enabled: isAdministrator });
  if (agent.visibility !== 'public' || !isAdministrator) return null;
  const published = keys.data?.filter(({ agentId }) => agentId === agent.id) ?? [];
  return (
    <Paper withBorder p="md">
      <Stack>
        <div>
          <Title order={2}>{text('publish.title')}</Title>
          <Text size="sm" c="dimmed">
            {text('publish.text')}
          </Text>
        </div>
        <QueryState of={keys} height={64} />
        {published.map(({ id, prefix, allowedOrigins }) => (
          <Group key={id} justify="space-between" wrap="nowrap">
            <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
              {allowedOrigins?.join(', ')}
              <Text span size="xs" c="dimmed" ff="monospace" ml="xs">
                {prefix}…
              </Text>
            </Text>
            <RevokeButton id={id} name={prefix} />
          </Group>
        ))}
        <NewPublishableKey agent={agent} />
      </Stack>
    </Paper>
  );
}

function NewPublishableKey({ agent }: { agent: Agent }): ReactNode {
  const { text } = useTranslator();
  const queryClient = useQueryClient();
  const [lines, setLines] = useState('');
  const { urls, invalid } = readAddresses(lines);
  const create = useMutation({
    mutationFn: () =>
      client.apiKeys.create({
        name: text('publish.keyName', { name: agent.name }),
        scopes: ['publishable'],
        agentId: agent.id,
        allowedOrigins: urls.map((url) => new URL(url).origin),
      }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: keysQuery.queryKey }),
  });
  return (
    <Stack>
      <Form onSubmit={() => create.mutate()} gap="sm" align="flex-start">
        <Textarea
          w="100%"
          label={text('publish.origins')}
          description={text('publish.originsHint')}
          placeholder="https://www.example.com"
          value={lines}
          onChange={(event) => setLines(event.currentTarget.value)}
          autosize
        />
        <Button
          type="submit"
          variant="default"
          loading={create.isPending}
          disabled={urls.length === 0 || invalid !== null}
        >
          {text('publish.create')}
        </Button>
      </Form>
      {create.isError && <ErrorNotice error={create.error} />}
      {create.data && <Snippet agent={agent} apiKey={create.data} />}
    </Stack>
  );
}

/** What to paste into a page, and the page that needs no site. */
function Snippet({ agent, apiKey: { key } }: { agent: Agent; apiKey: ApiKeyWithSecret }): ReactNode {
  const { text } = useTranslator();
  const snippet = `<script src="${SERVER}/widget.js" data-agent="${agent.id}" data-key="${key}" async></script>`;
  const page = `${SERVER}/chat/${key}`;
  return (
    <Stack gap="xs">
      <Text size="sm">{text('publish.snippet')}</Text>
      <Code block data-testid="widget-snippet" style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
        {snippet}
      </Code>
      <Group>
        <CopyButton value={snippet} />
        <Anchor href={page} target="_blank" size="sm">
          {text('publish.page')}
        </Anchor>
      </Group>
    </Stack>
  );
}
