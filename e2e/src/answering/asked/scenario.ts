import type { AgentAnswer } from '@citewell/contracts/schemas';
import type { Tenant } from '../../client/tenant.js';

/** Texts by name, or files if the name has an extension. */
export type Library = Readonly<Record<string, string>>;

/** A question with the right result. */
export interface Asked {
  readonly question: string;
  /** Text in the first quote. Null: the agent abstains. */
  readonly first: string | null;
  /** Texts in any quotes. */
  readonly quotes?: readonly string[];
  /** Texts in no quote. */
  readonly without?: readonly string[];
  /** Text anywhere in the answer. */
  readonly answer?: string;
}

/** Creates an agent that answers from the library alone. @returns its id */
export async function agentOf(tenant: Tenant, library: Library): Promise<string> {
  const { id } = await tenant.datastore();
  await Promise.all(
    Object.entries(library).map(([name, text]) =>
      name.includes('.') ? tenant.file(id, text, name) : tenant.text(id, text, { name }),
    ),
  );
  return (await tenant.agent({ datastoreIds: [id], restrictToSources: true })).id;
}

/** The quotes of an answer without a chat model, in order. Rows of a table are one, without its header. */
export function quotesOf({ answer }: Pick<AgentAnswer, 'answer'>): string[] {
  return Array.from(
    answer.matchAll(/“([^”]*)” \[\d+\]|^\| .*\n\| -.*\n((?:\|.*\n?)*)/gmu),
    ([, quote, rows = '']) => quote ?? rows,
  );
}

/** Asks the questions in one conversation. @throws Error with the first answer that differs from the right result */
export async function converse(tenant: Tenant, agentId: string, asked: readonly Asked[]): Promise<void> {
  let conversationId: string | undefined;
  for (const [turn, { question, first, quotes = [], without = [], answer = '' }] of asked.entries()) {
    const answered = await tenant.ask(agentId, question, conversationId ? { conversationId } : {});
    ({ conversationId } = answered);
    const found = quotesOf(answered);
    const all = found.join('\n');
    const isRight =
      (first === null ? answered.abstained : found[0]?.includes(first)) &&
      quotes.every((text) => all.includes(text)) &&
      !without.some((text) => all.includes(text)) &&
      answered.answer.includes(answer);
    if (!isRight) throw new Error(`${turn + 1}. ${question} → ${answered.answer}`);
  }
}
