// `npm test`: runs everything that CI runs. The last line of the output is `N passed, N failed`.
//
//   npm test                     checks and all tests
//   npm test -- unit             some stages: check, unit, integration, e2e
//   npm test -- crawl-batch      the tests whose path contains a word, without the checks
//   npm test -- unit --coverage  options are those of Jest; the report is `coverage/index.html`
import { check } from './check.mjs';
import { installPrograms } from './install-programs.mjs';
import { runJest } from './run-jest.mjs';

/** Projects of `jest.config.mjs`. */
const PROJECTS = ['unit', 'integration', 'e2e'];

const given = process.argv.slice(2);
const stages = given.filter((word) => word === 'check' || PROJECTS.includes(word));
const rest = given.filter((word) => !stages.includes(word));
const chosen = stages.filter((stage) => stage !== 'check');
const isCheckOnly = stages.includes('check') && chosen.length === 0 && rest.length === 0;
const projects = chosen.length > 0 ? chosen : PROJECTS;

const total = { passed: 0, failed: 0 };
if (given.length === 0 || stages.includes('check')) await run('check', check);
if (!isCheckOnly) {
  // The quick tests first, so that most faults are told within three minutes.
  const [quick, slow] = [
    projects.filter((name) => name === 'unit'),
    projects.filter((name) => name !== 'unit'),
  ];
  const groups = rest.length > 0 ? [projects] : [quick, slow];
  if (slow.length > 0) installPrograms();
  for (const group of groups.filter(({ length }) => length > 0))
    await run(group.join(', '), () => runJest(group, rest));
}
console.log(`\n${total.passed} passed, ${total.failed} failed`);
process.exit(total.failed === 0 ? 0 : 1);

async function run(name, stage) {
  const started = Date.now();
  console.log(`\n== ${name}`);
  const { passed, failed } = await stage();
  total.passed += passed;
  total.failed += failed;
  const seconds = ((Date.now() - started) / 1_000).toFixed(0);
  console.log(`== ${name}: ${passed} passed, ${failed} failed in ${seconds} s`);
}
