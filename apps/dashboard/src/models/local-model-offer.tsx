import { Box, Button, CloseButton, Group, Text } from '@mantine/core';
import type { EmbeddingOffer } from '@citewell/sdk';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { useTranslator } from '../messages/messages.js';
import { useSession } from '../identity/sign-in/session.js';
import { EmbeddingProgress } from './embedding-offers.js';
import { embeddingQuery } from './model-settings.js';
import { isSwitching } from './switch-words.js';

const DECLINED_KEY = 'citewell-local-model-declined';

/** Does not offer local models in this browser any more. */
export function declineLocalModels(): void {
  localStorage.setItem(DECLINED_KEY, 'true');
}

/** The local model for documents in any language. Null if a model was chosen, or if somebody else chooses it. */
export function useLocalModel(): EmbeddingOffer | null {
  const isAdministrator = useSession().scopes.includes('admin');
  const { data: settings } = useQuery({ ...embeddingQuery, enabled: isAdministrator });
  if (settings?.chosenBy !== 'default') return null;
  return settings.offers.find(({ languages }) => languages === 'multilingual') ?? null;
}

/**
 * A line that leads to the local models once there are documents, until one is chosen or the offer is declined in this
 * browser. Then the progress of the switch.
 */
export function LocalModelOffer(): ReactNode {
  const { text } = useTranslator();
  const isAdministrator = useSession().scopes.includes('admin');
  const [isDeclined, setDeclined] = useState(() => localStorage.getItem(DECLINED_KEY) !== null);
  const { data: settings } = useQuery({ ...embeddingQuery, enabled: isAdministrator && !isDeclined });
  if (isDeclined || settings === undefined || settings.documents.total === 0) return null;
  if (isSwitching(settings))
    return (
      <Box mb="md" maw={720}>
        <EmbeddingProgress settings={settings} />
      </Box>
    );
  if (settings.chosenBy !== 'default') return null;
  const decline = (): void => {
    declineLocalModels();
    setDeclined(true);
  };
  return (
    <Group mb="md" gap="xs" maw={720}>
      <Text size="sm">{text('embedding.offer')}</Text>
      <Button
        size="compact-sm"
        variant="default"
        renderRoot={(props) => <Link to="/settings" search={{ tab: 'models' }} {...props} />}
      >
        {text('embedding.choose')}
      </Button>
      <CloseButton size="sm" aria-label={text('embedding.later')} onClick={decline} />
    </Group>
  );
}
