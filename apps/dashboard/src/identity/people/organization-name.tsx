import { TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { Form, SubmitButton } from '../../components/form.js';
import { useTranslator } from '../../messages/messages.js';
import { sessionQuery, useSession } from '../sign-in/session.js';
import { changeOrganization } from './people.js';

/** Renames the organization. */
export function OrganizationName(): ReactNode {
  const { text } = useTranslator();
  const queryClient = useQueryClient();
  const stored = useSession().organization.name;
  const [name, setName] = useState(stored);
  const rename = useMutation({
    mutationFn: () => changeOrganization({ name: name.trim() }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: sessionQuery.queryKey }),
  });
  return (
    <Form onSubmit={() => rename.mutate()} maw={640}>
      <TextInput
        label={text('invite.organization')}
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
        required
        maxLength={255}
      />
      <SubmitButton of={rename} disabled={name.trim() === '' || name.trim() === stored}>
        {text('action.save')}
      </SubmitButton>
    </Form>
  );
}
