/** Which of the provider's models serves which name of the interface. */
export interface ModelNames {
  /** The interface's name (`gpt_4`, …) to the provider's; from `MODEL_GPT_4` and its like. */
  table: Readonly<Record<string, string | undefined>>;
  /** Serves every name without an entry; from `CHAT_MODEL`. */
  chatModel?: string | undefined;
}

/** The provider's name for a model of the interface, or null where no model is configured: answers are then quotes. */
export function resolveModelName(interfaceName: string, { table, chatModel }: ModelNames): string | null {
  const entry = Object.hasOwn(table, interfaceName) ? table[interfaceName] : undefined;
  return entry || chatModel || null;
}
