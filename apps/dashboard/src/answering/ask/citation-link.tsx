import { Tooltip } from '@mantine/core';
import type { Source } from '@citewell/sdk';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslator } from '../../messages/messages.js';
import { type Citation, placeOf } from '../../content/viewer/citations.js';
import classes from './ask.module.css';
import { useCitationClick } from './open-citation.js';
import { shownQuote } from './turn.js';

export interface CitationProps {
  source: Source;
  /** All citations of the answer. */
  citations: readonly Citation[];
  number: number;
  isActive: boolean;
  /** The pointer or the focus is on the citation of this number; null: on none. */
  onActive: (number: number | null) => void;
}

/** Makes an element light up with the others of the same citation, by pointer and by keyboard. */
export function lightUp({ number, isActive, onActive }: Omit<CitationProps, 'source' | 'citations'>) {
  const [enter, leave] = [() => onActive(number), () => onActive(null)];
  return {
    'data-active': isActive || undefined,
    onMouseEnter: enter,
    onMouseLeave: leave,
    onFocus: enter,
    onBlur: leave,
  };
}

/** The number of a source in an answer. It shows the quote when one hovers it, and opens the quote in its document. */
export function CitationLink({
  source,
  citations,
  isAdded,
  ...citation
}: CitationProps & { isAdded: boolean }): ReactNode {
  const { text } = useTranslator();
  const { number } = citation;
  const { quote, datasource_name, title: name = datasource_name } = source;
  const click = useCitationClick(source, citations);
  const label = text('ask.citation', { number, name });
  const added = isAdded ? text('ask.added') : '';
  return (
    <Tooltip
      label={
        <>
          {added !== '' && <div>{added}</div>}
          <div className={classes['passage']}>{shownQuote(quote?.text ?? '')}</div>
        </>
      }
      disabled={quote === undefined && !isAdded}
      multiline
      maw={360}
      // Towards the start of the line: the source cards are at the other side.
      position="top-end"
      openDelay={300}
      events={{ hover: true, focus: true, touch: false }}
    >
      <Link
        {...placeOf(source, citations)}
        {...click}
        {...lightUp(citation)}
        className={classes['citation']}
        data-added={isAdded || undefined}
        aria-label={isAdded ? `${label}. ${added}` : label}
      >
        {number}
      </Link>
    </Tooltip>
  );
}

/** Stands after a sentence that no passage supports. */
export function UnsupportedMark(): ReactNode {
  const { text } = useTranslator();
  const label = text('ask.unsupported');
  return (
    <Tooltip label={label} events={{ hover: true, focus: true, touch: true }}>
      <span className={classes['unsupported']} role="img" tabIndex={0} aria-label={label}>
        ?
      </span>
    </Tooltip>
  );
}
