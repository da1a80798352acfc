import { ActionIcon, Button, Group, Stack, Text, Textarea, Tooltip } from '@mantine/core';
import type { Feedback, Rating } from '@citewell/sdk';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { client } from '../../client.js';
import { ErrorNotice } from '../../components/error-notice.js';
import { Icon } from '../../components/icon.js';
import { useTranslator } from '../../messages/messages.js';

const RATINGS: readonly [rating: Rating, icon: 'up' | 'down'][] = [
  ['good', 'up'],
  ['bad', 'down'],
];
const MAX_COMMENT = 4_096;

interface FeedbackFormProps {
  agentId: string;
  conversationId: string;
  messageId: string;
  /** Of an earlier visit. */
  initial: Feedback | null;
}

/** Rates an answer. A click on a thumb stores the rating, and offers to add a comment. */
export function FeedbackForm({ agentId, conversationId, messageId, initial }: FeedbackFormProps): ReactNode {
  const { text } = useTranslator();
  const [saved, setSaved] = useState(initial);
  const [isCommenting, setIsCommenting] = useState(false);
  const status = useRef<HTMLParagraphElement>(null);
  const save = useMutation({
    mutationFn: (feedback: Feedback) =>
      client.conversations.rate(conversationId, messageId, feedback, { agentId }),
    onSuccess: (_, feedback) => setSaved(feedback),
  });
  const rate = (rating: Rating): void => {
    setIsCommenting(true);
    // A rating without a comment would remove the stored comment.
    save.mutate({ rating, comment: saved?.comment });
  };
  const comment = (rating: Rating, words: string): void =>
    save.mutate(
      { rating, comment: words === '' ? null : words },
      {
        onSuccess: () => {
          setIsCommenting(false);
          // The focused button is gone.
          status.current?.focus();
        },
      },
    );
  return (
    <Stack gap="xs">
      <Group gap={4}>
        {RATINGS.map(([rating, icon]) => (
          <Tooltip key={rating} label={text(`ask.${rating}`)}>
            <ActionIcon
              variant={saved?.rating === rating ? 'light' : 'subtle'}
              color={saved?.rating === rating ? 'teal' : 'gray'}
              aria-label={text(`ask.${rating}`)}
              aria-pressed={saved?.rating === rating}
              onClick={() => rate(rating)}
            >
              <Icon name={icon} size={16} />
            </ActionIcon>
          </Tooltip>
        ))}
        <Text ref={status} size="xs" c="dimmed" role="status" tabIndex={-1}>
          {save.isSuccess && text(isCommenting ? 'ask.thanks' : 'ask.commentThanks')}
        </Text>
      </Group>
      {save.isError && <ErrorNotice error={save.error} />}
      {isCommenting && saved !== null && (
        <CommentForm
          initial={saved.comment ?? ''}
          isSaving={save.isPending}
          onSave={(words) => comment(saved.rating, words)}
        />
      )}
    </Stack>
  );
}

function CommentForm({
  initial,
  isSaving,
  onSave,
}: {
  initial: string;
  isSaving: boolean;
  onSave: (comment: string) => void;
}): ReactNode {
  const { text } = useTranslator();
  const [draft, setDraft] = useState(initial);
  const form = useRef<HTMLFormElement>(null);
  // The form opens at the end of the page, where the field for the next question may cover it.
  useEffect(() => {
    form.current?.scrollIntoView({ block: 'nearest' });
  }, []);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    onSave(draft.trim());
  };
  return (
    <form ref={form} onSubmit={submit}>
      <Stack gap="xs" align="flex-start" maw={480}>
        <Textarea
          w="100%"
          label={text('ask.comment')}
          value={draft}
          onChange={(event) => setDraft(event.currentTarget.value)}
          autosize
          minRows={2}
          maxRows={8}
          maxLength={MAX_COMMENT}
        />
        <Button type="submit" size="xs" variant="default" loading={isSaving}>
          {text('ask.saveComment')}
        </Button>
      </Stack>
    </form>
  );
}
