/** A JSON schema of an OpenAPI document; only the fields that are compared are typed. */
interface Schema {
  $ref?: string;
  type?: string | string[];
  enum?: unknown[];
  const?: unknown;
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  anyOf?: Schema[];
  oneOf?: Schema[];
  additionalProperties?: boolean | Schema;
  [limit: string]: unknown;
}

interface Body {
  content?: Record<string, { schema?: Schema }>;
}

interface Operation {
  parameters?: { name: string; in: string; required?: boolean; schema?: Schema }[];
  requestBody?: Body & { required?: boolean };
  responses?: Record<string, Body>;
}

export interface Document {
  paths: Record<string, Record<string, unknown>>;
  components?: { schemas?: Record<string, unknown> };
}

type Direction = 'request' | 'response';

const METHODS = ['get', 'post', 'put', 'patch', 'delete'];
/** A limit may be relaxed for requests, and tightened for responses. */
const UPPER_LIMITS = ['maxLength', 'maximum', 'maxItems'];
const LOWER_LIMITS = ['minLength', 'minimum', 'minItems'];

/**
 * The changes between two OpenAPI documents that break a client of the earlier one: something is gone, a request
 * needs more or may contain less, or a response may lack a field. A client must accept new fields, and new values of
 * enums, in responses.
 *
 * @returns a sentence for each, which begins with the operation
 */
export function findBreakingChanges(before: Document, after: Document): string[] {
  const changes: string[] = [];
  for (const [path, operations] of Object.entries(before.paths)) {
    for (const method of METHODS.filter((name) => name in operations)) {
      const name = `${method} ${path}`;
      const operation = after.paths[path]?.[method];
      const report = (place: string, change: string): void =>
        void changes.push(`${name}: ${place} ${change}`);
      if (operation === undefined) report('the operation', 'is gone');
      else
        new OperationComparison(before, after, report).compare(
          operations[method] as Operation,
          operation as Operation,
        );
    }
  }
  return changes;
}

class OperationComparison {
  /** Pairs of references that are compared already: schemas may be recursive. */
  private readonly seen = new Set<string>();

  constructor(
    private readonly before: Document,
    private readonly after: Document,
    private readonly report: (place: string, change: string) => void,
  ) {}

  compare(before: Operation, after: Operation): void {
    this.compareParameters(before.parameters ?? [], after.parameters ?? []);
    if (after.requestBody?.required && !before.requestBody?.required) this.report('the body', 'is required');
    this.compareContent('the body', before.requestBody, after.requestBody, 'request');
    for (const [status, response] of Object.entries(before.responses ?? {}))
      if (Number(status) < 300)
        this.compareContent(`the response ${status}`, response, after.responses?.[status], 'response');
  }

  private compareParameters(
    before: NonNullable<Operation['parameters']>,
    after: NonNullable<Operation['parameters']>,
  ): void {
    for (const { name, required, schema } of after) {
      const earlier = before.find((parameter) => parameter.name === name);
      if (required && !earlier?.required) this.report(name, 'is required');
      this.compareSchemas(name, earlier?.schema, schema, 'request');
    }
    for (const { name } of before)
      if (!after.some((parameter) => parameter.name === name)) this.report(name, 'is gone');
  }

  private compareContent(
    place: string,
    before: Body | undefined,
    after: Body | undefined,
    direction: Direction,
  ): void {
    for (const [mediaType, { schema }] of Object.entries(before?.content ?? {})) {
      const content = after?.content?.[mediaType];
      if (content === undefined) this.report(`${place} (${mediaType})`, 'is gone');
      else this.compareSchemas(place, schema, content.schema, direction);
    }
  }

  private compareSchemas(
    place: string,
    one: Schema | undefined,
    two: Schema | undefined,
    direction: Direction,
  ): void {
    if (one === undefined || two === undefined) return;
    const pair = `${direction} ${one.$ref} ${two.$ref}`;
    if (one.$ref !== undefined && this.seen.has(pair)) return;
    this.seen.add(pair);
    const [before, after] = [resolve(this.before, one), resolve(this.after, two)];
    this.compareTypes(place, before, after, direction);
    this.compareProperties(place, before, after, direction);
    if (direction === 'request') this.compareLimits(place, before, after);
    this.compareSchemas(`${place}[]`, before.items, after.items, direction);
  }

  private compareTypes(place: string, before: Schema, after: Schema, direction: Direction): void {
    const [earlier, later] = [variants(before, this.before), variants(after, this.after)];
    // What a client sends must still be accepted, and a response must have a type that the client knows.
    const [narrower, wider] = direction === 'request' ? [earlier, later] : [later, earlier];
    const types = new Set(wider.types);
    const foreign = narrower.types.filter((type) => !types.has(type));
    if (types.size > 0 && foreign.length > 0)
      this.report(place, `is no longer as before: ${foreign.join(', ')}`);
    if (direction === 'request' && later.values.size > 0) {
      const gone = [...earlier.values].filter((value) => !later.values.has(value));
      if (gone.length > 0) this.report(place, `no longer accepts ${gone.join(', ')}`);
    }
    // Members of a union are compared in their order.
    for (const [index, member] of earlier.objects.entries())
      this.compareSchemas(`${place}(${index + 1})`, member, later.objects[index], direction);
  }

  private compareProperties(place: string, before: Schema, after: Schema, direction: Direction): void {
    const [earlier, later] = [new Set(before.required), new Set(after.required)];
    for (const [name, schema] of Object.entries(before.properties ?? {})) {
      const field = `${place}.${name}`;
      const property = after.properties?.[name];
      if (property === undefined) this.report(field, 'is gone');
      else if (direction === 'response' && earlier.has(name) && !later.has(name))
        this.report(field, 'may be absent');
      this.compareSchemas(field, schema, property, direction);
    }
    if (direction === 'request')
      for (const name of later) if (!earlier.has(name)) this.report(`${place}.${name}`, 'is required');
  }

  private compareLimits(place: string, before: Schema, after: Schema): void {
    for (const limit of [...UPPER_LIMITS, ...LOWER_LIMITS]) {
      const [earlier, later] = [before[limit], after[limit]];
      if (typeof later !== 'number') continue;
      const isUpper = UPPER_LIMITS.includes(limit);
      const isTighter = typeof earlier !== 'number' || (isUpper ? later < earlier : later > earlier);
      if (isTighter) this.report(place, `has a tighter ${limit}: ${later}`);
    }
  }
}

function resolve(document: Document, schema: Schema): Schema {
  const name = schema.$ref?.replace('#/components/schemas/', '');
  return name === undefined ? schema : ((document.components?.schemas?.[name] as Schema | undefined) ?? {});
}

/** The types, enum values and object members of a schema and of the members of its union. */
function variants(
  schema: Schema,
  document: Document,
): { types: string[]; values: Set<unknown>; objects: Schema[] } {
  const members = [...(schema.anyOf ?? []), ...(schema.oneOf ?? [])];
  const all = members.length === 0 ? [schema] : members.map((member) => resolve(document, member));
  const types = all.flatMap(({ type }) => type ?? []).map((type) => (type === 'integer' ? 'number' : type));
  const values = all.flatMap((member) => member.enum ?? ('const' in member ? [member.const] : []));
  const objects = members.filter((member) => resolve(document, member).properties !== undefined);
  return { types: [...new Set(types)], values: new Set(values), objects };
}
