import TestSequencer from '@jest/test-sequencer';

const ORDER = ['e2e', 'integration', 'unit'];
/** The files that take longest. Jest knows them by itself only after a first run. */
const LONGEST = [
  'specification.e2e',
  'source-access.int',
  'watchdog.e2e',
  'sources.e2e',
  'text-recognition.int',
  'rendering.e2e',
  'first-ten-minutes.e2e',
  'dashboard.e2e',
  'renderer.int',
  'dashboard-gaps.e2e',
  'webhooks.e2e',
  'blob-store.int',
  'parser-sandbox.int',
  'web-sites',
  'dashboard-own-conversations.e2e',
  'leaks.e2e',
  'damage.e2e',
  'answers.e2e',
  'main.int',
  'standalone.e2e',
  'site-kills.e2e',
  'backup.e2e',
  'fault-points.e2e',
  'doctor.command.int',
  'guides.e2e',
  'documents.e2e',
  'sudden-ends.e2e',
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
