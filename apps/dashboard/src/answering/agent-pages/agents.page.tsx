import { Button, MultiSelect, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { client } from '../../client.js';
import { Card, Cards } from '../../components/cards.js';
import { Dialog } from '../../components/dialog.js';
import { ErrorNotice } from '../../components/error-notice.js';
import { Form, SubmitButton } from '../../components/form.js';
import { Icon } from '../../components/icon.js';
import { Page } from '../../components/page.js';
import { datastoresQuery } from '../../content/datasources/content-queries.js';
import { useTranslator } from '../../messages/messages.js';
import { Permitted } from '../../identity/sign-in/session.js';
import { agentName } from '../agents/agent-options.js';
import { agentsQuery } from '../agents/agents.js';

/** The agents of the organization. */
export function AgentsPage(): ReactNode {
  const { text } = useTranslator();
  const agents = useQuery(agentsQuery);
  const datastores = useQuery(datastoresQuery);
  const names = new Map(datastores.data?.map(({ id, name }) => [id, name]));
  return (
    <Page
      title={text('agents.title')}
      text={text('agents.text')}
      actions={
        <>
          <Button variant="default" renderRoot={(props) => <Link to="/conversations" {...props} />}>
            {text('conversations.title')}
          </Button>
          <Permitted scope="admin">
            <Button variant="default" renderRoot={(props) => <Link to="/missing" {...props} />}>
              {text('agents.missing')}
            </Button>
          </Permitted>
          <Button variant="default" renderRoot={(props) => <Link to="/evaluations" {...props} />}>
            {text('evaluations.title')}
          </Button>
          <Permitted>
            <NewAgentButton />
          </Permitted>
        </>
      }
    >
      {agents.isError && <ErrorNotice error={agents.error} onRetry={() => void agents.refetch()} />}
      <Cards isLoading={agents.isPending}>
        {agents.data?.map((agent) => (
          <Card
            key={agent.id}
            name={agentName(agent, text)}
            description={agent.description}
            details={
              agent.allDatastores
                ? text('agents.allLibraries')
                : agent.datastoreIds.map((id) => names.get(id) ?? '').join(', ')
            }
            renderRoot={(props) => <Link to="/agents/$agentId" params={{ agentId: agent.id }} {...props} />}
          />
        ))}
      </Cards>
    </Page>
  );
}

/** Asks for the name and the libraries of a new agent. */
function NewAgentButton(): ReactNode {
  const { text } = useTranslator();
  const [isOpen, { open, close }] = useDisclosure(false);
  return (
    <>
      <Button leftSection={<Icon name="plus" size={16} />} onClick={open}>
        {text('agents.new')}
      </Button>
      <Dialog opened={isOpen} onClose={close} title={text('agents.new')}>
        <NewAgent />
      </Dialog>
    </>
  );
}

function NewAgent(): ReactNode {
  const { text } = useTranslator();
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const datastores = useQuery(datastoresQuery).data ?? [];
  const [name, setName] = useState('');
  const [chosen, setChosen] = useState<string[] | null>(null);
  // The only library need not be chosen.
  const datastoreIds = chosen ?? (datastores.length === 1 ? datastores.map(({ id }) => id) : []);
  const create = useMutation({
    mutationFn: () => client.agents.create({ name: name.trim(), datastoreIds }),
    onSuccess: async ({ id }) => {
      await queryClient.invalidateQueries({ queryKey: agentsQuery.queryKey });
      await navigate({ to: '/agents/$agentId', params: { agentId: id } });
    },
  });
  return (
    <Form onSubmit={() => create.mutate()}>
      <TextInput
        label={text('agents.name')}
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
        required
        maxLength={255}
        data-autofocus
      />
      <MultiSelect
        label={text('agents.libraries')}
        data={datastores.map((datastore) => ({ value: datastore.id, label: datastore.name }))}
        value={datastoreIds}
        onChange={setChosen}
        withAsterisk={datastores.length > 0}
        searchable
      />
      <SubmitButton
        of={create}
        disabled={name.trim() === '' || (datastores.length > 0 && datastoreIds.length === 0)}
      >
        {text('agents.create')}
      </SubmitButton>
    </Form>
  );
}
