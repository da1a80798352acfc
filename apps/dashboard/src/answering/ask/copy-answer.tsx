import { Group } from '@mantine/core';
import { type Source, withAddedCitations } from '@citewell/sdk';
import type { ReactNode } from 'react';
import { CopyButton } from '../../components/copy-button.js';
import { useTranslator } from '../../messages/messages.js';
import classes from './ask.module.css';
import { withoutCitations, withSources } from './copied-answer.js';

/**
 * Copies an answer: its text alone, or with its citations and their sources.
 *
 * @param props.text with marks: see `markSentences`
 */
export function CopyAnswer({
  text: marked,
  sources,
}: {
  text: string;
  sources: readonly Source[];
}): ReactNode {
  const { text } = useTranslator();
  const answer = withAddedCitations(marked);
  const words = { sources: text('ask.sources'), page: (page: number) => text('ask.page', { page }) };
  return (
    <Group gap={4} className={classes['onScreen'] ?? ''}>
      <CopyButton value={withoutCitations(answer, sources)} label={text('ask.copy')} />
      {sources.some(({ cited }) => cited) && (
        <CopyButton value={withSources(answer, sources, words)} label={text('ask.copyCited')} />
      )}
    </Group>
  );
}
