import { TestEnvironment } from 'jest-environment-node';

/** Classes of the language that values of Node's core modules have. */
const SHARED_CLASSES = [
  'Error',
  'TypeError',
  'RangeError',
  'SyntaxError',
  'Array',
  'Object',
  'Function',
  'Map',
  'Set',
  'Date',
  'RegExp',
  'Promise',
  'Float32Array',
];
const { hasInstance } = Symbol;
const isInstance = Function.prototype[hasInstance];

/**
 * Jest runs each test file in a realm of its own, with its own `Error`, `Array` and so on. Values from Node's core
 * modules belong to the main realm. In this environment, `instanceof` accepts them, too.
 */
// oxlint-disable-next-line import/no-default-export -- Jest expects it
export default class Environment extends TestEnvironment {
  async setup() {
    await super.setup();
    for (const name of SHARED_CLASSES) acceptInstancesOf(globalThis[name], this.global[name]);
  }

  /** `hasFailedTests` tells hooks whether a test of the file has failed. */
  handleTestEvent({ name, test }) {
    if (name === 'test_done' && test.errors.length > 0) this.global.hasFailedTests = true;
  }
}

function acceptInstancesOf(main, local) {
  Object.defineProperty(local, hasInstance, {
    value(instance) {
      // Subclasses inherit this method.
      return isInstance.call(this, instance) || (this === local && isInstance.call(main, instance));
    },
  });
}
