import { z } from 'zod';

export type JsonSchema = z.core.JSONSchema.JSONSchema;

/**
 * Converts zod schemas to JSON Schema (draft 2020-12, the dialect of OpenAPI 3.1). Collects the schemas that
 * have a name, so that the document contains each of them once.
 */
export class SchemaComponents {
  private readonly named = new Map<string, JsonSchema>();

  /** @param io `input` for requests, `output` for responses */
  of(schema: z.ZodType, io: 'input' | 'output'): JsonSchema {
    const {
      $schema: _,
      $defs,
      ...json
    } = z.toJSONSchema(schema, { io, override: ({ jsonSchema }) => relax(jsonSchema) });
    for (const [name, definition] of Object.entries($defs ?? {})) this.add(name, definition);
    return withComponentRefs(json);
  }

  /** All named schemas so far, sorted by name. */
  all(): Record<string, JsonSchema> {
    return Object.fromEntries([...this.named].sort(([a], [b]) => (a < b ? -1 : 1)));
  }

  private add(name: string, definition: JsonSchema): void {
    const next = withComponentRefs(definition);
    const known = this.named.get(name);
    if (known && JSON.stringify(known) !== JSON.stringify(next)) {
      throw new Error(
        `The schema ${name} has different shapes in requests and responses: give them two names`,
      );
    }
    this.named.set(name, next);
  }
}

/**
 * Removes bounds that every JSON number satisfies, and keywords that would forbid fields of later releases.
 */
function relax(schema: z.core.JSONSchema.BaseSchema): void {
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
  if (schema.additionalProperties === false) delete schema.additionalProperties;
  delete schema.propertyNames;
}

function withComponentRefs(schema: JsonSchema): JsonSchema {
  return JSON.parse(JSON.stringify(schema).replaceAll('"#/$defs/', '"#/components/schemas/')) as JsonSchema;
}
