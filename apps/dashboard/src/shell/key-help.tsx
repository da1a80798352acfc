import { Modal, Table } from '@mantine/core';
import { Fragment, type ReactNode } from 'react';
import { useTranslator } from '../messages/messages.js';

const MOD = /Mac|iP/.test(navigator.userAgent) ? '⌘' : 'Ctrl';

/** Each with the keys that are pressed together, one choice after the other. */
const KEYS = [
  { label: 'keys.search', choices: [[MOD, 'K'], ['/']] },
  { label: 'keys.help', choices: [['?']] },
  { label: 'keys.send', choices: [['Enter']] },
  { label: 'keys.newLine', choices: [['Shift', 'Enter']] },
  { label: 'keys.citations', choices: [['J'], ['K']] },
  { label: 'keys.close', choices: [['Esc']] },
] as const;

/** The keys of the dashboard. */
export function KeyHelp({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }): ReactNode {
  const { text } = useTranslator();
  return (
    <Modal
      opened={isOpen}
      onClose={onClose}
      title={text('keys.title')}
      closeButtonProps={{ 'aria-label': text('action.close') }}
    >
      <Table>
        <Table.Tbody>
          {KEYS.map(({ label, choices }) => (
            <Table.Tr key={label}>
              <Table.Th scope="row" fw={400}>
                {text(label)}
              </Table.Th>
              <Table.Td ta="end" style={{ whiteSpace: 'nowrap' }}>
                {choices.map((keys, index) => (
                  <Fragment key={keys.join()}>
                    {index > 0 && ', '}
                    {keys.map((key, place) => (
                      <Fragment key={key}>
                        {place > 0 && ' + '}
                        <kbd>{key}</kbd>
                      </Fragment>
                    ))}
                  </Fragment>
                ))}
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Modal>
  );
}
