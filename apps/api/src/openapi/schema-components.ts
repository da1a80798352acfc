import { z } from 'zod';

export type JsonSchema = z.core.JSONSchema.JSONSchema;

/**
 * Turns contracts into JSON Schema (draft 2020-12, OpenAPI 3.1's own) and collects those with a name, so that each
 * stands in the document once.
 */
export class SchemaComponents {
  private readonly named = new Map<string, JsonSchema>();

  /** @param io `input` is what a client may send, `output` what it gets */
  of(schema: z.ZodType, io: 'input' | 'output'): JsonSchema {
    const {
      $schema: _,
      $defs,
      ...json
    } = z.toJSONSchema(schema, { io, override: ({ jsonSchema }) => tidy(jsonSchema) });
    for (const [name, definition] of Object.entries($defs ?? {})) this.add(name, definition);
    return withComponentRefs(json);
  }

  /** What was named so far, by name. */
  all(): Record<string, JsonSchema> {
    return Object.fromEntries([...this.named].sort(([a], [b]) => (a < b ? -1 : 1)));
  }

  private add(name: string, definition: JsonSchema): void {
    const next = withComponentRefs(definition);
    const known = this.named.get(name);
    if (known && JSON.stringify(known) !== JSON.stringify(next)) {
      throw new Error(`The schema ${name} has two shapes, one sent and one received: give them two names`);
    }
    this.named.set(name, next);
  }
}

/** Leaves out what is true of every JSON number, and what would forbid fields that a later release adds. */
function tidy(schema: z.core.JSONSchema.BaseSchema): void {
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
  if (schema.additionalProperties === false) delete schema.additionalProperties;
  delete schema.propertyNames;
}

function withComponentRefs(schema: JsonSchema): JsonSchema {
  return JSON.parse(JSON.stringify(schema).replaceAll('"#/$defs/', '"#/components/schemas/')) as JsonSchema;
}
