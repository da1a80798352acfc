import { text } from 'node:stream/consumers';
import type { ChatSettings, ChooseChatModel, ModelTest } from '@citewell/sdk';
import { printToStderr } from '../terminal/output.js';
import { inOneLine } from '../terminal/printable.js';

/** Parses `<provider>:<model>`. A name without a known provider belongs to an OpenAI-compatible server. */
export function parseChatName(
  name: string,
  { providers }: Pick<ChatSettings, 'providers'>,
): Pick<ChooseChatModel, 'provider' | 'model'> {
  const provider = providers.find((known) => name.startsWith(`${known.name}:`))?.name;
  return provider === undefined
    ? { provider: 'openai', model: name }
    : { provider, model: name.slice(provider.length + 1) };
}

/** Reads a key from the standard input: arguments are shown in lists of processes. */
export async function readKey(): Promise<string> {
  if (process.stdin.isTTY) printToStderr('Paste the key, press Enter, and then Ctrl+D.');
  return (await text(process.stdin)).trim();
}

/** The rows of a table about the chat model. */
export function chatRows({ provider, model, baseUrl, chosenBy, ...settings }: ChatSettings): string[][] {
  const { hasKey, keyEnd, problem, providers } = settings;
  const name = provider === null ? 'none: answers consist of quotes' : inOneLine(`${provider}:${model}`);
  const rows = [['chat model', name]];
  if (chosenBy === 'environment') rows.push(['chosen by', 'the variable CHAT_MODEL']);
  const fixedBy = providers.find((known) => known.name === provider)?.fixedBy ?? [];
  if (fixedBy.length > 0) rows.push(['connection', `of the variables ${fixedBy.join(', ')}`]);
  if (baseUrl !== null) rows.push(['address', inOneLine(baseUrl)]);
  if (hasKey) rows.push(['key', keyEnd === null ? 'stored' : `stored, ends with ${keyEnd}`]);
  if (problem !== null) rows.push(['problem', inOneLine(problem)]);
  return rows;
}

/** One line about a test. */
export function describeTest({ message, durationMs, sample }: ModelTest): string {
  const written = sample === null ? '' : ` It wrote: ${inOneLine(sample)}`;
  return `${inOneLine(message)} (${durationMs} ms)${written}`;
}
