import { Button, Stack, Textarea, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useState } from 'react';
import { client } from '../../client.js';
import { ErrorNotice } from '../../components/error-notice.js';
import { useTranslator } from '../../messages/messages.js';

/** Adds a text that the user writes or pastes. */
export function AddText({ datastoreId, onAdded }: { datastoreId: string; onAdded: () => void }): ReactNode {
  const { text } = useTranslator();
  const queryClient = useQueryClient();
  const [name, setName] = useState('');
  const [body, setBody] = useState('');
  const add = useMutation({
    mutationFn: () => client.datasources.create({ type: 'text', datastoreId, name: name.trim(), text: body }),
    onSuccess: onAdded,
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['datasources'] }),
  });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    add.mutate();
  };
  return (
    <form onSubmit={submit}>
      <Stack>
        <TextInput
          label={text('add.textName')}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          required
          maxLength={255}
          data-autofocus
        />
        <Textarea
          label={text('add.textBody')}
          value={body}
          onChange={(event) => setBody(event.currentTarget.value)}
          autosize
          minRows={8}
          maxRows={20}
          required
        />
        {add.isError && <ErrorNotice error={add.error} />}
        <Button type="submit" loading={add.isPending} disabled={name.trim() === '' || body.trim() === ''}>
          {text('add.submitText')}
        </Button>
      </Stack>
    </form>
  );
}
