import type { CreateEvaluation, Evaluation, EvaluationWithResult } from '@citewell/contracts';
import type { PageParameters, Pages } from '../http/pages.js';
import { pause } from '../http/deadline.js';
import { readableStream } from '../http/streamed-form.js';
import { segment } from '../http/request-path.js';
import type { RequestOptions, Transport } from '../http/transport.js';

const POLL_MS = 1_000;

/** Measures how well questions of one's own are answered. Every method throws `CitewellError`. */
export class Evaluations {
  constructor(private readonly transport: Transport) {}

  /** Starts an evaluation, which runs in the background: see {@link waitUntilFinished}. */
  create(evaluation: CreateEvaluation, options?: RequestOptions): Promise<Evaluation> {
    return this.transport.json({ method: 'POST', path: '/evaluations', json: evaluation, options });
  }

  /** Newest first. */
  list(page?: PageParameters, options?: RequestOptions): Pages<Evaluation> {
    return this.transport.list({ path: '/evaluations', options }, page);
  }

  get(id: string, options?: RequestOptions): Promise<EvaluationWithResult> {
    return this.transport.json({ method: 'GET', path: pathOf(id), options });
  }

  /** The report as HTML. Read the stream to the end or cancel it; otherwise the connection stays open. */
  async report(id: string, options?: RequestOptions): Promise<ReadableStream<Uint8Array>> {
    const path = `${pathOf(id)}/report`;
    return readableStream(await this.transport.open({ method: 'GET', path, accept: 'text/html', options }));
  }

  delete(id: string, options?: RequestOptions): Promise<Evaluation> {
    return this.transport.json({ method: 'DELETE', path: pathOf(id), options });
  }

  /**
   * Resolves when the evaluation is done or has failed: check its `state`.
   *
   * @param onProgress is called with each state that was read
   */
  async waitUntilFinished(
    id: string,
    onProgress?: (evaluation: Evaluation) => void,
    options?: RequestOptions,
  ): Promise<EvaluationWithResult> {
    for (;;) {
      const evaluation = await this.get(id, options);
      onProgress?.(evaluation);
      if (evaluation.state === 'done' || evaluation.state === 'failed') return evaluation;
      await pause(POLL_MS, options?.signal);
    }
  }
}

function pathOf(id: string): string {
  return `/evaluations/${segment(id)}`;
}
