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
  primaryShade: { light: 7, dark: 5 },
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

/** Secondary text with a contrast of at least 4.5:1 on all backgrounds (WCAG 2.2, 1.4.3). Mantine's has 3.3:1. */
export const variables: CSSVariablesResolver = () => ({
  variables: {},
  light: { '--mantine-color-dimmed': '#5c636a', '--mantine-color-placeholder': '#6c737a' },
  dark: { '--mantine-color-dimmed': '#a6a7ab', '--mantine-color-placeholder': '#909296' },
});
