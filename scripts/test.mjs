// `npm test`: what CI runs, all of it. The last line is `N passed, N failed`.
//
//   npm test                 everything
//   npm test -- unit         one stage: check, unit, integration or e2e
import { spawnSync } from 'node:child_process';
import { globSync } from 'node:fs';
import { check } from './check.mjs';
import { runTests } from './run-tests.mjs';

const STAGES = {
  check,
  unit: () =>
    runStage('{apps,packages,bench}/*/dist/**/*.spec.js', { exclude: '.int.spec.js', concurrency: 2 }),
  integration: () => runStage('{apps,packages}/*/dist/**/*.int.spec.js', { concurrency: 2 }),
  e2e: () => runStage('e2e/dist/**/*.e2e.js', { concurrency: 1 }),
};

const wanted = process.argv.slice(2);
for (const name of wanted)
  if (!(name in STAGES)) throw new Error(`There is no stage ${name}: ${Object.keys(STAGES).join(', ')}`);

installServers();
const total = { passed: 0, failed: 0 };
for (const [name, stage] of Object.entries(STAGES)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  const started = Date.now();
  console.log(`\n== ${name}`);
  const { passed, failed } = await stage();
  total.passed += passed;
  total.failed += failed;
  console.log(
    `== ${name}: ${passed} passed, ${failed} failed in ${((Date.now() - started) / 1_000).toFixed(0)} s`,
  );
}
console.log(`\n${total.passed} passed, ${total.failed} failed`);
process.exit(total.failed === 0 ? 0 : 1);

/** Servers that tests start and no registry of ours carries. */
function installServers() {
  if (wanted.length > 0 && !wanted.some((name) => name === 'integration' || name === 'e2e')) return;
  if (spawnSync('redis-server', ['--version']).status === 0) return;
  if (process.platform !== 'linux' || process.getuid() !== 0) {
    console.error(
      'The tests need redis-server. Install it: apt-get install redis-server, or brew install redis.',
    );
    process.exit(1);
  }
  console.log('Installing redis-server');
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  for (const args of [
    ['update', '-qq'],
    ['install', '-y', '-qq', '--no-install-recommends', 'redis-server'],
  ]) {
    const { status, stderr } = spawnSync('apt-get', args, { env, encoding: 'utf8' });
    if (status !== 0) throw new Error(`apt-get ${args[0]} failed: ${stderr}`);
  }
}

function runStage(pattern, { exclude = null, concurrency }) {
  const files = globSync(pattern).filter((file) => exclude === null || !file.endsWith(exclude));
  if (files.length === 0) return { passed: 0, failed: 0 };
  return runTests(files.sort(), { concurrency, timeoutMs: 300_000 });
}
