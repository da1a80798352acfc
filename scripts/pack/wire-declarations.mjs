import ts from 'typescript';
import { z } from 'zod';
import { createAuxiliaryTypeStore, printNode, zodToTs } from 'zod-to-ts';

const INFERRED = /^export type (\w+) = z\.(input|output)<typeof schemas\.(\w+)>;$/;
const { factory } = ts;

/**
 * Writes the types of the main entry of `@citewell/contracts` out, so that they do not need zod. A type that is
 * inferred from a schema becomes an interface or a union, with the descriptions of the schema as comments, and refers
 * to the other types by name. Other exports are copied.
 *
 * @param source the text of `packages/contracts/src/index.ts`
 * @param schemas the module of the schemas
 * @returns the text of a `.d.ts` file
 */
export function writeWireDeclarations(source, schemas) {
  const lines = source.split('\n').filter((line) => line.startsWith('export '));
  const names = namesOfSchemas(lines, schemas);
  return lines
    .map((line) => {
      const [, name, io, schema] = INFERRED.exec(line) ?? [];
      return name === undefined ? line : declare(name, schemas[schema], io, names);
    })
    .join('\n\n');
}

/** A module that does not compile if a declaration differs from the type that zod infers. */
export function writeEqualityCheck(source) {
  const pairs = source
    .split('\n')
    .map((line) => INFERRED.exec(line))
    .filter((match) => match !== null)
    .map(([, name, io, schema]) => `  ${name}: Same<wire.${name}, z.${io}<typeof schemas.${schema}>>;`);
  return `import type { z } from 'zod';
import type * as wire from '@citewell/contracts';
import type * as schemas from '@citewell/contracts/schemas';

type Flat<T> = T extends readonly (infer Item)[]
  ? Flat<Item>[]
  : T extends object
    ? { [Key in keyof T]: Flat<T[Key]> }
    : T;
/** Mutual assignability is not sufficient: it ignores a field that is optional on one side only. */
type Same<A, B> =
  (<T>() => T extends Flat<A> ? 1 : 2) extends <T>() => T extends Flat<B> ? 1 : 2 ? true : false;
interface Pairs {
${pairs.join('\n')}
}
type Differing = { [Name in keyof Pairs]: Pairs[Name] extends true ? never : Name }[keyof Pairs];
export const differing: [Differing] extends [never] ? 'none' : Differing = 'none';
`;
}

/** The name of each schema, as input and as output. */
function namesOfSchemas(lines, schemas) {
  const names = { input: new Map(), output: new Map() };
  for (const line of lines) {
    const [, name, io, schema] = INFERRED.exec(line) ?? [];
    if (name === undefined) continue;
    names[io].set(schemas[schema], name);
    if (isSameBothWays(schemas[schema]))
      names[io === 'input' ? 'output' : 'input'].set(schemas[schema], name);
  }
  return names;
}

/** Whether a client sends the same shape that the server stores: an enum, or an object without defaults. */
function isSameBothWays(schema) {
  const print = (io) => printNode(typeNode(schema, io, new Map(), 'any'));
  return print('input') === print('output');
}

function declare(name, schema, io, names) {
  const others = new Map(names[io]);
  others.delete(schema);
  const type = typeNode(schema, io, others);
  const exported = [factory.createModifier(ts.SyntaxKind.ExportKeyword)];
  const declaration = ts.isTypeLiteralNode(type)
    ? factory.createInterfaceDeclaration(exported, name, undefined, undefined, type.members)
    : factory.createTypeAliasDeclaration(exported, name, undefined, type);
  const comment = commentOf(schema);
  return (comment === undefined ? '' : `/** ${comment} */\n`) + printNode(declaration);
}

function typeNode(schema, io, names, unrepresentable = 'throw') {
  return zodToTs(schema, {
    io,
    unrepresentable,
    auxiliaryTypeStore: createAuxiliaryTypeStore(),
    // The comment of a field.
    metadataRegistry: { get: (field) => ({ description: commentOf(field) }) },
    overrideFunction: (part, _typescript, options) => {
      const name = names.get(part);
      if (name !== undefined) return factory.createTypeReferenceNode(name);
      return NODES[part._zod.def.type]?.(part._zod.def, options);
    },
  }).node;
}

/** Types that the library does not write as zod infers them. */
const NODES = {
  /** The index signature `never` of an object without other members would contradict its members. */
  object({ catchall, shape }, options) {
    return catchall?._zod.def.type === 'never' ? zodToTs(z.object(shape), options).node : undefined;
  },
  /** An index signature cannot have an enum as its key. */
  record({ keyType, valueType, partial }, options) {
    const record = factory.createTypeReferenceNode(
      'Record',
      [keyType, valueType].map((part) => zodToTs(part, options).node),
    );
    return partial ? factory.createTypeReferenceNode('Partial', [record]) : record;
  },
  /** A client may send `undefined` for a field with a default. */
  default({ innerType }, options) {
    const { node } = zodToTs(innerType, options);
    if (options.io === 'output') return node;
    return factory.createUnionTypeNode([node, factory.createKeywordTypeNode(ts.SyntaxKind.UndefinedKeyword)]);
  },
};

function commentOf(schema) {
  const { description, deprecated } = z.globalRegistry.get(schema) ?? {};
  if (description === undefined) return undefined;
  return deprecated ? `@deprecated ${description}` : description;
}
