import {
  Box,
  Button,
  Divider,
  Group,
  Select,
  SimpleGrid,
  Stack,
  Text,
  TextInput,
  Title,
} from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import type { ExplainedPassage, SearchExplanation } from '@citewell/sdk';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type FormEvent, Fragment, type ReactNode, useState } from 'react';
import { agentName } from '../agents/agent-options.js';
import { agentsQuery } from '../agents/agents.js';
import { client } from '../../client.js';
import { ApiCall } from '../../components/api-call.js';
import { ConditionLines } from '../../components/condition-lines.js';
import { ErrorNotice } from '../../components/error-notice.js';
import { useTranslator } from '../../messages/messages.js';
import { choicesQuery, MAX_CHOICES } from '../../content/datasources/content-queries.js';
import { displayName } from '../../content/datasources/datasource-display.js';
import { Passage } from './passage.js';
import { type AgentLine, agentLines, type Condition, FIELDS, filtersOf, KINDS } from './search-conditions.js';

/** The API allows more, but people do not type more. */
const MAX_CONDITIONS = 10;

const NEW_CONDITION: Condition = { field: 'name', key: '', value: '' };

const TOP_K = 10;
/** Agents that a line names. */
const MAX_NAMED_AGENTS = 3;

/** Shows the passages that a question finds, without an answer, and why they are in this order. */
export function SearchPanel({
  datastoreId,
  initialQuery,
}: {
  datastoreId: string;
  initialQuery: string;
}): ReactNode {
  const { text } = useTranslator();
  const navigate = useNavigate();
  const [draft, setDraft] = useState(initialQuery);
  const [chosen, setChosen] = useState<ChosenDocument>({ id: null, partId: null });
  const [conditions, setConditions] = useState<readonly Condition[]>([]);
  // A search for each letter of a value would be too many.
  const [settled] = useDebouncedValue(conditions, 300);
  const filters = filtersOf(settled, chosen.partId ?? chosen.id);
  const agents = useQuery(agentsQuery).data?.map((agent) => ({ ...agent, name: agentName(agent, text) }));
  const request = {
    query: initialQuery,
    topK: TOP_K,
    ...(filters === undefined ? {} : { filters }),
  };
  const results = useQuery({
    queryKey: ['search', datastoreId, request],
    queryFn: () => client.datastores.explain(datastoreId, request),
    enabled: initialQuery !== '',
    placeholderData: (previous) => previous,
  });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    void navigate({ to: '.', search: { query: draft.trim() } });
  };
  return (
    <Stack>
      <Text c="dimmed" size="sm">
        {text('search.text')}
      </Text>
      <form onSubmit={submit} role="search">
        <Group gap="xs" align="flex-end">
          <TextInput
            type="search"
            flex={1}
            miw={220}
            label={text('search.query')}
            placeholder={text('search.placeholder')}
            value={draft}
            onChange={(event) => setDraft(event.currentTarget.value)}
          />
          <DocumentChoice datastoreId={datastoreId} value={chosen} onChange={setChosen} />
          <Button type="submit" loading={results.isFetching} disabled={draft.trim() === ''}>
            {text('search.submit')}
          </Button>
        </Group>
        <Box mt="xs">
          <ConditionLines
            value={conditions}
            onChange={setConditions}
            added={NEW_CONDITION}
            max={MAX_CONDITIONS}
          >
            {(condition, change) => <ConditionFields condition={condition} onChange={change} />}
          </ConditionLines>
        </Box>
      </form>
      {results.isError && <ErrorNotice error={results.error} onRetry={() => void results.refetch()} />}
      {results.data && (
        <Explanation
          explanation={results.data}
          lines={agents ? agentLines(results.data.passages, agents, datastoreId) : []}
          isWithin={filters !== undefined}
        />
      )}
      {initialQuery !== '' && (
        <ApiCall method="POST" path={`/datastores/${datastoreId}/query`} body={request} />
      )}
    </Stack>
  );
}

function Explanation({
  explanation,
  lines,
  isWithin,
}: {
  explanation: SearchExplanation;
  lines: readonly AgentLine[];
  /** Not all documents are searched. */
  isWithin: boolean;
}): ReactNode {
  const { text } = useTranslator();
  const { passages, words, meaning, terms } = explanation;
  const shown = { isWithin, hasMeaning: meaning !== null };
  return (
    <Stack gap="xs">
      {terms.length > 0 && (
        <Text size="sm" c="dimmed">
          {text('search.terms', { terms: terms.join(', ') })}
        </Text>
      )}
      <SimpleGrid cols={{ base: 1, md: meaning === null ? 2 : 3 }}>
        <Results
          title={text('search.fused')}
          hint={text('search.fusedHint')}
          passages={passages}
          lines={lines}
          {...shown}
        />
        <Results
          title={text('search.words')}
          hint={text('search.wordsHint')}
          passages={words}
          isOfLeg
          {...shown}
        />
        {meaning !== null && (
          <Results
            title={text('search.meaning')}
            hint={text('search.meaningHint')}
            passages={meaning}
            isOfLeg
            {...shown}
          />
        )}
      </SimpleGrid>
      {meaning === null && (
        <Text size="sm" c="dimmed">
          {text('search.noMeaning')}
        </Text>
      )}
    </Stack>
  );
}

function Results({
  title,
  hint,
  passages,
  lines = [],
  isOfLeg = false,
  ...shown
}: {
  title: string;
  hint: string;
  passages: readonly ExplainedPassage[];
  lines?: readonly AgentLine[];
  isOfLeg?: boolean;
  isWithin: boolean;
  hasMeaning: boolean;
}): ReactNode {
  const { text } = useTranslator();
  const linesAt = (count: number): ReactNode =>
    lines.filter((line) => line.count === count).map((line) => <Line key={count} line={line} />);
  return (
    <Stack component="section" aria-label={title} gap="sm">
      <div>
        <Title order={2} fz="md">
          {title}
        </Title>
        <Text size="xs" c="dimmed">
          {hint}
        </Text>
      </div>
      {passages.length === 0 && <Text size="sm">{text('search.none')}</Text>}
      {passages.length > 0 && linesAt(0)}
      {passages.map((passage, index) => (
        <Fragment key={passage.chunk_id}>
          <Passage passage={passage} isOfLeg={isOfLeg} {...shown} />
          {linesAt(index + 1)}
        </Fragment>
      ))}
    </Stack>
  );
}

/** Where the passages end that some agents read. */
function Line({ line: { count, readers } }: { line: AgentLine }): ReactNode {
  const { text } = useTranslator();
  const named = readers
    .slice(0, MAX_NAMED_AGENTS)
    .map(({ name, minScore, topK }) =>
      text('search.lineAgent', { name: name ?? text('search.newAgent'), minimum: minScore, count: topK }),
    );
  const more = readers.length - named.length;
  const agents = [...named, ...(more > 0 ? [text('search.moreAgents', { count: more })] : [])].join(', ');
  return (
    <div>
      <Divider color="blue" />
      <Text size="xs" dir="auto" pt={4}>
        {text(count === 0 ? 'search.lineNothing' : 'search.line', { agents })}
      </Text>
    </div>
  );
}

/** A document, or a site or an archive with one of its parts. */
interface ChosenDocument {
  readonly id: string | null;
  /** A page of the site, or a file of the archive. */
  readonly partId: string | null;
}

/** Chooses a document of a datastore. The pages of a site and the files of an archive are a second choice. */
function DocumentChoice({
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
      <DatasourceSelect
        filter={{ datastoreId }}
        label={text('search.within')}
        placeholder={text('search.everywhere')}
        value={id}
        onChange={(chosen) => onChange({ id: chosen, partId: null })}
      />
      {id !== null && (
        <DatasourceSelect
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

function DatasourceSelect({
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

/** A condition that the documents of a search must meet. */
function ConditionFields({
  condition,
  onChange,
}: {
  condition: Condition;
  onChange: (condition: Condition) => void;
}): ReactNode {
  const { text } = useTranslator();
  return (
    <>
      <Select
        label={text('search.field')}
        w={200}
        allowDeselect={false}
        data={FIELDS.map((field) => ({ value: field, label: text(`search.field.${field}`) }))}
        value={condition.field}
        onChange={(field) =>
          onChange({ ...NEW_CONDITION, field: FIELDS.find((known) => known === field) ?? 'name' })
        }
      />
      {condition.field === 'metadata' && (
        <TextInput
          label={text('search.key')}
          w={160}
          value={condition.key}
          onChange={(event) => onChange({ ...condition, key: event.currentTarget.value })}
        />
      )}
      <ConditionValue condition={condition} onChange={(value) => onChange({ ...condition, value })} />
    </>
  );
}

function ConditionValue({
  condition: { field, value },
  onChange,
}: {
  condition: Condition;
  onChange: (value: string) => void;
}): ReactNode {
  const { text } = useTranslator();
  const label = text('search.value');
  if (field === 'type')
    return (
      <Select
        label={label}
        w={240}
        data={KINDS.map((kind) => ({ value: kind, label: text(`search.kind.${kind}`) }))}
        value={value === '' ? null : value}
        onChange={(kind) => onChange(kind ?? '')}
      />
    );
  return (
    <TextInput
      label={label}
      w={240}
      type={field === 'after' || field === 'before' ? 'date' : 'text'}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}
