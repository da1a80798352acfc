import type { MessageKey } from '../messages/translator.js';

/** The tabs of the settings. Who is no administrator has the usage alone. */
export const SETTINGS_TABS = [
  { name: 'keys', label: 'settings.keys' },
  { name: 'usage', label: 'settings.usage' },
  { name: 'people', label: 'people.title' },
  { name: 'groups', label: 'groups.title' },
  { name: 'audit', label: 'audit.title' },
  { name: 'single-sign-on', label: 'settings.singleSignOn' },
  { name: 'models', label: 'models.title' },
  { name: 'health', label: 'health.title' },
] as const satisfies { name: string; label: MessageKey }[];

export type SettingsTab = (typeof SETTINGS_TABS)[number];

export function isOpenTo({ name }: SettingsTab, isAdministrator: boolean): boolean {
  return isAdministrator || name === 'usage';
}
