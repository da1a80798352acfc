import { Alert, Button, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useTranslator } from '../messages/messages.js';
import { useSession } from '../identity/sign-in/session.js';
import { EmbeddingOffers, EmbeddingProgress } from './embedding-offers.js';
import { embeddingQuery } from './model-settings.js';
import { isSwitching } from './switch-words.js';

const DECLINED_KEY = 'citewell-local-model-declined';

/** Offers a local model once there are documents, until one is chosen or the offer is declined in this browser. */
export function LocalModelOffer(): ReactNode {
  const { text } = useTranslator();
  const isAdministrator = useSession().scopes.includes('admin');
  const [isDeclined, setDeclined] = useState(() => localStorage.getItem(DECLINED_KEY) !== null);
  const { data: settings } = useQuery({ ...embeddingQuery, enabled: isAdministrator && !isDeclined });
  if (isDeclined || settings === undefined || settings.documents.total === 0) return null;
  const isOffer = settings.chosenBy === 'default';
  if (!isOffer && !(settings.chosenBy === 'setting' && isSwitching(settings))) return null;
  const decline = (): void => {
    localStorage.setItem(DECLINED_KEY, 'true');
    setDeclined(true);
  };
  return (
    <Alert variant="light" mb="md" maw={720} title={text(isOffer ? 'embedding.offer' : 'embedding.title')}>
      <Stack gap="sm">
        <EmbeddingProgress settings={settings} />
        {isOffer && (
          <>
            <Text size="sm">{text('embedding.text')}</Text>
            <EmbeddingOffers settings={settings} />
            <Button size="xs" variant="subtle" style={{ alignSelf: 'flex-start' }} onClick={decline}>
              {text('embedding.later')}
            </Button>
          </>
        )}
      </Stack>
    </Alert>
  );
}
