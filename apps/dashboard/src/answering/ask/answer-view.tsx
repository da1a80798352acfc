import { type ComponentProps, lazy, type ReactNode, Suspense } from 'react';
import { Alert, Group } from '@mantine/core';
import { type Message, type Source, withAddedCitations } from '@citewell/sdk';
import { Icon } from '../../components/icon.js';
import { useTranslator } from '../../messages/messages.js';
import { CopyButton } from '../../components/copy-button.js';
import classes from './ask.module.css';
import { withoutCitations, withSources } from './copied-answer.js';

/** The Markdown reader is loaded with the first answer. */
const AnswerText = lazy(async () => ({ default: (await import('./answer-text.js')).AnswerText }));

/** The text of an answer, with its citations as links. */
export function AnswerMarkdown(props: ComponentProps<typeof AnswerText>): ReactNode {
  return (
    <Suspense fallback={props.text}>
      <AnswerText {...props} />
    </Suspense>
  );
}

/** What sources say in place of an answer's sentences; nothing if they say nothing else. */
export function Contradictions({ sentences = [] }: { sentences: Message['sentences'] }): ReactNode {
  const { text } = useTranslator();
  const found = sentences.flatMap(({ contradiction }) => contradiction ?? []);
  if (found.length === 0) return null;
  return (
    <Alert
      color="gray"
      variant="light"
      role="status"
      icon={<Icon name="warning" />}
      title={text('ask.contradictions')}
    >
      {found.map(({ number, stated, found: said }, index) => (
        <div key={index} dir="auto">
          {text('ask.contradiction', { number, stated, found: said })}
        </div>
      ))}
    </Alert>
  );
}

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
