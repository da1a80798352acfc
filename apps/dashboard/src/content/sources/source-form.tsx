import type { CheckSource, CreateDatasource, Datasource, SourceCheck, SourceKindInfo } from '@citewell/sdk';
import { Code, List, PasswordInput, Select, Stack, Text } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { client } from '../../client.js';
import { Form, SubmitButton } from '../../components/form.js';
import { QueryState } from '../../components/query.js';
import { Trial } from '../../components/trial.js';
import { useTexts, useTranslator } from '../../messages/messages.js';
import {
  changesOf,
  configOf,
  fieldsOf,
  type FieldValues,
  isComplete,
  secretsOf,
  type SourceConfig,
  valuesOf,
} from './source-fields.js';
import { SourceFieldInput } from './source-field-input.js';

/** The configuration of a source, and the secrets that were entered. */
interface Source {
  readonly config: SourceConfig;
  readonly secrets: Readonly<Record<string, string>>;
}

/** Fields of all kinds. They stand below the secrets. */
const COMMON: readonly string[] = ['include', 'exclude', 'schedule'];
const KINDS = { queryKey: ['source-kinds'], queryFn: () => client.datasources.sourceKinds() };

/** Connects a library to a source of any kind. */
export function AddSource({ datastoreId, onAdded }: { datastoreId: string; onAdded: () => void }): ReactNode {
  const { text } = useTexts('sources');
  const kinds = useQuery(KINDS);
  const [chosen, setChosen] = useState<string | null>(null);
  const usable = (kinds.data ?? []).filter(({ problem }) => problem === null);
  const info = usable.find(({ kind }) => kind === chosen) ?? usable[0];
  // The API checks what the form of the schema gives.
  const create = ({ config, secrets }: Source): Promise<Datasource> =>
    client.datasources.create({ type: 'source', datastoreId, config, secrets } as CreateDatasource);
  return (
    <Stack>
      <QueryState of={kinds} height={240} />
      {info && (
        <>
          <Select
            label={text('kind')}
            data={usable.map(({ kind }) => ({ value: kind, label: text(`kind.${kind}`) }))}
            value={info.kind}
            allowDeselect={false}
            onChange={setChosen}
          />
          <SourceForm
            key={info.kind}
            info={info}
            submitLabel={text('connect')}
            onSubmit={create}
            onDone={onAdded}
          />
        </>
      )}
      <UnusableKinds kinds={(kinds.data ?? []).filter(({ problem }) => problem !== null)} />
    </Stack>
  );
}

/** Changes the configuration and the secrets of a source. */
export function EditSource({
  datasource,
  onSaved,
}: {
  datasource: Datasource;
  onSaved: () => void;
}): ReactNode {
  const { text } = useTranslator();
  const kinds = useQuery(KINDS);
  const info = kinds.data?.find(({ kind }) => kind === datasource.config['kind']);
  const update = ({ config, secrets }: Source, fields: ReturnType<typeof fieldsOf>): Promise<Datasource> =>
    client.datasources.update(datasource.id, {
      config: changesOf(config, fields),
      ...(Object.keys(secrets).length > 0 && { secrets }),
    });
  return (
    <>
      <QueryState of={kinds} height={240} />
      {info && (
        <SourceForm
          info={info}
          datasource={datasource}
          submitLabel={text('action.save')}
          onSubmit={update}
          onDone={onSaved}
        />
      )}
    </>
  );
}

function UnusableKinds({ kinds }: { kinds: readonly SourceKindInfo[] }): ReactNode {
  const { text } = useTexts('sources');
  if (kinds.length === 0) return null;
  return (
    <details>
      <Text component="summary" size="sm" c="dimmed" style={{ cursor: 'pointer' }}>
        {text('unavailable')}
      </Text>
      <List size="sm" mt="xs">
        {kinds.map(({ kind, problem }) => (
          <List.Item key={kind}>
            {text(`kind.${kind}`)}: <span lang="en">{problem}</span>
          </List.Item>
        ))}
      </List>
    </details>
  );
}

/** The fields that the kind of a source describes, with a test of the connection. */
function SourceForm({
  info,
  datasource,
  submitLabel,
  onSubmit,
  onDone,
}: {
  info: SourceKindInfo;
  /** Absent for a new source. */
  datasource?: Datasource;
  submitLabel: string;
  onSubmit: (source: Source, fields: ReturnType<typeof fieldsOf>) => Promise<unknown>;
  onDone: () => void;
}): ReactNode {
  const { text, textOr } = useTexts('sources');
  const queryClient = useQueryClient();
  const [values, setValues] = useState<FieldValues>(() => (datasource ? valuesOf(datasource.config) : {}));
  const [entered, setEntered] = useState<Readonly<Record<string, string>>>({});
  const provider = String(values['provider'] ?? '');
  const fields = fieldsOf(info, provider);
  const titles = secretsOf(info, provider);
  const config = configOf(info.kind, fields, values);
  const given = Object.keys(titles).flatMap((name) => (entered[name] ? [[name, entered[name]]] : []));
  const source: Source = { config, secrets: Object.fromEntries(given) as Record<string, string> };
  const isReady = isComplete(fields, config);
  const submit = useMutation({
    mutationFn: () => onSubmit(source, fields),
    onSuccess: onDone,
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['datasources'] }),
  });
  const stored = datasource?.secrets ?? [];
  const tried = { ...source, ...(datasource && { datasourceId: datasource.id }) };
  const inputs = (shown: typeof fields): ReactNode =>
    shown.map((field) => (
      <SourceFieldInput
        key={field.name}
        kind={info.kind}
        field={field}
        value={values[field.name] ?? field.initial}
        isDisabled={datasource !== undefined && field.isFixed}
        onChange={(value) => setValues({ ...values, [field.name]: value })}
      />
    ));
  return (
    <Form onSubmit={() => submit.mutate()}>
      {inputs(fields.filter(({ name }) => !COMMON.includes(name)))}
      {Object.entries(titles).map(([name, title]) => (
        <PasswordInput
          key={name}
          label={textOr(`secret.${info.kind}.${name}`, title)}
          {...(stored.includes(name) && { description: text('stored') })}
          value={entered[name] ?? ''}
          onChange={({ currentTarget: { value } }) => setEntered({ ...entered, [name]: value })}
          autoComplete="off"
        />
      ))}
      {stored.length > 0 && (
        <Text size="sm" c="dimmed">
          {text('elsewhere')}
        </Text>
      )}
      {inputs(fields.filter(({ name }) => COMMON.includes(name)))}
      <Trial
        config={isReady ? tried : null}
        label={text('test')}
        run={(checked) => client.datasources.checkSource(checked as unknown as CheckSource)}
      >
        {(check) => <FoundDocuments check={check} />}
      </Trial>
      <Text size="sm" c="dimmed">
        {text('follows')}
      </Text>
      <SubmitButton of={submit} disabled={!isReady}>
        {submitLabel}
      </SubmitButton>
    </Form>
  );
}

function FoundDocuments({
  check: { message, documents, found, leftOut, isComplete: isAll },
}: {
  check: SourceCheck;
}): ReactNode {
  const { text, counted } = useTranslator();
  return (
    <Stack gap="xs" w="100%" role="status">
      <Text size="sm" c="dimmed" lang="en">
        {message}
      </Text>
      <Text size="sm">
        {counted(isAll ? 'source.found' : 'source.foundAtLeast', found)}
        {leftOut > 0 && ` ${text('source.leftOut', { count: String(leftOut) })}`}
      </Text>
      <List size="sm" style={{ overflowWrap: 'anywhere' }}>
        {documents.map(({ path }) => (
          <List.Item key={path}>
            <Code>{path}</Code>
          </List.Item>
        ))}
      </List>
    </Stack>
  );
}
