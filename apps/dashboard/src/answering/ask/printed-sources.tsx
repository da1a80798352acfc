import type { Source } from '@citewell/sdk';
import type { ReactNode } from 'react';
import { useTranslator } from '../../messages/messages.js';
import classes from './ask.module.css';
import { shownQuote } from './shown-quote.js';

/** The sources that an answer cites, on paper: below the answer, with their quotes and addresses. */
export function PrintedSources({ sources }: { sources: readonly Source[] }): ReactNode {
  const { text } = useTranslator();
  const cited = sources.flatMap((source, index) => (source.cited ? [{ source, number: index + 1 }] : []));
  if (cited.length === 0) return null;
  return (
    <ul className={classes['onPaper']} aria-hidden>
      {cited.map(({ source: { datasource_name, page_number, source, quote, text: passage }, number }) => (
        <li key={number}>
          [{number}] <strong>{datasource_name}</strong>
          {page_number !== undefined && `, ${text('ask.page', { page: page_number })}`}
          {source !== datasource_name && `, ${source}`}
          <div className={classes['passage']}>{shownQuote(quote?.text ?? passage)}</div>
        </li>
      ))}
    </ul>
  );
}
