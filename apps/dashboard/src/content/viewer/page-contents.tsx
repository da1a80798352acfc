import type { Datasource, PageRange } from '@citewell/sdk';
import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslator } from '../../messages/messages.js';

const CONTENTS = ['recognized', 'described', 'text', 'empty', 'unread'] as const;

/** Which pages of a document have text, were recognized, are empty or could not be read. Nothing if all have text. */
export function PageContents({ datasource: { pages = [] } }: { datasource: Datasource }): ReactNode {
  const { counted, language } = useTranslator();
  if (pages.every(({ content }) => content === 'text')) return null;
  const parts = CONTENTS.flatMap((content) => {
    const ranges = pages.filter((range) => range.content === content);
    const count = ranges.reduce((sum, { from, to }) => sum + to - from + 1, 0);
    const numbers = ranges.map(({ from, to }) => (from === to ? `${from}` : `${from}–${to}`)).join(', ');
    const values = { pages: numbers, confidence: confidenceOf(ranges) };
    return count === 0 ? [] : [counted(`reader.pages.${content}`, count, values)];
  });
  const unreadable = pages.reduce((sum, range) => sum + (range.unreadable ?? 0), 0);
  if (unreadable > 0) parts.push(counted('reader.unreadable', unreadable));
  const sentence = parts.join(', ');
  return (
    <Text size="sm" c="dimmed" maw={640} data-testid="page-contents">
      {sentence.charAt(0).toLocaleUpperCase(language) + sentence.slice(1)}
    </Text>
  );
}

/** The mean by pages. */
function confidenceOf(ranges: readonly PageRange[]): number {
  let [sum, count] = [0, 0];
  for (const { from, to, confidence } of ranges) {
    if (confidence === undefined) continue;
    sum += confidence * (to - from + 1);
    count += to - from + 1;
  }
  return count === 0 ? 0 : Math.round(sum / count);
}
