import { Group, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { BASE_PATH } from '../address.js';

/** Line icons on a grid of 24 units. */
const PATHS = {
  ask: 'M4 5h16v11H9.5L5 20v-4H4z M8 9h8 M8 12.5h5',
  library: 'M5 4h4v16H5z M9 4h4v16H9z M13.5 5.5l3.8-1 3.7 14.6-3.8 1z',
  agents:
    'M6 8h12a2 2 0 0 1 2 2v7a2 2 0 0 1-2 2H6a2 2 0 0 1-2-2v-7a2 2 0 0 1 2-2z M12 8V4 M9.2 12.5v1.5 M14.8 12.5v1.5',
  settings: 'M4 7h9 M17 7h3 M4 17h3 M11 17h9 M15 5v4 M9 15v4',
  plus: 'M12 5v14 M5 12h14',
  file: 'M6 3h8l4 4v14H6z M14 3v4h4',
  page: 'M3 5h18v14H3z M3 9h18 M6 7h.01 M8.5 7h.01',
  site: 'M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18z M3 12h18 M12 3c5 5 5 13 0 18 M12 3c-5 5-5 13 0 18',
  text: 'M5 6h14 M5 10h14 M5 14h14 M5 18h8',
  more: 'M5 12h.01 M12 12h.01 M19 12h.01',
  check: 'M5 12.5l4.5 4.5L19 7.5',
  warning: 'M12 4l9 16H3z M12 10v4.5 M12 17h.01',
  clock: 'M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18z M12 7v5l3.5 2',
  edit: 'M4 20l1-4L16 5l3 3L8 19z M14 7l3 3',
  copy: 'M9 9h11v11H9z M15 9V4H4v11h5',
  stop: 'M7 7h10v10H7z',
  send: 'M12 19V5 M6 11l6-6 6 6',
  back: 'M19 12H5 M11 6l-6 6 6 6',
  forward: 'M5 12h14 M13 6l6 6-6 6',
  external: 'M13 5h6v6 M19 5l-9 9 M10 6H5v13h13v-5',
  download: 'M12 4v11 M7 11l5 5 5-5 M5 20h14',
  upload: 'M12 16V5 M7 10l5-5 5 5 M5 20h14',
  search: 'M11 4a7 7 0 1 0 0 14 7 7 0 0 0 0-14z M16 16l4.5 4.5',
  up: 'M7 11v9H4v-9z M7 11l4-7c1.6 0 2.4 1 2.1 2.6L12.5 10H19c1 0 1.6.9 1.4 1.8l-1.5 7c-.2.7-.7 1.2-1.4 1.2H7',
  down: 'M7 13V4H4v9z M7 13l4 7c1.6 0 2.4-1 2.1-2.6L12.5 14H19c1 0 1.6-.9 1.4-1.8l-1.5-7C18.700 4.500 18.200 4 17.500 4H7',
  trash: 'M5 7h14 M10 7V4h4v3 M7 7l1 13h8l1-13',
  sync: 'M20 11a8 8 0 0 0-14-4.500L4 8.500 M4 4v4.500h4.500 M4 13a8 8 0 0 0 14 4.500l2-2 M20 20v-4.500h-4.500',
  sort: 'M8 9.500l4-4 4 4 M8 14.500l4 4 4-4',
  sortUp: 'M12 19V5 M6 11l6-6 6 6',
  sortDown: 'M12 5v14 M6 13l6 6 6-6',
  account: 'M12 4a4 4 0 1 0 0 8 4 4 0 0 0 0-8z M4 20c1-4 4.500-5.500 8-5.500s7 1.500 8 5.500',
  signOut: 'M14 4H5v16h9 M10 12h10 M16 8l4 4-4 4',
  key: 'M8 11a4 4 0 1 0 0 8 4 4 0 0 0 0-8z M11 12.500L20 4 M16 8l3 3',
  group:
    'M9 5a3.500 3.500 0 1 0 0 7 3.500 3.500 0 0 0 0-7z M2.500 19.500c.8-3.500 3.300-5 6.500-5s5.700 1.500 6.500 5 M16 5.500a3.200 3.200 0 0 1 0 6.200 M17.500 14.800c2.200.5 3.500 2 4 4.200',
  lock: 'M6 11h12v9H6z M9 11V8a3 3 0 0 1 6 0v3',
} as const;

export type IconName = keyof typeof PATHS;

/** A decorative icon. The element beside it, or its label, says what it means. */
export function Icon({ name, size = 18 }: { name: IconName; size?: number }): ReactNode {
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.7"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      style={{ flex: 'none' }}
    >
      <path d={PATHS[name]} />
    </svg>
  );
}

/** Marks the chosen item of a menu. */
export function CheckMark({ isChosen }: { isChosen: boolean }): ReactNode {
  return (
    <span style={{ display: 'inline-flex', width: 16 }}>{isChosen && <Icon name="check" size={16} />}</span>
  );
}

export function Logo(): ReactNode {
  return (
    <Group gap={10} wrap="nowrap">
      <img src={`${BASE_PATH}/favicon.svg`} alt="" width={28} height={28} />
      <Text fw={700} fz="lg">
        Citewell
      </Text>
    </Group>
  );
}
