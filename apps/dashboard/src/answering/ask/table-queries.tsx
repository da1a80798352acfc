import { Collapse, Text, UnstyledButton } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { Source } from '@citewell/sdk';
import type { ReactNode } from 'react';
import { useTranslator } from '../../messages/messages.js';
import classes from './ask.module.css';

type Query = NonNullable<NonNullable<Source['table']>['queries']>[number];

/** The queries of tables from which the numbers of an answer are, with their rows, on request. */
export function TableQueries({ queries }: { queries: readonly Query[] }): ReactNode {
  const { text } = useTranslator();
  const [isOpen, { toggle }] = useDisclosure(false);
  return (
    <>
      <UnstyledButton onClick={toggle} aria-expanded={isOpen} mt={4} display="block">
        <Text size="xs" c="dimmed" td="underline">
          {text('ask.queries')}
        </Text>
      </UnstyledButton>
      <Collapse expanded={isOpen}>
        {isOpen && queries.map((query, index) => <QueriedRows key={index} query={query} />)}
      </Collapse>
    </>
  );
}

function QueriedRows({
  query: { sql, tables, columns, rows, row_count: count },
}: {
  query: Query;
}): ReactNode {
  const { counted } = useTranslator();
  return (
    <div className={classes['answer'] ?? ''} dir="auto">
      <Text size="xs" c="dimmed" mt={4}>
        {tables
          .map(({ name, datasource_name: document, table }) => `${name}: ${document}, ${table}`)
          .join(' · ')}
      </Text>
      <pre className={classes['query'] ?? ''}>{sql}</pre>
      <div className={classes['table'] ?? ''}>
        <table>
          <thead>
            <tr>
              {columns.map(({ name, unit }, at) => (
                <th key={at}>{unit === undefined ? name : `${name} (${unit})`}</th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row, index) => (
              <tr key={index}>
                {row.map((cell, at) => (
                  <td key={at}>{cell}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {count !== undefined && count !== rows.length && (
        <Text size="xs" c="dimmed">
          {counted('ask.queriedRows', count)}
        </Text>
      )}
    </div>
  );
}
