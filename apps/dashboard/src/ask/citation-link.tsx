import type { Source } from '@citewell/sdk';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslator } from '../messages/messages.js';
import { type Citation, placeOf } from '../reader/citations.js';
import classes from './ask.module.css';

/** The number of a source in an answer. It opens the quote in its document. */
export function CitationLink({
  source,
  citations,
  number,
  isActive,
  onActive,
}: {
  source: Source;
  /** All citations of the answer. */
  citations: readonly Citation[];
  number: number;
  isActive: boolean;
  onActive: (number: number | null) => void;
}): ReactNode {
  const { text } = useTranslator();
  return (
    <Link
      {...placeOf(source, citations)}
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
