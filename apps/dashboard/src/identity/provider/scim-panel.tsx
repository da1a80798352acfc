import { Alert, Button, Code, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { client } from '../../client.js';
import { CopyButton } from '../../components/copy-button.js';
import { ErrorNotice } from '../../components/error-notice.js';
import { useTexts } from '../../messages/messages.js';
import { keysQuery } from '../keys/keys.js';

/** The address and the token with which an identity provider manages people and groups. */
export function ScimPanel(): ReactNode {
  const { text: sso } = useTexts('single-sign-on');
  const queryClient = useQueryClient();
  const create = useMutation({
    mutationFn: () => client.apiKeys.create({ name: 'SCIM', scopes: ['scim'] }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: keysQuery.queryKey }),
  });
  return (
    <Paper withBorder p="md">
      <Stack>
        <Title order={2} size="h4">
          {sso('scimTitle')}
        </Title>
        <Text size="sm" c="dimmed" maw={640}>
          {sso('scimText')}
        </Text>
        <CopiedValue label={sso('scimAddress')} value={`${location.origin}/scim/v2`} />
        {create.data && (
          <>
            <Alert color="yellow">{sso('scimOnce')}</Alert>
            <CopiedValue label={sso('scimToken')} value={create.data.key} />
          </>
        )}
        {create.isError && <ErrorNotice error={create.error} />}
        <Button
          variant="default"
          style={{ alignSelf: 'flex-start' }}
          loading={create.isPending}
          onClick={() => create.mutate()}
        >
          {sso('scimCreate')}
        </Button>
      </Stack>
    </Paper>
  );
}

function CopiedValue({ label, value }: { label: string; value: string }): ReactNode {
  return (
    <Stack gap={4}>
      <Text size="sm" fw={500}>
        {label}
      </Text>
      <Group gap="xs" wrap="nowrap" align="flex-start">
        <Code block style={{ flex: 1, whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
          {value}
        </Code>
        <CopyButton value={value} />
      </Group>
    </Stack>
  );
}
