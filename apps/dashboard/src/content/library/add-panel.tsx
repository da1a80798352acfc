import { Tabs } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslator } from '../../messages/messages.js';
import { DropZone } from '../uploads/drop-zone.js';
import { useUploads } from '../uploads/uploads.js';
import { AddText } from './add-text.js';
import { AddWeb } from './add-web.js';

/** Adds files, addresses and texts to a library. */
export function AddPanel({ datastoreId, onAdded }: { datastoreId: string; onAdded: () => void }): ReactNode {
  const { text } = useTranslator();
  const { add } = useUploads();
  return (
    <Tabs defaultValue="files" keepMounted={false}>
      <Tabs.List mb="md">
        <Tabs.Tab value="files">{text('add.files')}</Tabs.Tab>
        <Tabs.Tab value="web">{text('add.web')}</Tabs.Tab>
        <Tabs.Tab value="text">{text('add.text')}</Tabs.Tab>
      </Tabs.List>
      <Tabs.Panel value="files">
        <DropZone
          isPrimary
          onFiles={(files) => {
            add(datastoreId, files);
            onAdded();
          }}
        />
      </Tabs.Panel>
      <Tabs.Panel value="web">
        <AddWeb datastoreId={datastoreId} onAdded={onAdded} />
      </Tabs.Panel>
      <Tabs.Panel value="text">
        <AddText datastoreId={datastoreId} onAdded={onAdded} />
      </Tabs.Panel>
    </Tabs>
  );
}
