import assert from 'node:assert/strict';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { DataSource } from 'typeorm';
import { AgentRepository } from '../answering/agent.repository.js';
import { ConversationRepository } from '../answering/conversation.repository.js';
import { FeedbackRepository } from '../answering/feedback.repository.js';
import { ResumableAnswerRepository } from '../answering/resumable-answer.repository.js';
import { newId } from '../connection/new-id.js';
import { done, refuse } from '../connection/result.js';
import type { WrittenBlob } from '../content/blobs/blob.repository.js';
import { DocumentChangeRepository } from '../content/changes/document-change.repository.js';
import { PassageRepository } from '../content/datasources/passage.repository.js';
import { DatastoreRepository } from '../content/datastores/datastore.repository.js';
import { DatastoreReaderRepository } from '../content/readers/datastore-reader.repository.js';
import { EvaluationRepository } from '../evaluation/evaluation.repository.js';
import { everythingOf } from '../fixtures/everything-of.fixtures.js';
import { groupCalls, groupOf } from '../fixtures/group-calls.fixtures.js';
import { personCalls, signedInPerson } from '../fixtures/person-calls.fixtures.js';
import { TestSite } from '../fixtures/site.fixtures.js';
import { valueOf } from '../fixtures/result.fixtures.js';
import { TestTenant } from '../fixtures/tenant.fixtures.js';
import { TestServer } from '../fixtures/test-server.fixtures.js';
import { IdempotencyRepository } from '../http/idempotency.repository.js';
import { GroupRepository } from '../identity/people/group.repository.js';
import { PersonRepository } from '../identity/people/person.repository.js';
import { SessionRepository } from '../identity/sign-in/session.repository.js';
import { CrawlUrlRepository } from '../ingestion/crawling/crawl-url.repository.js';
import { SitePreviewRepository } from '../ingestion/crawling/site-preview.repository.js';
import { PurgeRepository } from '../ingestion/purging/purge.repository.js';
import { GroupRunRepository } from '../ingestion/runs/group-run.repository.js';
import { WebhookDeliveryRepository } from '../interfaces/webhook-delivery.repository.js';
import { WebhookRepository } from '../interfaces/webhook.repository.js';
import { ModelSettingRepository } from '../models/model-setting.repository.js';
import { OrganizationRepository } from './organization.repository.js';
import { UsageRepository } from './usage.repository.js';

const page = { limit: 10 };
const ROUTE = 'POST /datasources';
const RESERVATION = { route: ROUTE, key: 'key', id: 'i' };
const ANSWER = { requestHash: 'h', status: 200, response: {} };
const OWN_MODEL = { name: 'openai:m', baseUrl: null, sealedKey: 'sealed' };

const TEST = { type: 'webhook.test', data: {} };

/** Calls every repository method that takes a tenant as a stranger with the ids of the owner. */
describe('another organization', () => {
  const server = new TestServer();
  let dataSource: DataSource;
  let owner: TestTenant;
  let stranger: TestTenant;
  type Named = 'datasource' | 'run' | 'agent' | 'conversation' | 'message' | 'growing' | 'key' | 'site';
  type Other = 'preview' | 'evaluation' | 'webhook' | 'delivery' | 'person' | 'session' | 'group';
  let ids: Record<Named | Other, string> & { blob: WrittenBlob };
  let snapshot: string;

  beforeAll(async () => {
    dataSource = await server.database();
    owner = await TestTenant.create(dataSource, { limitAgentQueries: 5 });
    stranger = await TestTenant.create(dataSource);
    const { datasource } = await owner.datasource({ customId: 'custom' });
    const run = await owner.serve(datasource.id);
    await owner.datasources.sync(owner.scope, datasource.id);
    const { agent } = await agents().create(owner.scope, { name: 'agent' }, [owner.datastoreId]);
    const message = newId();
    await new ConversationRepository(dataSource).append(
      owner.scope,
      { agentId: agent.id, externalId: 'thread', visitorId: 'visitor' },
      {
        question: { id: newId(), text: 'q' },
        answer: { id: message, text: 'a', sources: [], abstained: false },
      },
    );
    const growing = newId();
    await new ResumableAnswerRepository(dataSource).begin(
      owner.scope,
      { agentId: agent.id, externalId: 'thread', visitorId: 'visitor' },
      { question: { id: newId(), text: 'q' }, answerId: growing },
    );
    await dataSource.query(`UPDATE messages SET heartbeat_at = now() - interval '1 day' WHERE id = $1`, [
      growing,
    ]);
    const threads = new ConversationRepository(dataSource);
    const conversation = valueOf(await threads.find(owner.scope, agent.id, 'thread'));
    await new IdempotencyRepository(dataSource).begin(owner.scope, RESERVATION);
    await new UsageRepository(dataSource).reserveAgentQuery(owner.scope);
    await new ModelSettingRepository(dataSource).storeOwn(owner.scope, 'chat', OWN_MODEL);
    const preview = await new SitePreviewRepository(dataSource).request(owner.scope, {});
    await new SitePreviewRepository(dataSource).finish(preview, { pages: [], isComplete: true, error: null });
    const [key] = await new OrganizationRepository(dataSource).keys(owner.scope, page);
    const evaluations = new EvaluationRepository(dataSource);
    const fields = {
      name: 'e',
      configuration: { agentId: agent.id },
      baseline: null,
      datastoreIds: [],
      questions: [],
    };
    const evaluation = valueOf(await evaluations.create(owner.scope, fields, 1));
    const claimed = await evaluations.claim(60);
    const blob = await owner.upload(datasource.id);
    const webhook = newId();
    const endpoint = { id: webhook, url: 'https://example.com/', events: [], sealedSecret: 'sealed' };
    await new WebhookRepository(dataSource).create(owner.scope, endpoint, 1);
    const delivery = await new WebhookDeliveryRepository(dataSource).add(owner.scope, webhook, TEST);
    const site = await TestSite.begin(owner);
    await site.page();
    assert.ok(conversation && key && claimed);
    const outcome = { rank: 1, score: 1, refused: false, values: {}, passages: [] };
    await evaluations.record(claimed, { side: 'configuration', position: 0, outcome }, 60);
    const signedIn = await signedInPerson(owner);
    ids = {
      ...signedIn,
      group: await groupOf(owner, signedIn.person),
      datasource: datasource.id,
      run,
      agent: agent.id,
      conversation: conversation.id,
      message,
      growing,
      key: key.id,
      blob,
      site: site.id,
      preview,
      evaluation,
      webhook,
      delivery,
    };
    snapshot = await everythingOf(owner);
  });
  afterAll(() => server.close());

  const text = {
    type: 'text' as const,
    name: 't',
    customId: null,
    config: {},
    metadata: null,
    mimeType: 'text/plain',
  };
  const turn = () => ({
    question: { id: newId(), text: 'q' },
    answer: { id: newId(), text: 'a', sources: [], abstained: false },
  });
  const refused = (promise: Promise<unknown>): Promise<string> =>
    promise.then(
      () => 'done',
      () => 'refused',
    );

  const usage = () => new UsageRepository(dataSource);
  const webhooks = () => new WebhookRepository(dataSource);
  const deliveries = () => new WebhookDeliveryRepository(dataSource);
  const modelSettings = () => new ModelSettingRepository(dataSource);
  const agents = (): AgentRepository => new AgentRepository(dataSource);
  const datastores = (): DatastoreRepository => new DatastoreRepository(dataSource);

  const organizations = () => new OrganizationRepository(dataSource);
  const previews = () => new SitePreviewRepository(dataSource);
  const purges = () => new PurgeRepository(dataSource);
  const passages = () => new PassageRepository(dataSource);
  const idempotency = () => new IdempotencyRepository(dataSource);
  const evaluations = () => new EvaluationRepository(dataSource);
  const growing = () => new ResumableAnswerRepository(dataSource);
  const conversations = () => new ConversationRepository(dataSource);
  const calls: Record<string, [call: () => Promise<unknown>, expected: unknown]> = {
    'usage.countPending': [() => usage().countPending(stranger.scope, 10), 0],
    'usage.countSources': [
      () => usage().countSources(stranger.scope, { datastoreId: owner.datastoreId, customId: null }),
      0,
    ],
    ...personCalls(() => ({ stranger, ids })),
    ...groupCalls(() => ({ stranger, owner, ids })),
    'agents.find': [() => agents().find(stranger.scope, ids.agent), null],
    'agents.findAlone': [() => agents().findAlone(stranger.scope, ids.agent), null],
    'agents.findByName': [() => agents().findByName(stranger.scope, 'agent', 2), []],
    'agents.list': [() => agents().list(stranger.scope, page), []],
    'agents.update': [() => agents().update(stranger.scope, ids.agent, { name: 'x' }, []), null],
    'agents.remove': [() => agents().remove(stranger.scope, ids.agent), null],
    'agents.create with a datastore': [
      () => refused(agents().create(stranger.scope, { name: 'x' }, [owner.datastoreId])),
      'refused',
    ],
    'conversations.find': [() => conversations().find(stranger.scope, ids.agent, 'thread'), done(null)],
    'conversations.findAll': [
      () => conversations().findAll(stranger.scope, 'thread', { agentId: ids.agent }),
      [],
    ],
    'conversations.list': [
      () =>
        conversations().list(stranger.scope, page, {
          agentId: ids.agent,
          visitorId: 'visitor',
        }),
      [],
    ],
    'conversations.messages': [() => conversations().messages(stranger.scope, ids.conversation, page), []],
    'conversations.answers': [() => conversations().answers(stranger.scope, { agentId: ids.agent }, 10), []],
    'conversations.append': [
      () =>
        refused(
          conversations().append(
            stranger.scope,
            { agentId: ids.agent, externalId: 'thread', visitorId: 'v' },
            turn(),
          ),
        ),
      'refused',
    ],
    'feedback.rate': [
      () =>
        new FeedbackRepository(dataSource).rate(stranger.scope, ids.conversation, ids.message, 'bad', null),
      null,
    ],
    'conversations.remove': [() => conversations().remove(stranger.scope, ids.conversation), undefined],
    'conversations.removeVisitor': [
      () => conversations().removeVisitor(stranger.scope, 'visitor'),
      { conversations: 0, messages: 0 },
    ],
    'resumableAnswers.begin': [
      () =>
        refused(
          growing().begin(
            stranger.scope,
            { agentId: ids.agent, externalId: 'thread', visitorId: 'v' },
            { question: { id: newId(), text: 'q' }, answerId: newId() },
          ),
        ),
      'refused',
    ],
    'resumableAnswers.progress': [() => growing().progress(stranger.scope, ids.growing, 'x', []), null],
    'resumableAnswers.end': [
      () =>
        growing().end(stranger.scope, ids.growing, {
          state: 'complete',
          text: 'x',
          sources: [],
          abstained: false,
          finishReason: 'stop',
          error: null,
        }),
      false,
    ],
    'resumableAnswers.find': [() => growing().find(stranger.scope, ids.agent, ids.growing), null],
    'resumableAnswers.endAbandoned': [
      () => growing().endAbandoned(stranger.scope, ids.conversation),
      undefined,
    ],
    'resumableAnswers.requestStop': [() => growing().requestStop(stranger.scope, ids.growing), undefined],
    'datasources.write in a datastore': [
      () =>
        refused(
          stranger.datasources.write(stranger.scope, [
            { ...text, datastoreId: owner.datastoreId, content: null },
          ]),
        ),
      'refused',
    ],
    'datasources.write with content': [
      async () => {
        const item = { ...text, datastoreId: stranger.datastoreId, content: ids.blob };
        return (await stranger.datasources.write(stranger.scope, [item])).length;
      },
      1,
    ],
    'datasources.find': [() => stranger.datasources.find(stranger.scope, ids.datasource), null],
    'datasources.list': [
      () => stranger.datasources.list(stranger.scope, { datastoreId: owner.datastoreId }, page),
      [],
    ],
    'datasources.idsByCustomId': [
      () => stranger.datasources.idsByCustomId(stranger.scope, [owner.datastoreId], ['custom']),
      [],
    ],
    'datasources.idsByFilters': [
      () =>
        stranger.datasources.idsByFilters(stranger.scope, [owner.datastoreId], { custom_ids: ['custom'] }),
      [],
    ],
    'datasources.knownNames': [
      () => stranger.datasources.knownNames(stranger.scope, [owner.datastoreId], ['custom', ids.datasource]),
      new Set(),
    ],
    'datasources.update': [
      () => stranger.datasources.update(stranger.scope, ids.datasource, () => ({ name: 'x' })),
      null,
    ],
    'datasources.write of a custom id': [
      async () => {
        // The id belongs to a datasource of the owner, in a datastore of the owner.
        const item = {
          ...text,
          datastoreId: owner.datastoreId,
          customId: 'custom',
          content: null,
          isUpsert: true,
        };
        return refused(stranger.datasources.write(stranger.scope, [item]));
      },
      'refused',
    ],
    'datasources.sync': [() => stranger.datasources.sync(stranger.scope, ids.datasource), null],
    'datasources.syncDue': [
      () => stranger.datasources.syncDue(stranger.scope, ids.datasource, null),
      undefined,
    ],
    'datasources.replaceContent': [
      () =>
        stranger.datasources.replaceContent(stranger.scope, ids.datasource, {
          ...ids.blob,
          mimeType: 'text/plain',
        }),
      null,
    ],
    'datasources.replaceFile': [
      () =>
        stranger.datasources.replaceFile(stranger.scope, ids.datasource, {
          name: 'x',
          mimeType: 'text/plain',
          content: ids.blob,
        }),
      null,
    ],
    'datasources.markDeleted': [() => stranger.datasources.markDeleted(stranger.scope, ids.datasource), null],
    'datasources.runs': [() => stranger.datasources.runs(stranger.scope, ids.datasource, page), []],
    'documentChanges.list': [
      () => new DocumentChangeRepository(dataSource).list(stranger.scope, owner.datastoreId, page),
      [],
    ],
    'datastores.find': [() => datastores().find(stranger.scope, owner.datastoreId), null],
    'datastores.progress': [
      () => datastores().progress(stranger.scope, owner.datastoreId),
      { counts: {}, recent: 0, recentSeconds: 0 },
    ],
    'datastores.ofAgent': [() => datastores().ofAgent(stranger.scope, ids.agent), []],
    'datastores.findMany': [() => datastores().findMany(stranger.scope, [owner.datastoreId]), []],
    'datastores.list': [
      async () => (await datastores().list(stranger.scope, page)).map((item) => item.id),
      'own',
    ],
    'datastores.findByName': [
      async () => {
        const { name } = (await datastores().find(owner.scope, owner.datastoreId)) ?? {};
        const found = await datastores().findByName(stranger.scope, name ?? '', 2);
        return found.some(({ id }) => id === owner.datastoreId);
      },
      false,
    ],
    'datastores.countDatasources': [
      () => datastores().countDatasources(stranger.scope, [owner.datastoreId]),
      new Map(),
    ],
    'datastores.update': [() => datastores().update(stranger.scope, owner.datastoreId, { name: 'x' }), null],
    'datastores.markDeleted': [() => datastores().markDeleted(stranger.scope, owner.datastoreId), null],
    'idempotency.find': [() => idempotency().find(stranger.scope, ROUTE, 'key', 'h'), { kind: 'first' }],
    'idempotency.finish': [() => idempotency().finish(stranger.scope, RESERVATION, ANSWER), undefined],
    'idempotency.release': [() => idempotency().release(stranger.scope, RESERVATION), undefined],
    'idempotency.begin': [() => idempotency().begin(stranger.scope, RESERVATION), done()],
    'organizations.keys': [
      async () => (await organizations().keys(stranger.scope, page)).map((key) => key.id === ids.key),
      [false],
    ],
    'organizations.removeKey': [
      () => organizations().removeKey(stranger.scope, ids.key),
      refuse('not-found'),
    ],
    'crawlUrls.list': [
      () => new CrawlUrlRepository(dataSource).list(stranger.scope, ids.site, {}, { limit: 10 }),
      [],
    ],
    'passages.counts': [() => passages().counts(stranger.scope, [owner.datastoreId]), []],
    'passages.newest': [() => passages().newest(stranger.scope, [owner.datastoreId], undefined, 5), []],
    'passages.spaces': [() => passages().spaces(stranger.scope, [owner.datastoreId]), []],
    'passages.visibleIds': [() => passages().visibleIds(stranger.scope, [owner.datastoreId]), []],
    'passages.visible': [
      async () => (await passages().visible(stranger.scope, [owner.datastoreId], [ids.datasource])).size,
      0,
    ],
    'lifecycle.cancel': [() => stranger.lifecycle.cancel(stranger.scope, ids.datasource), false],
    'purges.retiredRuns': [() => purges().retiredRuns(stranger.organizationId, [ids.datasource]), []],
    'purges.retiredBlobs': [
      () => purges().retiredBlobs(stranger.organizationId, [ids.datasource], [ids.run]),
      [],
    ],
    'purges.blobsOf': [() => purges().blobsOf(stranger.organizationId, [ids.datasource]), []],
    'groupRuns.cancelPages': [
      () => new GroupRunRepository(dataSource, 'api').cancelPages(stranger.scope, ids.site),
      0,
    ],
    'sitePreviews.result': [() => previews().result(stranger.scope, ids.preview), null],
    'sitePreviews.remove': [() => previews().remove(stranger.scope, ids.preview), undefined],
    'evaluations.create': [
      async () => {
        const fields = { name: 'e', configuration: {}, baseline: null, datastoreIds: [], questions: [] };
        return typeof valueOf(await evaluations().create(stranger.scope, fields, 1));
      },
      'string',
    ],
    'evaluations.list': [
      async () => (await evaluations().list(stranger.scope, page)).some(({ id }) => id === ids.evaluation),
      false,
    ],
    'evaluations.summary': [() => evaluations().summary(stranger.scope, ids.evaluation), null],
    'evaluations.find': [() => evaluations().find(stranger.scope, ids.evaluation), null],
    'evaluations.outcomes': [() => evaluations().outcomes(stranger.scope, ids.evaluation), []],
    'evaluations.remove': [() => evaluations().remove(stranger.scope, ids.evaluation), undefined],
    'modelSettings.findOwn': [() => modelSettings().findOwn(stranger.scope, 'chat'), null],
    'modelSettings.storeOwn': [() => modelSettings().storeOwn(stranger.scope, 'chat', OWN_MODEL), undefined],
    'modelSettings.removeOwn': [() => modelSettings().removeOwn(stranger.scope, 'chat'), undefined],
    'webhooks.create': [
      async () => {
        const webhook = { id: newId(), url: 'https://example.com/', events: [], sealedSecret: 'sealed' };
        const { organizationId } = valueOf(await webhooks().create(stranger.scope, webhook, 1));
        return organizationId === owner.organizationId;
      },
      false,
    ],
    'webhooks.list': [
      async () => (await webhooks().list(stranger.scope)).some(({ id }) => id === ids.webhook),
      false,
    ],
    'webhooks.find': [() => webhooks().find(stranger.scope, ids.webhook), null],
    'webhooks.update': [() => webhooks().update(stranger.scope, ids.webhook, { enabled: false }), null],
    'webhooks.rotate': [() => webhooks().rotate(stranger.scope, ids.webhook, 'sealed by b', 60), null],
    'webhooks.remove': [() => webhooks().remove(stranger.scope, ids.webhook), undefined],
    'deliveries.list': [() => deliveries().list(stranger.scope, ids.webhook, page), []],
    'deliveries.find': [() => deliveries().find(stranger.scope, ids.webhook, ids.delivery), null],
    'deliveries.add': [() => refused(deliveries().add(stranger.scope, ids.webhook, TEST)), 'refused'],
    'deliveries.replay': [
      () => deliveries().replay(stranger.scope, ids.webhook, ids.delivery),
      refuse('in-progress'),
    ],
    'deliveries.replayFailed': [() => deliveries().replayFailed(stranger.scope, ids.webhook, new Date(0)), 0],
    'usage.reserveAgentQuery': [() => usage().reserveAgentQuery(stranger.scope), done()],
    'usage.countMessage': [() => usage().countMessage(stranger.scope, ids.key), refuse('limit-reached')],
    'usage.refundAgentQuery': [() => usage().refundAgentQuery(stranger.scope), undefined],
    'usage.history': [
      async () => (await usage().history(stranger.scope, 12)).map(({ agentQueries }) => agentQueries),
      [0],
    ],
    'usage.report': [
      async () => (await usage().report(stranger.scope)).agentQueries,
      { used: 0, limit: null },
    ],
  };

  for (const [name, [call, expected]] of Object.entries(calls)) {
    it(`reads and changes nothing with ${name}`, async () => {
      const result = await call();
      expect(result).toEqual(expected === 'own' ? [stranger.datastoreId] : expected);
      expect(await everythingOf(owner)).toBe(snapshot);
    });
  }

  it('is tested with every method that takes a tenant', () => {
    const repositories = {
      agents: AgentRepository,
      conversations: ConversationRepository,
      resumableAnswers: ResumableAnswerRepository,
      datasources: stranger.datasources.constructor,
      datastores: DatastoreRepository,
      datastoreReaders: DatastoreReaderRepository,
      groups: GroupRepository,
      idempotency: IdempotencyRepository,
      crawlUrls: CrawlUrlRepository,
      evaluations: EvaluationRepository,
      modelSettings: ModelSettingRepository,
      passages: PassageRepository,
      people: PersonRepository,
      sessions: SessionRepository,
      usage: UsageRepository,
      webhooks: WebhookRepository,
      deliveries: WebhookDeliveryRepository,
    };
    const tested = Object.keys(calls).map((name) => name.split(' ')[0]);
    // Private methods are called by public ones. The others look across organizations, or at what a process has claimed.
    const excluded = ['constructor', 'rows', 'load', 'setDatastores', 'withDatastores', 'lock', 'writeAll']
      .concat(['select', 'claim', 'extend', 'answered', 'record', 'release', 'finish', 'summaries'])
      .concat(['all', 'store', 'remove', 'hasKeys', 'hasSecrets', 'progress', 'usedSpaces'])
      .concat(['firstOwner', 'hasSignedInOwner', 'keepingAnOwner', 'authenticate', 'replace'])
      .concat(['collect', 'reindex', 'reindexOutdated', 'forgetSpaces', 'dueForSync', 'removeExpired'])
      .concat(['findByIds', 'withSizes', 'addDatastores']);
    for (const [name, { prototype }] of Object.entries(repositories)) {
      for (const method of Object.getOwnPropertyNames(prototype)) {
        if (excluded.includes(method) || (/^datastores|sessions/.test(name) && method === 'create')) continue;
        expect(tested).toContain(`${name}.${method}`);
      }
    }
  });
});
