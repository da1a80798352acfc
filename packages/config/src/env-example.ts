import { VARIABLES } from './variables.js';

/**
 * The text of `.env.example`: each variable with its
 * description and its default or an example, commented out.
 */
export function renderEnvExample(): string {
  const entries = Object.entries(VARIABLES).map(([name, { schema, description, example }]) => {
    const fallback = schema.safeParse(undefined);
    const value = fallback.success && fallback.data !== undefined ? String(fallback.data) : (example ?? '');
    return `# ${description}\n#${name}=${value}\n`;
  });
  return `# Generated from packages/config/src/variables.ts. Every variable is optional for \`npm start\`.\n\n${entries.join('\n')}`;
}
