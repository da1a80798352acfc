import { Tabs } from '@mantine/core';
import type { ReactNode } from 'react';
import { Page } from '../components/page.js';
import { useTranslator } from '../messages/messages.js';
import { KeysPanel } from './keys-panel.js';
import { UsagePanel } from './usage-panel.js';

export function SettingsPage(): ReactNode {
  const { text } = useTranslator();
  return (
    <Page title={text('settings.title')}>
      <Tabs defaultValue="keys" keepMounted={false}>
        <Tabs.List mb="md">
          <Tabs.Tab value="keys">{text('settings.keys')}</Tabs.Tab>
          <Tabs.Tab value="usage">{text('settings.usage')}</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="keys">
          <KeysPanel />
        </Tabs.Panel>
        <Tabs.Panel value="usage">
          <UsagePanel />
        </Tabs.Panel>
      </Tabs>
    </Page>
  );
}
