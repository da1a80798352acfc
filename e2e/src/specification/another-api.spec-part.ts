import { expect, it } from '@jest/globals';
import { until } from '../client/tenant.js';
import {
  answering,
  collect,
  HALF,
  HALF_TEXT,
  SLOWLY,
  startOf,
  TEXT,
  WORDS,
} from '../answering/resumable-answers/answering.js';
import { type SpecificationPart, WITH_MODEL } from './describe-specification.js';

const LONG_MS = 60_000;

/** Answers that stay, with two API processes. */
export const anotherApi: SpecificationPart = (fixture) => {
  const { nextReply, clientOf, bicycles, leaveAfter } = answering(
    () => ({ ...fixture(), tenant: fixture().alice }),
    { modelName: WITH_MODEL },
  );

  it(
    'an answer that stays is followed and stopped in another API process, and ends with its process',
    async () => {
      const { model, deployment } = fixture();
      const another = await deployment.startAnotherApi?.();
      if (another === undefined) throw new Error('There is only one process');
      const there = clientOf(another.origin);
      const agentId = await bicycles();

      nextReply(WORDS, SLOWLY);
      const followed = await leaveAfter(agentId, 3);
      const events = await collect(there.agents.follow(agentId, followed.messageId));
      expect(events.length).toBeGreaterThan(3);
      expect(events.at(-1)).toMatchObject({ response: { answer: TEXT } });

      const calls = model.requests.length;
      nextReply(HALF.deltas, HALF);
      const stopped = await leaveAfter(agentId, 1);
      await there.agents.stop(agentId, stopped.messageId);
      expect((await collect(there.agents.follow(agentId, stopped.messageId))).at(-1)).toMatchObject({
        response: { state: 'stopped', answer: HALF_TEXT, sources: [{ cited: true }] },
      });
      await until(async () => model.requests[calls]?.aborted, 'the model call to be cancelled', 3_000);

      // The other process writes, and is killed.
      nextReply(HALF.deltas, HALF);
      const stream = there.agents.streamResumable(agentId, { query: 'How long are bicycles guaranteed?' });
      const { messageId } = startOf((await stream.next()).value);
      await stream.next();
      const here = clientOf(deployment.origin);
      const following = collect(here.agents.follow(agentId, messageId)).catch((error: unknown) => error);
      await new Promise((resolve) => setTimeout(resolve, 1_500));
      await another.process.kill();
      await expect(collect(stream)).rejects.toMatchObject({ code: 'NETWORK' });
      expect(await following).toMatchObject({ code: 'ANSWER_INTERRUPTED' });
    },
    LONG_MS,
  );
};
