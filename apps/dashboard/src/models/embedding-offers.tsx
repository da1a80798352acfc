import { Alert, Badge, Button, Group, Progress, Stack, Text } from '@mantine/core';
import type { EmbeddingOffer, EmbeddingSettings } from '@citewell/sdk';
import type { ReactNode } from 'react';
import { errorSentence } from '../components/error-notice.js';
import { useTranslator } from '../messages/messages.js';
import { useChooseEmbedding } from './model-settings.js';
import { inMegabytes, inMinutes, isSwitching, switchWords } from './switch-words.js';

/** The local models that are offered, what they cost, and a button that switches each of them on. */
export function EmbeddingOffers({ settings }: { settings: EmbeddingSettings }): ReactNode {
  const translator = useTranslator();
  const { text } = translator;
  const choose = useChooseEmbedding();
  const costOf = ({ downloadBytes, seconds }: EmbeddingOffer): string =>
    text(downloadBytes === 0 ? 'embedding.costStored' : 'embedding.cost', {
      mb: inMegabytes(downloadBytes),
      minutes: inMinutes(seconds),
    });
  return (
    <Stack gap="xs">
      {settings.offers.map((offer) => (
        <Group key={offer.name} justify="space-between" wrap="nowrap">
          <Stack gap={0}>
            <Text size="sm" fw={600}>
              {text(`embedding.${offer.languages}`)}
            </Text>
            <Text size="sm" c="dimmed">
              {costOf(offer)}
            </Text>
          </Stack>
          {offer.name === settings.name ? (
            <Badge variant="default" tt="none" style={{ flexShrink: 0 }}>
              {text('embedding.chosen')}
            </Badge>
          ) : (
            <Button
              size="xs"
              variant="default"
              style={{ flexShrink: 0 }}
              loading={choose.isPending && choose.variables === offer.name}
              aria-label={`${text('embedding.use')}: ${text(`embedding.${offer.languages}`)}`}
              onClick={() => choose.mutate(offer.name)}
            >
              {text('embedding.use')}
            </Button>
          )}
        </Group>
      ))}
      {choose.isError && (
        <Text size="sm" c="red" role="alert">
          {errorSentence(choose.error, translator)}
        </Text>
      )}
    </Stack>
  );
}

/** How far the switch to the chosen model is, and what is wrong. Nothing if it is complete. */
export function EmbeddingProgress({ settings }: { settings: EmbeddingSettings }): ReactNode {
  const translator = useTranslator();
  const { text } = translator;
  const choose = useChooseEmbedding();
  const { problem, documents } = settings;
  if (!isSwitching(settings)) {
    const failed = documents.failed > 0 ? text('embedding.unembedded', { count: documents.failed }) : '';
    const sentence = [problem, failed].filter(Boolean).join(' ');
    return sentence === '' ? null : (
      <Text size="sm" c="red" role="alert">
        {sentence}
      </Text>
    );
  }
  const { words, percent } = switchWords(settings, translator);
  if (settings.preparation?.step === 'failed')
    return (
      <Alert color="red" variant="light" role="alert" title={words}>
        <Stack gap="xs" align="flex-start">
          <Text size="sm">{settings.preparation.message}</Text>
          <Button size="xs" variant="default" onClick={() => choose.mutate(settings.name)}>
            {text('embedding.retry')}
          </Button>
        </Stack>
      </Alert>
    );
  return (
    <Stack gap={4}>
      <Progress size="sm" value={percent ?? 100} animated={percent === null} aria-label={words} />
      <Text size="sm" c="dimmed" role="status" style={{ fontVariantNumeric: 'tabular-nums' }}>
        {words}
      </Text>
      {problem !== null && (
        <Text size="sm" c="red" role="alert">
          {problem}
        </Text>
      )}
    </Stack>
  );
}
