import { RENDER_MODES } from '@citewell/contracts/http';

/** `auto` opens pages in a browser that have no text without one. */
export type RenderMode = (typeof RENDER_MODES)[number];

/** @param value of a datasource's `config.render`; anything but a mode is `auto` */
export function renderModeOf(value: unknown): RenderMode {
  return RENDER_MODES.find((mode) => mode === value) ?? 'auto';
}
