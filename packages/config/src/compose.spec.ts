import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import { Ajv } from 'ajv';
import { parse } from 'yaml';
import { z } from 'zod';
import { loadConfig, loadScaledConfig } from './config.js';
import { VARIABLES } from './variables.js';

const root = new URL('../../../', import.meta.url);
const read = (path: string): string => readFileSync(new URL(path, root), 'utf8');

const conditionSchema = z.object({
  condition: z.enum(['service_healthy', 'service_completed_successfully']),
});
const serviceSchema = z.object({
  image: z.string().optional(),
  build: z.object({ dockerfile: z.string(), args: z.looseObject({ APP: z.string() }) }).optional(),
  environment: z.record(z.string(), z.string()).default({}),
  ports: z.array(z.string()).default([]),
  depends_on: z.record(z.string(), conditionSchema).default({}),
  command: z.array(z.string()).optional(),
  restart: z.string(),
  healthcheck: z
    .union([z.object({ test: z.array(z.string()).min(2) }), z.object({ disable: z.literal(true) })])
    .optional(),
  deploy: z.object({ resources: z.object({ limits: z.object({ cpus: z.string(), memory: z.string() }) }) }),
});

/** Reads a compose file. YAML 1.2 has no merge keys; Compose reads them. Compose's own tags, such as `!override`, are dropped. */
const load = (path: string): unknown => parse(read(path), { merge: true, logLevel: 'silent' });
const { services, volumes } = z
  .object({ services: z.record(z.string(), serviceSchema), volumes: z.record(z.string(), z.null()) })
  .parse(load('docker-compose.yml'));
const all = Object.entries(services);
const FILES = ['docker-compose.yml', 'infra/docker/chromium.compose.yml'];
const apps = all.filter(([, { build }]) => build !== undefined);
const isOneShot = (name: string): boolean => services[name]?.restart.startsWith('on-failure') === true;

/** The schema of the Compose Specification, which the linter `dclint` ships. */
function specification(): object {
  const manifest = createRequire(import.meta.url).resolve('dclint/package.json');
  const text = readFileSync(new URL('schemas/compose.schema.json', pathToFileURL(manifest)), 'utf8');
  // Ajv knows the version that the schema has, draft 7, only by its address with `http`.
  return { ...z.looseObject({}).parse(JSON.parse(text)), $schema: undefined };
}

/** Interpolates `${NAME:-default}` and `${NAME:?message}` as Compose does when only the secrets are set. */
function interpolate(value: string): string {
  return value.replace(/\$\{\w+:([-?])([^}]*)\}/g, (_, kind: string, rest: string) =>
    kind === '?' ? 'secret-of-16-characters' : rest,
  );
}

describe('docker-compose.yml', () => {
  it.each(FILES)('conforms to the Compose Specification: %s', (path) => {
    const isValid = new Ajv({ strict: false, validateFormats: false, allErrors: true }).compile(
      specification(),
    );
    const interpolated: unknown = JSON.parse(JSON.stringify(load(path)), (_, value: unknown) =>
      typeof value === 'string' ? interpolate(value) : value,
    );
    isValid(interpolated);
    expect(isValid.errors ?? []).toEqual([]);
  });

  it('is interpolated with variables of the configuration and documented secrets', () => {
    const text = FILES.map(read).join('\n');
    const secrets = [...read('infra/README.md').matchAll(/^([A-Z\d_]+)=/gm)].map(([, name]) => name);
    const required = [...text.matchAll(/\$\{(\w+):\?/g)].map(([, name]) => name);
    expect([...new Set(required)].toSorted()).toEqual(secrets.toSorted());
    // Each `$` begins a variable with a default or a message, or is escaped.
    const variables = [...text.matchAll(/\$(?:\$|\{(\w+):[-?][^}]*\})?/g)];
    const names = variables.filter(([match]) => match !== '$$').map(([, name]) => name);
    expect([...Object.keys(VARIABLES), ...secrets]).toEqual(expect.arrayContaining(names));
  });

  it('has the API, the workers, the migration and the external services', () => {
    const expected = ['api', 'migrate', 'postgres', 'qdrant', 'redis', 's3', 's3-bucket'];
    expect(Object.keys(services).sort()).toEqual(
      [...expected, 'worker-crawler', 'worker-indexer', 'worker-parser'].sort(),
    );
    for (const [name, { build }] of apps) {
      assert.ok(build && existsSync(new URL(build.dockerfile, root)), name);
      expect([name, existsSync(new URL(`apps/${build.args.APP}/package.json`, root))]).toEqual([name, true]);
    }
  });

  it('sets only known variables, to valid values', () => {
    for (const [, { environment }] of apps) {
      expect(Object.keys(VARIABLES)).toEqual(expect.arrayContaining(Object.keys(environment)));
      const values = Object.entries(environment).map(([variable, value]) => [variable, interpolate(value)]);
      const config = loadScaledConfig(Object.fromEntries(values) as Record<string, string>);
      const given = expect.any(String);
      expect(config).toMatchObject({ REDIS_URL: given, S3_BUCKET: given, S3_SECRET_ACCESS_KEY: given });
    }
  });

  it('passes every variable to an app, but for those that the images or the tests set', () => {
    const own = ['PORT', 'HOST', 'CITEWELL_DATA_DIR', 'CHROMIUM_PATH', 'WORKER_PORT', 'CITEWELL_FAULT'];
    const passed = new Set(apps.flatMap(([, { environment }]) => Object.keys(environment)));
    expect(Object.keys(VARIABLES).filter((name) => !passed.has(name))).toEqual(own);
    // A value of .env reaches the app under the same name.
    for (const [name, { environment }] of apps)
      for (const [variable, value] of Object.entries(environment))
        for (const [, read, kind] of value.matchAll(/\$\{(\w+):([-?])/g))
          if (kind === '-') expect([name, variable]).toEqual([name, read]);
  });

  it('gives each store a password, which no list of processes shows', () => {
    const { redis } = services;
    expect(services['api']?.environment['REDIS_URL']).toMatch(
      /^redis:\/\/:\$\{REDIS_PASSWORD:\?[^}]+\}@redis:6379$/,
    );
    expect(redis?.environment['REDISCLI_AUTH']).toMatch(/^\$\{REDIS_PASSWORD:\?/);
    expect(redis?.command?.[2]).toMatch(
      /^exec docker-entrypoint\.sh redis-server - .*<<END\nrequirepass \$\$REDISCLI_AUTH\nEND$/m,
    );
  });

  it('starts a service after its dependencies are healthy or completed', () => {
    for (const [name, { healthcheck, depends_on }] of all) {
      const isChecked = healthcheck !== undefined && 'test' in healthcheck;
      expect([name, isChecked]).toEqual([name, !isOneShot(name)]);
      for (const [dependency, { condition }] of Object.entries(depends_on)) {
        const expected = isOneShot(dependency) ? 'service_completed_successfully' : 'service_healthy';
        expect([`${name} on ${dependency}`, condition]).toEqual([`${name} on ${dependency}`, expected]);
      }
    }
  });

  it('pins image versions, publishes ports on the loopback interface only and contains no secrets', () => {
    for (const [name, { image, ports }] of all) {
      expect([name, image ?? ':1']).toEqual([name, expect.stringMatching(/:v?\d/)]);
      for (const port of ports) expect([name, port]).toEqual([name, expect.stringMatching(/^127\.0\.0\.1:/)]);
    }
    expect(Object.keys(volumes).length).toBeGreaterThan(0);
    for (const line of read('docker-compose.yml')
      .split('\n')
      .filter((text) => /^ *\w*(?:PASSWORD|_KEY|SECRET\w*):/.test(text))) {
      expect([line, line]).toEqual([line, expect.stringMatching(/\$\{\w+:[-?]/)]);
    }
    for (const [, base = ''] of read('infra/docker/Dockerfile').matchAll(/^FROM (\S+)/gm)) {
      expect([base, base]).toEqual([base, expect.stringMatching(/:\d|:bookworm|^build$/)]);
    }
  });

  it('builds images with arguments that the Dockerfile has, and gives apps their programs', () => {
    const dockerfile = read('infra/docker/Dockerfile');
    const known = [...dockerfile.matchAll(/^ARG (\w+)/gm)].map(([, name]) => name);
    for (const [, { build }] of apps)
      expect(known).toEqual(expect.arrayContaining(Object.keys(build?.args ?? {})));
    expect(dockerfile).toMatch(
      /= api \][^\n]*= worker-crawler \][^\n]*\n\s*packages="git ca-certificates";[^\n]*\n\s*install [^\n]*\/usr\/local\/bin\/rclone;/,
    );
    expect(dockerfile).toMatch(/= worker-parser \][^\n]*\n\s*packages="tesseract-ocr poppler-utils"/);
    const { build, environment } = serviceSchema.parse(services['worker-parser']);
    expect(environment).toMatchObject({
      OCR_LANGUAGES: '${OCR_LANGUAGES:-}',
      TESSERACT_PATH: '${TESSERACT_PATH:-}',
    });
    // The languages that the parser uses by default are those of the image.
    const { OCR_LANGUAGES } = loadConfig({});
    expect(interpolate(String(build?.args['OCR_LANGUAGES']))).toBe(OCR_LANGUAGES);
    expect(dockerfile).toContain(`ARG OCR_LANGUAGES=${OCR_LANGUAGES}\n`);
  });

  it('gives the parser more memory than its processes may use', () => {
    const { environment, deploy } = serviceSchema.parse(services['worker-parser']);
    const limit = Number.parseInt(deploy.resources.limits.memory, 10) * 1024 ** 3;
    expect(
      Number(environment['PARSER_CONCURRENCY']) * Number(environment['PARSER_MEMORY_BYTES']),
    ).toBeLessThan(limit);
  });
});
