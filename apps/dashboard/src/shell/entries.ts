import type { IconName } from '../components/icon.js';
import type { MessageKey } from '../messages/translator.js';

/** The entries of the rail. */
export const ENTRIES = [
  { to: '/ask', label: 'nav.ask', icon: 'ask' },
  { to: '/library', label: 'nav.library', icon: 'library' },
  { to: '/agents', label: 'nav.agents', icon: 'agents' },
  { to: '/settings', label: 'nav.settings', icon: 'settings' },
] as const satisfies { to: string; label: MessageKey; icon: IconName }[];
