import { RENDER_MODES } from '@citewell/contracts/schemas';

/** `auto` renders pages that have no text without JavaScript. */
export type RenderMode = (typeof RENDER_MODES)[number];

/** @param value the `config.render` of a datasource; an unknown value means `auto` */
export function renderModeOf(value: unknown): RenderMode {
  return RENDER_MODES.find((mode) => mode === value) ?? 'auto';
}
