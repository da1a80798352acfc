import type { SourceCheck } from '@citewell/sdk';
import { Code, List, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { client } from '../../client.js';
import { Form, SubmitButton } from '../../components/form.js';
import { Trial } from '../../components/trial.js';
import { useTranslator } from '../../messages/messages.js';
import { linesOf } from '../datasources/addresses.js';

/** Connects a folder of the server. Its documents follow the folder. */
export function AddSource({ datastoreId, onAdded }: { datastoreId: string; onAdded: () => void }): ReactNode {
  const { text } = useTranslator();
  const queryClient = useQueryClient();
  const [folder, setFolder] = useState('');
  const [include, setInclude] = useState('');
  const [exclude, setExclude] = useState('');
  const path = folder.trim();
  const config = {
    kind: 'folder',
    folder: path,
    include: linesOf(include),
    exclude: linesOf(exclude),
  } as const;
  const connect = useMutation({
    mutationFn: () => client.datasources.create({ type: 'source', datastoreId, config }),
    onSuccess: onAdded,
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['datasources'] }),
  });
  return (
    <Form onSubmit={() => connect.mutate()}>
      <TextInput
        label={text('source.folder')}
        description={text('source.folderHint')}
        value={folder}
        onChange={(event) => setFolder(event.currentTarget.value)}
        required
        data-autofocus
      />
      <Textarea
        label={text('source.include')}
        description={text('source.patternHint')}
        value={include}
        onChange={(event) => setInclude(event.currentTarget.value)}
        autosize
      />
      <Textarea
        label={text('source.exclude')}
        value={exclude}
        onChange={(event) => setExclude(event.currentTarget.value)}
        autosize
      />
      <Trial
        config={path === '' ? null : config}
        label={text('source.test')}
        run={(tried) => client.datasources.checkSource({ config: tried })}
      >
        {(check) => <FoundDocuments check={check} />}
      </Trial>
      <Text size="sm" c="dimmed">
        {text('source.follows')}
      </Text>
      <SubmitButton of={connect} disabled={path === ''}>
        {text('source.connect')}
      </SubmitButton>
    </Form>
  );
}

function FoundDocuments({
  check: { documents, found, leftOut, isComplete },
}: {
  check: SourceCheck;
}): ReactNode {
  const { text, counted } = useTranslator();
  return (
    <Stack gap="xs" w="100%" role="status">
      <Text size="sm">
        {counted(isComplete ? 'source.found' : 'source.foundAtLeast', found)}
        {leftOut > 0 && ` ${text('source.leftOut', { count: String(leftOut) })}`}
      </Text>
      <List size="sm" style={{ overflowWrap: 'anywhere' }}>
        {documents.map(({ path }) => (
          <List.Item key={path}>
            <Code>{path}</Code>
          </List.Item>
        ))}
      </List>
    </Stack>
  );
}
