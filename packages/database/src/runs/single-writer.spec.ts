import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';

/** A column that only some modules may write. */
interface GuardedColumn {
  table: string;
  entity: string;
  column: string;
  /** Whether a file, relative to src, may write the column. */
  mayWrite: (file: string) => boolean;
  /** Whether every INSERT into the table writes the column. */
  isInInserts: boolean;
  /** SET lists that other modules may use in their statements. */
  sharedSetLists: RegExp;
}

const STATE: GuardedColumn = {
  table: 'runs',
  entity: 'RunEntity',
  column: 'state',
  mayWrite: (file) => file.startsWith('runs/'),
  isInInserts: true,
  sharedSetLists: /^$/,
};
const STATUS: GuardedColumn = {
  table: 'datasources',
  entity: 'DatasourceEntity',
  column: 'status',
  mayWrite: (file) => file === 'datasources/datasource-status.ts',
  isInInserts: false,
  sharedSetLists: /^\$\{SET_(?:RUNNING|SERVED)\}$/,
};

const SOURCES = join(dirname(fileURLToPath(import.meta.url)), '..', '..', 'src');

function sourceFiles(): string[] {
  return readdirSync(SOURCES, { recursive: true, encoding: 'utf8' })
    .map((file) => file.split(sep).join('/'))
    .filter((file) => file.endsWith('.ts') && !/\.spec\.ts$|^fixtures\/|^schema\//.test(file));
}

/** What a file writes that it may not. */
function violations(file: string, source: string, guarded: GuardedColumn): string[] {
  if (guarded.mayWrite(file)) return [];
  const code = source.replaceAll(/^\s*(?:\/\/|\/\*|\*).*$/gm, '');
  const found = [
    ...sqlUpdates(code, guarded),
    ...sqlInserts(code, guarded),
    ...setLists(code, guarded),
    ...entityWrites(code, guarded),
  ];
  return found.map((text) => `${file}: ${text.replaceAll(/\s+/g, ' ').slice(0, 80)}`);
}

/** `UPDATE table SET …` that assigns the column, or uses a SET list that is not shared. */
function sqlUpdates(code: string, { table, column, sharedSetLists }: GuardedColumn): string[] {
  const updates = code.matchAll(
    new RegExp(`\\bUPDATE\\s+(?:ONLY\\s+)?"?${table}"?(?:\\s+(?:AS\\s+)?\\w+)?\\s+SET\\b`, 'gi'),
  );
  return [...updates].flatMap((match) => {
    const rest = code.slice(match.index + match[0].length);
    const clause = topLevel(rest).split(/`|\b(?:WHERE|FROM|RETURNING)\b/i)[0] ?? '';
    const writes = clause.split(',').some((part) => {
      const assignment = part.trim();
      if (assignment.startsWith('$')) return !sharedSetLists.test(assignment);
      return assignsColumn(assignment, column) || assignment.startsWith('(');
    });
    return writes ? [match[0] + clause] : [];
  });
}

/** `INSERT INTO table` that names the column, or that gives it its default. */
function sqlInserts(code: string, { table, column, isInInserts }: GuardedColumn): string[] {
  const inserts = code.matchAll(new RegExp(`\\bINSERT\\s+INTO\\s+"?${table}"?\\b([^\`]*)`, 'gi'));
  return [...inserts]
    .filter(([, statement = '']) => isInInserts || new RegExp(`\\b${column}\\b`).test(statement))
    .map(([text]) => text);
}

/**
 * Fragments such as `status = 'error', error = NULL`, to be used in another statement. A condition on a
 * single column is told apart by its table: `datasources.status = …`, which no SET list may have.
 */
function setLists(code: string, { column }: GuardedColumn): string[] {
  const literals = code.matchAll(/`([^`]*)`|'([^'\n]*)'/g);
  return [...literals]
    .map(([, template, text]) => topLevel(template ?? text ?? ''))
    .filter((text) => !/\b(?:SELECT|UPDATE|INSERT|DELETE|AND|OR)\b/i.test(text))
    .filter((text) => text.split(',').some((part) => assignsColumn(part.trim(), column)));
}

/** Writes by TypeORM. `save` is not used at all: it writes every column of an entity. */
function entityWrites(code: string, { entity, column, isInInserts }: GuardedColumn): string[] {
  const calls = code.matchAll(
    new RegExp(
      `\\b(?:insert|upsert|save|update|into|getRepository)\\(\\s*${entity}\\b[^;]*|\\.save\\([^;]*`,
      'g',
    ),
  );
  return [...calls]
    .map(([text]) => text)
    .filter((text) => {
      if (/^\.?save\(/.test(text)) return true;
      const writes = /^(?:insert|upsert|into|update)\(|\.(?:insert|upsert|update|save|set|values)\(/.test(
        text,
      );
      const inserts = /^(?:insert|upsert|into)\(|\.(?:insert|upsert|values)\(/.test(text);
      const values = /\.set\(([^)]*)\)/.exec(text)?.[1] ?? text.slice(text.lastIndexOf('{'));
      return (inserts && isInInserts) || (writes && new RegExp(`\\b${column}\\s*[:,}]`).test(values));
    });
}

function assignsColumn(assignment: string, column: string): boolean {
  return new RegExp(`^"?${column}"?\\s*=`).test(assignment);
}

/** SQL without what is in parentheses, but for a list of columns that is assigned, and without literals. */
function topLevel(text: string): string {
  let plain = text.replaceAll(/'[^'\n`]*'/g, "''");
  for (let shorter = plain; ; plain = shorter) {
    shorter = plain.replaceAll(/(?<=[^,\s]\s*)\([^()`]*\)(?!\s*=)/g, '');
    if (shorter === plain) return plain;
  }
}

describe('runs.state', () => {
  it('is written in src/runs only', () => {
    for (const file of sourceFiles())
      expect(violations(file, readFileSync(join(SOURCES, file), 'utf8'), STATE)).toEqual([]);
  });
});

describe('datasources.status', () => {
  it('is written by src/datasources/datasource-status.ts only', () => {
    for (const file of sourceFiles())
      expect(violations(file, readFileSync(join(SOURCES, file), 'utf8'), STATUS)).toEqual([]);
  });
});

describe('the check of single writers', () => {
  it('reads the sources', () => {
    const files = sourceFiles();
    expect(files.length).toBeGreaterThan(50);
    for (const file of ['runs/start-run.ts', 'datasources/datasource-status.ts'])
      expect(files).toContain(file);
    const read = (file: string) => readFileSync(join(SOURCES, file), 'utf8');
    expect(violations('other.ts', read('runs/start-run.ts'), STATE)).not.toEqual([]);
    expect(violations('other.ts', read('runs/lease.ts'), STATE)).not.toEqual([]);
    expect(violations('other.ts', read('datasources/datasource-status.ts'), STATUS)).not.toEqual([]);
  });

  for (const [name, guarded, code] of [
    ['an UPDATE', STATE, "sql`UPDATE runs SET state = 'failed' WHERE id = ${id}`"],
    [
      'a later assignment',
      STATE,
      "sql`UPDATE runs r SET error = coalesce(${a}, b), state='failed' WHERE id = 1`",
    ],
    [
      'a CTE',
      STATUS,
      "sql`WITH x AS (UPDATE datasources SET\n status = 'error' FROM y RETURNING 1) SELECT 1`",
    ],
    ['an UPDATE with an alias', STATUS, "`UPDATE datasources AS d SET error = NULL, status = 'error'`"],
    [
      'a row assignment',
      STATUS,
      "sql`UPDATE datasources SET (status, error) = ('error', NULL) WHERE id = 1`",
    ],
    [
      'a SET list of another module',
      STATE,
      'sql`UPDATE runs SET ${SET_RELEASED}, not_before = now() WHERE id = 1`',
    ],
    ['an unknown SET list', STATUS, 'sql`UPDATE datasources SET ${set} WHERE id = 1`'],
    ['a fragment', STATE, "changeLeased(manager, owner, run, sql`state = 'failed'`)"],
    ['a fragment with more', STATUS, "const SET = sql`error = NULL, status = 'synched'`"],
    ['an INSERT', STATE, 'sql`INSERT INTO runs (id) VALUES (${id})`'],
    ['an INSERT of a status', STATUS, "sql`INSERT INTO datasources (id, status) VALUES (${id}, 'synched')`"],
    [
      'an upsert',
      STATUS,
      "sql`INSERT INTO datasources (id) VALUES (1) ON CONFLICT DO UPDATE SET status = 'x'`",
    ],
    ['an entity insert', STATE, 'manager.insert(RunEntity, { id });'],
    ['an entity update', STATE, "manager.update(RunEntity, { id }, { state: 'failed' });"],
    ['an entity update of a status', STATUS, 'manager.update(DatasourceEntity, { id }, { error, status });'],
    [
      'a repository',
      STATUS,
      "dataSource.getRepository(DatasourceEntity).update({ id }, { status: 'error' });",
    ],
    ['a query builder', STATE, "builder.update(RunEntity).set({ state: 'failed' }).where({ id });"],
    ['a saved entity', STATE, 'manager.save(run);'],
  ] as const) {
    it(`finds ${name}`, () => {
      expect(violations('other.ts', code, guarded)).not.toEqual([]);
    });
  }

  for (const [name, guarded, code] of [
    ['another column', STATE, 'sql`UPDATE runs SET space = ${space} WHERE state = ${state}`'],
    ['a subquery', STATUS, "sql`UPDATE datasources SET error = (SELECT 1 WHERE status = 'x') WHERE id = 1`"],
    ['a condition', STATE, "sql`state = 'active' AND lease_until < now()`"],
    ['a shared SET list', STATUS, 'sql`UPDATE datasources SET ${SET_SERVED} FROM x WHERE id = 1`'],
    ['an INSERT without it', STATUS, 'sql`INSERT INTO datasources (id, name) VALUES (${id}, ${name})`'],
    ['a criterion', STATE, "manager.update(RunEntity, { state: 'queued' }, { space: null });"],
    ['a find', STATUS, "manager.getRepository(DatasourceEntity).findBy({ status: 'error' });"],
  ] as const) {
    it(`allows ${name}`, () => {
      expect(violations('other.ts', code, guarded)).toEqual([]);
    });
  }
});
