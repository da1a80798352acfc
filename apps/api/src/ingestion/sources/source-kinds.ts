import {
  SOURCE_KINDS,
  SOURCE_SECRETS,
  sourceConfigJsonSchema,
  type SourceKind,
  type SourceKindInfo,
  STORAGE_PROVIDERS,
} from '@citewell/contracts/schemas';
import { type SourceContext, sourceProblem } from '@citewell/sources';

/** The kinds of sources, and why some cannot be connected to this server. */
export function describeKinds(context: SourceContext): Promise<SourceKindInfo[]> {
  return Promise.all(SOURCE_KINDS.map((kind) => describeKind(kind, context)));
}

async function describeKind(kind: SourceKind, context: SourceContext): Promise<SourceKindInfo> {
  return {
    kind,
    problem: await sourceProblem(kind, context),
    schema: sourceConfigJsonSchema(kind),
    secrets: { ...SOURCE_SECRETS[kind] },
    ...(kind === 'storage' && { providers: providers() }),
    ...(kind === 'program' && { programs: Object.keys(context.programs ?? {}) }),
  };
}

function providers(): NonNullable<SourceKindInfo['providers']> {
  const entries = Object.entries(STORAGE_PROVIDERS).map(([name, { title, options, secrets, required }]) => {
    const needed = required.map((group) => [...group]);
    return [name, { title, options: { ...options }, secrets: { ...secrets }, required: needed }] as const;
  });
  return Object.fromEntries(entries);
}
