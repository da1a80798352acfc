import { setTimeout as sleep } from 'node:timers/promises';
import type { ProductClient } from '@citewell/testing/product';
import { ApiResponseError } from '@citewell/testing/product';

/** What happened to the requests of one period. */
export interface LoadReport {
  readonly accepted: number;
  readonly searches: number;
  /** Searches whose best hit was not the text that has the words of the question, although it was synched. */
  readonly wrong: string[];
  /** Errors by code. */
  readonly errors: Map<string, number>;
  readonly milliseconds: number[];
}

/** Creates texts and searches for those that are synched, until it is stopped. Every text has a word of its own. */
export class MixedLoad {
  private report: LoadReport = emptyReport();
  private readonly texts = new Map<string, string>();
  private readonly synched: string[] = [];
  private stopped = false;
  private readonly work: Promise<unknown>;

  constructor(
    private readonly client: ProductClient,
    private readonly datastoreId: string,
  ) {
    this.work = Promise.all([this.write(), this.follow(), this.search(), this.search()]);
  }

  /** Words of all accepted texts. */
  get accepted(): readonly string[] {
    return [...this.texts.values()];
  }

  /** The report since the last call. */
  take(): LoadReport {
    const { report } = this;
    this.report = emptyReport();
    return report;
  }

  async stop(): Promise<void> {
    this.stopped = true;
    await this.work;
  }

  /** @returns whether the text with this word is the best hit */
  async finds(word: string): Promise<boolean> {
    const [hit] = await this.client.json<{ text: string }[]>('POST', `datastores/${this.datastoreId}/query`, {
      query: `Where is ${word}?`,
    });
    return hit?.text.includes(word) === true;
  }

  private async write(): Promise<void> {
    for (let n = 0; !this.stopped; n += 1) {
      const word = `harbour${n}x${n * 7919}`;
      const text = `The boat ${word} lies in the harbour number ${n}.`;
      await this.counted(async () => {
        const body = { type: 'text', datastoreId: this.datastoreId, name: word, text };
        const { id } = await this.client.json<{ id: string }>('POST', 'datasources', body);
        this.texts.set(id, word);
        this.report = { ...this.report, accepted: this.report.accepted + 1 };
      });
      await sleep(100);
    }
  }

  /** Looks which texts are synched. */
  private async follow(): Promise<void> {
    const waiting = new Set<string>();
    let seen = 0;
    while (!this.stopped) {
      const ids = [...this.texts.keys()];
      for (const id of ids.slice(seen)) waiting.add(id);
      seen = ids.length;
      for (const id of waiting) {
        const read = this.client.json<{ status: string }>('GET', `datasources/${id}`);
        const datasource = await read.catch(() => null);
        if (datasource?.status !== 'synched') continue;
        waiting.delete(id);
        this.synched.push(this.texts.get(id) ?? '');
      }
      await sleep(200);
    }
  }

  private async search(): Promise<void> {
    for (let n = 0; !this.stopped; n += 1) {
      const word = this.synched[(n * 104_729) % Math.max(1, this.synched.length)];
      if (word !== undefined) {
        await this.counted(async () => {
          const started = performance.now();
          const found = await this.finds(word);
          this.report.milliseconds.push(performance.now() - started);
          if (!found) this.report.wrong.push(word);
          this.report = { ...this.report, searches: this.report.searches + 1 };
        });
      }
      await sleep(50);
    }
  }

  private async counted(request: () => Promise<void>): Promise<void> {
    try {
      await request();
    } catch (error) {
      const code = error instanceof ApiResponseError ? error.code : String(error);
      this.report.errors.set(code, (this.report.errors.get(code) ?? 0) + 1);
    }
  }
}

function emptyReport(): LoadReport {
  return { accepted: 0, searches: 0, wrong: [], errors: new Map(), milliseconds: [] };
}
