import type { Source } from '@citewell/sdk';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslator } from '../messages/messages.js';
import classes from './ask.module.css';

/** Where a passage is in the reader. */
export function placeOf({ datasource_id, start, end, page_number, revision }: Source) {
  return {
    to: '/documents/$datasourceId',
    params: { datasourceId: datasource_id },
    search: { start, end, page: page_number, revision },
  } as const;
}

/** The number of a source in an answer. It opens the quote in its document. */
export function CitationLink({
  source,
  number,
  isActive,
  onActive,
}: {
  source: Source;
  number: number;
  isActive: boolean;
  onActive: (number: number | null) => void;
}): ReactNode {
  const { text } = useTranslator();
  return (
    <Link
      {...placeOf(source)}
      className={classes['citation']}
      data-active={isActive || undefined}
      aria-label={text('ask.citation', { number, name: source.datasource_name })}
      onMouseEnter={() => onActive(number)}
      onMouseLeave={() => onActive(null)}
      onFocus={() => onActive(number)}
      onBlur={() => onActive(null)}
    >
      {number}
    </Link>
  );
}
