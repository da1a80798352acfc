/** Prefixes of the environment variables that LangChain and the clients of the providers read. */
const PREFIXES =
  /^(?:LANGCHAIN|LANGSMITH|OPENAI|AZURE_OPENAI|ANTHROPIC|GOOGLE|GEMINI|MISTRAL|OLLAMA)_|^LC_OUTPUT_VERSION$/;

/**
 * Removes these variables from the environment of the process. Our configuration has been read at the start. The others
 * could send prompts to a third party (`LANGSMITH_TRACING`), print them (`MISTRAL_DEBUG`), or replace an address or a
 * key (`ANTHROPIC_CUSTOM_HEADERS`). Call this before LangChain is imported.
 */
export function clearEnvironment(): void {
  for (const name of Object.keys(process.env)) if (PREFIXES.test(name)) delete process.env[name];
}
