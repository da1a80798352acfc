import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { useTranslator } from '../messages/messages.js';
import { useSession } from '../identity/sign-in/session.js';
import { readQuestionSet, withQuestion, writeQuestionSet } from './question-set.js';

/** Adds a question to the set that the browser keeps, then links to the set, where the expected text is entered. */
export function AddToQuestionsButton({ question }: { question: string }): ReactNode {
  const { text } = useTranslator();
  const { organization } = useSession();
  const [isAdded, setAdded] = useState(false);
  if (isAdded)
    return (
      <Button size="xs" variant="light" renderRoot={(props) => <Link to="/evaluations" {...props} />}>
        {text('evaluations.added')}
      </Button>
    );
  return (
    <Button
      size="xs"
      variant="default"
      onClick={() => {
        writeQuestionSet(organization.id, withQuestion(readQuestionSet(organization.id), question));
        setAdded(true);
      }}
    >
      {text('evaluations.add')}
    </Button>
  );
}
