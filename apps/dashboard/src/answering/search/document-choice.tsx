import { Select } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslator } from '../../messages/messages.js';
import { choicesQuery, MAX_CHOICES } from '../../content/datasources/datasources.js';
import { displayName } from '../../content/datasources/display-name.js';

/** A document, or a site or an archive with one of its parts. */
export interface ChosenDocument {
  readonly id: string | null;
  /** A page of the site, or a file of the archive. */
  readonly partId: string | null;
}

/** Chooses a document of a datastore. The pages of a site and the files of an archive are a second choice. */
export function DocumentChoice({
  datastoreId,
  value: { id, partId },
  onChange,
}: {
  datastoreId: string;
  value: ChosenDocument;
  onChange: (chosen: ChosenDocument) => void;
}): ReactNode {
  const { text } = useTranslator();
  return (
    <>
      <Choice
        filter={{ datastoreId }}
        label={text('search.within')}
        placeholder={text('search.everywhere')}
        value={id}
        onChange={(chosen) => onChange({ id: chosen, partId: null })}
      />
      {id !== null && (
        <Choice
          filter={{ datastoreId, groupId: id }}
          label={text('search.part')}
          placeholder={text('search.allParts')}
          value={partId}
          onChange={(chosen) => onChange({ id, partId: chosen })}
          isHiddenIfEmpty
        />
      )}
    </>
  );
}

function Choice({
  filter,
  isHiddenIfEmpty = false,
  ...select
}: {
  filter: Parameters<typeof choicesQuery>[0];
  label: string;
  placeholder: string;
  value: string | null;
  onChange: (id: string | null) => void;
  isHiddenIfEmpty?: boolean;
}): ReactNode {
  const { text } = useTranslator();
  const { data = [] } = useQuery(choicesQuery(filter));
  if (isHiddenIfEmpty && data.length === 0) return null;
  return (
    <Select
      {...select}
      {...(data.length < MAX_CHOICES
        ? {}
        : { description: text('search.choicesCut', { count: MAX_CHOICES }) })}
      clearable
      searchable
      limit={100}
      w={240}
      data={data.map((datasource) => ({ value: datasource.id, label: displayName(datasource) }))}
    />
  );
}
