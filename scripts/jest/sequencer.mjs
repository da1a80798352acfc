import TestSequencer from '@jest/test-sequencer';

const ORDER = ['e2e', 'integration', 'unit'];
const rankOf = ({ context }) => ORDER.indexOf(context.config.displayName.name);

/** Runs the slow kinds of tests first. Otherwise a long file may run alone at the end. */
// oxlint-disable-next-line import/no-default-export -- Jest expects it
export default class Sequencer extends TestSequencer {
  sort(tests) {
    return super.sort(tests).toSorted((first, second) => rankOf(first) - rankOf(second));
  }
}
