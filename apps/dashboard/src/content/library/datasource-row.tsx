import { ActionIcon, Anchor, Checkbox, Group, Menu, Text } from '@mantine/core';
import type { Datasource } from '@citewell/sdk';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Icon, type IconName } from '../../components/icon.js';
import { useTranslator } from '../../messages/messages.js';
import { useReplaceFile } from './replace-file-button.js';
import { Permitted } from '../../identity/sign-in/session.js';
import { useDatasourceAction } from '../datasources/datasource-action.js';
import {
  addressOf,
  displayName,
  folderOf,
  isGroup,
  isUnfinished,
} from '../datasources/datasource-display.js';
import classes from './datasource-table.module.css';
import { isReplaceable } from './status-words.js';
import { sizeWords } from '../../components/size-words.js';
import { StatusCell } from './status-cell.js';

const ICONS: Readonly<Record<Datasource['type'], IconName>> = {
  file: 'file',
  web_page: 'page',
  web_site: 'site',
  source: 'library',
  text: 'text',
};

/** A row of the table. */
export function DatasourceRow({
  row: datasource,
  isSelected,
  onSelect,
}: {
  row: Datasource;
  isSelected: boolean;
  onSelect: (isSelected: boolean) => void;
}): ReactNode {
  const { text, ago, time, language } = useTranslator();
  const { name, stats, timestamps } = datasource;
  const updatedAt = timestamps.lastSynch ?? timestamps.createdAt;
  return (
    <div role="row" className={classes['row']}>
      <div role="cell">
        <Permitted>
          <Checkbox
            size="xs"
            aria-label={text('documents.select', { name })}
            checked={isSelected}
            onChange={({ currentTarget }) => onSelect(currentTarget.checked)}
          />
        </Permitted>
      </div>
      <Group role="cell" gap="xs" wrap="nowrap" miw={0} title={name}>
        <Icon name={ICONS[datasource.type]} />
        <div style={{ minWidth: 0 }}>
          <NameLink datasource={datasource} />
          <Place datasource={datasource} />
        </div>
      </Group>
      <StatusCell datasource={datasource} />
      <Text role="cell" size="sm" c="dimmed">
        {stats.bytes > 0 ? sizeWords(stats.bytes, language) : ''}
      </Text>
      <Text role="cell" size="sm" c="dimmed" title={time(updatedAt)}>
        {ago(updatedAt)}
      </Text>
      <div role="cell">
        <Permitted>
          <RowMenu datasource={datasource} />
        </Permitted>
      </div>
    </div>
  );
}

/** The address of a web page below its title, the folder of a document below its name, or what kind of export an archive is. */
function Place({ datasource }: { datasource: Datasource }): ReactNode {
  const { text } = useTranslator();
  const { exportOf } = datasource;
  const kind = exportOf === undefined ? null : text(`export.${exportOf}`);
  const place = kind ?? addressOf(datasource) ?? folderOf(datasource);
  if (place === null || place === displayName(datasource)) return null;
  return (
    <Text size="xs" c="dimmed" truncate title={place}>
      {place}
    </Text>
  );
}

function NameLink({ datasource }: { datasource: Datasource }): ReactNode {
  const { id, datastoreId } = datasource;
  return (
    <Anchor
      c="inherit"
      fw={500}
      display="block"
      truncate
      dir="auto"
      renderRoot={(props) =>
        isGroup(datasource) ? (
          <Link to="/library/$datastoreId" params={{ datastoreId }} search={{ group: id }} {...props} />
        ) : (
          <Link to="/documents/$datasourceId" params={{ datasourceId: id }} {...props} />
        )
      }
    >
      {displayName(datasource)}
    </Anchor>
  );
}

function RowMenu({ datasource }: { datasource: Datasource }): ReactNode {
  const { text } = useTranslator();
  const { choose, input } = useReplaceFile(datasource);
  const act = useDatasourceAction(datasource.id);
  return (
    <>
      {input}
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label={text('documents.actions', { name: datasource.name })}
          >
            <Icon name="more" />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          {isUnfinished(datasource) ? (
            <Menu.Item leftSection={<Icon name="stop" size={16} />} onClick={() => act.mutate('cancel')}>
              {text('documents.stop')}
            </Menu.Item>
          ) : (
            <Menu.Item leftSection={<Icon name="sync" size={16} />} onClick={() => act.mutate('sync')}>
              {text('documents.sync')}
            </Menu.Item>
          )}
          {isReplaceable(datasource) && (
            <Menu.Item leftSection={<Icon name="upload" size={16} />} onClick={choose}>
              {text('documents.replace')}
            </Menu.Item>
          )}
          {/* The page of a source asks whether its documents stay. */}
          {datasource.type !== 'source' && (
            <Menu.Item
              color="red"
              leftSection={<Icon name="trash" size={16} />}
              onClick={() => act.mutate('delete')}
            >
              {text('action.delete')}
            </Menu.Item>
          )}
        </Menu.Dropdown>
      </Menu>
    </>
  );
}
