import { Button, Skeleton, Text, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { Datasource } from '@citewell/sdk';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { lazy, type ReactNode, Suspense, useState } from 'react';
import { client } from '../../client.js';
import { SidePanel } from '../../components/page.js';
import { Form, SubmitButton } from '../../components/form.js';
import { useTranslator } from '../../messages/messages.js';
import { readAddresses } from '../datasources/addresses.js';
import { ScheduleField, SiteFields } from './web-fields.js';
import { settingsOf, siteConfigOf } from './web-settings.js';

const EditSource = lazy(async () => ({ default: (await import('../sources/source-form.js')).EditSource }));

/** A button that opens the settings of a web page, a site or a source. Nothing for others, and for members of groups. */
export function EditButton({ datasource }: { datasource: Datasource }): ReactNode {
  const { text } = useTranslator();
  const [isOpen, { open, close }] = useDisclosure(false);
  const { type, groupId } = datasource;
  if (!['web_page', 'web_site', 'source'].includes(type) || groupId !== null) return null;
  return (
    <>
      <Button variant="default" onClick={open}>
        {text('documents.edit')}
      </Button>
      <SidePanel isOpen={isOpen} onClose={close} title={text('documents.edit')}>
        {type === 'source' ? (
          <Suspense fallback={<Skeleton h={240} />}>
            <EditSource datasource={datasource} onSaved={close} />
          </Suspense>
        ) : (
          <EditWeb datasource={datasource} onSaved={close} />
        )}
      </SidePanel>
    </>
  );
}

function EditWeb({ datasource, onSaved }: { datasource: Datasource; onSaved: () => void }): ReactNode {
  const { text } = useTranslator();
  const queryClient = useQueryClient();
  const { id, type, config } = datasource;
  const isSite = type === 'web_site';
  const [settings, setSettings] = useState(() => settingsOf(config));
  const [address, setAddress] = useState(() =>
    typeof config['source_url'] === 'string' ? config['source_url'] : '',
  );
  const { urls, invalid } = readAddresses(address);
  const url = invalid === null ? (urls[0] ?? null) : null;
  // The API removes what is null. A site that has a sitemap needs no address.
  const change = {
    source_url: url,
    schedule: settings.schedule,
    ...(isSite ? { sitemap: null, ...siteConfigOf(settings) } : {}),
  };
  const isComplete = invalid === null && (url !== null || (isSite && change.sitemap != null));
  const save = useMutation({
    mutationFn: () => client.datasources.update(id, { config: change }),
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: ['datasources'] });
      onSaved();
    },
  });
  return (
    <Form onSubmit={() => save.mutate()}>
      <TextInput
        label={text('welcome.address')}
        value={address}
        onChange={(event) => setAddress(event.currentTarget.value)}
        error={invalid !== null && text('add.invalidAddress', { address: invalid })}
        data-autofocus
      />
      {isSite && <SiteFields settings={settings} onChange={setSettings} address={url} />}
      <ScheduleField settings={settings} onChange={setSettings} />
      <Text size="sm" c="dimmed">
        {text('documents.editHint')}
      </Text>
      <SubmitButton of={save} disabled={!isComplete}>
        {text('action.save')}
      </SubmitButton>
    </Form>
  );
}
