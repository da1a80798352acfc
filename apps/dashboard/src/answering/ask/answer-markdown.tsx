import { type ComponentProps, lazy, type ReactNode, Suspense } from 'react';

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
