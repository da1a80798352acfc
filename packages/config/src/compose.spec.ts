import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { z } from 'zod';
import { loadScaledConfig } from './config.js';
import { VARIABLES } from './variables.js';

const root = new URL('../../../', import.meta.url);
const read = (path: string): string => readFileSync(new URL(path, root), 'utf8');

const conditionSchema = z.object({
  condition: z.enum(['service_healthy', 'service_completed_successfully']),
});
const serviceSchema = z.object({
  image: z.string().optional(),
  build: z.object({ dockerfile: z.string(), args: z.object({ APP: z.string() }) }).optional(),
  environment: z.record(z.string(), z.string()).default({}),
  ports: z.array(z.string()).default([]),
  depends_on: z.record(z.string(), conditionSchema).default({}),
  restart: z.string(),
  healthcheck: z
    .union([z.object({ test: z.array(z.string()).min(2) }), z.object({ disable: z.literal(true) })])
    .optional(),
  deploy: z.object({ resources: z.object({ limits: z.object({ cpus: z.string(), memory: z.string() }) }) }),
});

// YAML 1.2 has no merge keys; Compose reads them.
const { services, volumes } = z
  .object({ services: z.record(z.string(), serviceSchema), volumes: z.record(z.string(), z.null()) })
  .parse(parse(read('docker-compose.yml'), { merge: true }));
const all = Object.entries(services);
const apps = all.filter(([, { build }]) => build !== undefined);
const isOneShot = (name: string): boolean => services[name]?.restart.startsWith('on-failure') === true;

/** Interpolates `${NAME:-default}` and `${NAME:?message}` as Compose does when only the secrets are set. */
function interpolate(value: string): string {
  return value.replace(/\$\{\w+:([-?])([^}]*)\}/g, (_, kind: string, rest: string) =>
    kind === '?' ? 'secret-of-16-characters' : rest,
  );
}

describe('docker-compose.yml', () => {
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
      expect([base, base]).toEqual([base, expect.stringMatching(/:\d|^build$/)]);
    }
  });

  it('gives the parser more memory than its processes may use', () => {
    const { environment, deploy } = serviceSchema.parse(services['worker-parser']);
    const limit = Number.parseInt(deploy.resources.limits.memory, 10) * 1024 ** 3;
    expect(
      Number(environment['PARSER_CONCURRENCY']) * Number(environment['PARSER_MEMORY_BYTES']),
    ).toBeLessThan(limit);
  });
});
