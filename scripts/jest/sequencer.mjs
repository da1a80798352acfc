import TestSequencer from '@jest/test-sequencer';

const ORDER = ['e2e', 'integration', 'unit'];
/** The files that take longest. Jest knows them by itself only after a first run. */
const LONGEST = [
  'renderer.int',
  'specification.e2e',
  'web-sites',
  'guides.e2e',
  'main.int',
  'dashboard.e2e',
  'answers.e2e',
  'standalone.e2e',
  'backup.e2e',
  'damage.e2e',
  'parser-sandbox.int',
  'resumable-answers.e2e',
  'doctor.command.int',
  'documents.e2e',
  'sudden-ends.e2e',
  'fault-points.e2e',
];

/** Runs the long files first, and then the slow kinds of tests. Otherwise a long file may run alone at the end. */
// oxlint-disable-next-line import/no-default-export -- Jest expects it
export default class Sequencer extends TestSequencer {
  sort(tests) {
    return super.sort(tests).toSorted((first, second) => rankOf(first) - rankOf(second));
  }
}

function rankOf({ path, context }) {
  const position = LONGEST.findIndex((name) => path.includes(`/${name}`));
  return position >= 0 ? position : LONGEST.length + ORDER.indexOf(context.config.displayName.name);
}
