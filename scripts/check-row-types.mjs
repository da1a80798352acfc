// Compares the row types of `queryRows` and `queryRow` with the results that tests have recorded
// (packages/database/src/fixtures/record-results.fixtures.ts).
import { readFileSync, readdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import ts from 'typescript';

const SOURCE = 'packages/database/src';
const FUNCTIONS = ['queryRows', 'queryRow'];
/** What the driver makes of a type of Postgres, by the id of the type in `pg_type`. JSON may be of any type. */
const TYPES = {
  16: 'boolean',
  17: 'Buffer',
  20: 'string',
  21: 'number',
  23: 'number',
  25: 'string',
  114: 'json',
  701: 'number',
  1007: 'number[]',
  1009: 'string[]',
  1043: 'string',
  1184: 'Date',
  1700: 'string',
  2950: 'string',
  2951: 'string[]',
  3802: 'json',
};
/** The type of functions that are called for their effect. */
const VOID = 2278;

/**
 * @param file of recorded results
 * @param isComplete whether all tests have run: then a statement that none has sent is a fault
 * @returns the faults, a line each
 */
export function checkRowTypes(file, isComplete) {
  const results = new Map();
  for (const line of readFileSync(file, 'utf8').trim().split('\n')) {
    const { site, columns } = JSON.parse(line);
    results.set(site, [...(results.get(site) ?? []), columns]);
  }
  const faults = new Set();
  for (const { site, row, checker } of rowTypes()) {
    const recorded = results.get(site) ?? [];
    if (isComplete && recorded.length === 0)
      faults.add(`${site}: no test of packages/database sends this statement`);
    for (const columns of recorded)
      for (const fault of compare(row, columns, checker)) faults.add(`${site}: ${fault}`);
  }
  return [...faults];
}

/** The calls whose rows have named columns, not those that fill entities. */
function rowTypes() {
  const files = readdirSync(SOURCE, { recursive: true })
    .filter((path) => path.endsWith('.ts') && !/\.(spec|fixtures|soak)\.ts$/.test(path))
    .map((path) => join(SOURCE, path));
  const { config } = ts.readConfigFile('tsconfig.json', ts.sys.readFile);
  const { options } = ts.parseJsonConfigFileContent({ ...config, include: [] }, ts.sys, '.');
  const program = ts.createProgram(files, options);
  const checker = program.getTypeChecker();
  const found = [];
  const visit = (file, node) => {
    if (ts.isCallExpression(node) && FUNCTIONS.includes(node.expression.getText(file))) {
      const { line } = file.getLineAndCharacterOfPosition(node.getStart(file));
      const promise = checker.getReturnTypeOfSignature(checker.getResolvedSignature(node));
      const result = checker.getNonNullableType(checker.getAwaitedType(promise));
      const row = checker.isArrayType(result) ? checker.getTypeArguments(result)[0] : result;
      if (checker.getPropertiesOfType(row).length > 0)
        found.push({ site: `${relative('.', file.fileName)}:${line + 1}`, row, checker });
    }
    ts.forEachChild(node, (child) => visit(file, child));
  };
  for (const path of files) visit(program.getSourceFile(path), program.getSourceFile(path));
  return found;
}

function* compare(row, columns, checker) {
  const isOpen = checker.getIndexInfosOfType(row).length > 0;
  for (const { name, type } of columns)
    if (!isOpen && type !== VOID && checker.getPropertyOfType(row, name) === undefined)
      yield `the row type has no ${name}`;
  for (const property of checker.getPropertiesOfType(row)) {
    const column = columns.find(({ name }) => name === property.name);
    const type = checker.getTypeOfSymbol(property);
    const actual = TYPES[column?.type];
    if (column === undefined) yield `the result has no ${property.name}`;
    else if (actual === undefined)
      yield `${property.name} has a type that is not in the table: ${column.type}`;
    else if (!accepts(type, actual, checker))
      yield `${property.name} is ${actual}, not ${checker.typeToString(type)}`;
    else if (
      column.isNull &&
      checker.getNonNullableType(type) === type &&
      !(type.flags & ts.TypeFlags.Unknown)
    )
      yield `${property.name} may be null`;
  }
}

function accepts(type, actual, checker) {
  if (type.flags & ts.TypeFlags.Unknown) return true;
  const present = checker.getNonNullableType(type);
  const members = present.isUnion() ? present.types : [present];
  return members.every((member) => {
    const kind = kindOf(member, checker);
    return actual === 'json' ? !['Date', 'Buffer', 'string'].includes(kind) : kind === actual;
  });
}

function kindOf(type, checker) {
  const { flags } = type;
  if (flags & ts.TypeFlags.StringLike) return 'string';
  if (flags & ts.TypeFlags.NumberLike) return 'number';
  if (flags & ts.TypeFlags.BooleanLike) return 'boolean';
  if (!checker.isArrayType(type)) return type.symbol?.name ?? 'object';
  return `${kindOf(checker.getTypeArguments(type)[0], checker)}[]`;
}
