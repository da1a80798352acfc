const INTERVAL_MS = 15_000;

/** Prints, from time to time, how far the files are that run: the default reporter prints only files that have ended. */
// oxlint-disable-next-line import/no-default-export -- Jest expects it
export default class ProgressReporter {
  ended = new Map();
  printedAt = Date.now();

  onTestCaseResult({ path }, { title }) {
    this.ended.set(path, (this.ended.get(path) ?? 0) + 1);
    if (Date.now() - this.printedAt < INTERVAL_MS) return;
    this.printedAt = Date.now();
    console.log(
      `… ${path.slice(path.lastIndexOf('/') + 1)}: ${this.ended.get(path)} tests ended, the last: ${title}`,
    );
  }
}
