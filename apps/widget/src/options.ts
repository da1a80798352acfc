import { chooseLanguage, type Language } from '@citewell/contracts/messages';

/** The attributes of the script or the element, with defaults. */
export interface Options {
  /** The address of the service, with a slash at its end. */
  server: string;
  agentId: string;
  key: string;
  mode: 'launcher' | 'page';
  theme: 'auto' | 'light' | 'dark';
  position: 'right' | 'left';
  /** A CSS color; null is the default of the style sheet. */
  accent: string | null;
  /** Null: the name of the agent. */
  title: string | null;
  /** Null: the description of the agent. */
  greeting: string | null;
  language: Language;
}

/** What the attributes leave open. */
export interface Surroundings {
  server: string;
  /** In order of preference. */
  languages: readonly string[];
}

/**
 * @param data the `data-…` attributes, by their name in `dataset`
 * @throws Error without an agent or a key
 */
export function readOptions(
  data: Readonly<Record<string, string | undefined>>,
  { server, languages }: Surroundings,
): Options {
  const { agent, key, lang } = data;
  if (!agent || !key)
    throw new Error('The Citewell widget needs the attributes data-agent and data-key. See docs/widget.md.');
  return {
    server: data['server'] ?? server,
    agentId: agent,
    key,
    mode: oneOf(['launcher', 'page'], data['mode']),
    theme: oneOf(['auto', 'light', 'dark'], data['theme']),
    position: oneOf(['right', 'left'], data['position']),
    accent: data['accent'] || null,
    title: data['title'] || null,
    greeting: data['greeting'] || null,
    language: chooseLanguage(lang ? [lang, ...languages] : languages),
  };
}

/** The value, if it is one of the choices; otherwise the first choice. */
function oneOf<Choice extends string>(
  choices: readonly [Choice, ...Choice[]],
  value: string | undefined,
): Choice {
  return choices.find((choice) => choice === value) ?? choices[0];
}
