import {
  createTheme,
  type CSSVariablesResolver,
  type MantineColorsTuple,
  Textarea,
  TextInput,
} from '@mantine/core';

const teal: MantineColorsTuple = [
  '#eaf6f5',
  '#d6ebe9',
  '#aad7d3',
  '#7bc2bd',
  '#54b0aa',
  '#3ba59e',
  '#27908a',
  '#1b7570',
  '#115f5b',
  '#034a46',
];

/** One accent colour, neutral greys and the fonts of the system. */
export const theme = createTheme({
  colors: { teal },
  primaryColor: 'teal',
  primaryShade: { light: 7, dark: 6 },
  autoContrast: true,
  defaultRadius: 'md',
  cursorType: 'pointer',
  respectReducedMotion: true,
  fontFamily: 'system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif',
  fontFamilyMonospace: 'ui-monospace, SFMono-Regular, Menlo, Consolas, monospace',
  headings: { fontWeight: '650', sizes: { h1: { fontSize: '1.5rem' }, h2: { fontSize: '1.2rem' } } },
  components: {
    // What a user types may run from right to left.
    TextInput: TextInput.extend({ defaultProps: { dir: 'auto' } }),
    Textarea: Textarea.extend({ defaultProps: { dir: 'auto' } }),
  },
});

/**
 * Texts have a contrast of at least 4.5:1 on all backgrounds (WCAG 2.2, 1.4.3), and so has white on filled elements. Mantine's
 * secondary text has 3.3:1, its white on red 3.8:1, and its errors 3.3:1 in light and 3:1 in dark colours. A dark filled element has
 * 3:1 to the page.
 */
export const variables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    '--mantine-color-dimmed': '#5c636a',
    '--mantine-color-placeholder': '#6c737a',
    '--mantine-color-error': 'var(--mantine-color-red-9)',
    '--mantine-color-red-filled': 'var(--mantine-color-red-9)',
  },
  dark: {
    '--mantine-color-dimmed': '#a6a7ab',
    '--mantine-color-placeholder': '#9a9c9f',
    '--mantine-color-error': 'var(--mantine-color-red-4)',
    '--mantine-color-red-filled': 'var(--mantine-color-red-8)',
    '--mantine-color-red-filled-hover': 'var(--mantine-color-red-9)',
    '--mantine-color-teal-filled': '#22827c',
  },
});
