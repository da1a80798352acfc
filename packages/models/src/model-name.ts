/** Maps the model names of the API to those of the provider. */
export interface ModelNames {
  /** API name (`gpt_4`, …) to provider name; from `MODEL_GPT_4` and similar variables. */
  table: Readonly<Record<string, string | undefined>>;
  /** Used for names without an entry; from `CHAT_MODEL`. */
  chatModel?: string | undefined;
}

/** Returns the provider's name of a model, or null if no model is configured and answers are quotes. */
export function resolveModelName(apiName: string, { table, chatModel }: ModelNames): string | null {
  const entry = Object.hasOwn(table, apiName) ? table[apiName] : undefined;
  return entry || chatModel || null;
}
