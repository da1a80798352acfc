import type { ReactNode } from 'react';
import { Icon } from './icon.js';

/** Marks the chosen item of a menu. */
export function CheckMark({ isChosen }: { isChosen: boolean }): ReactNode {
  return (
    <span style={{ display: 'inline-flex', width: 16 }}>{isChosen && <Icon name="check" size={16} />}</span>
  );
}
