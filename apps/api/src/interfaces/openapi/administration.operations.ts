import {
  apiKeySchema,
  apiKeyWithSecretSchema,
  auditEventSchema,
  auditRetentionSchema,
  budgetStateSchema,
  chatSettingsSchema,
  rerankSettingsSchema,
  healthReportSchema,
  embeddingSettingsSchema,
  erasureReportSchema,
  modelsSchema,
  modelPricesStateSchema,
  modelTestSchema,
  monthlyUsageSchema,
  organizationSchema,
  organizationSettingsSchema,
  organizationWithKeySchema,
  usageReportSchema,
  usageShareSchema,
  usageTotalsSchema,
} from '@citewell/contracts/schemas';
import { json, listOf, type Operation } from './operation.js';

/** Operations of keys, usage, the audit log, models, health and organizations. */
export const ADMINISTRATION_OPERATIONS: Readonly<Record<string, Operation>> = {
  'post /api-keys': {
    tag: 'Administration',
    summary: 'Create an API key',
    description:
      'A key with the scope `publishable` may be part of web pages: it asks one public agent, from pages of the allowed origins. It does nothing else.',
    responses: json(apiKeyWithSecretSchema),
    errors: ['NOT_FOUND'],
  },
  'get /api-keys': {
    tag: 'Administration',
    summary: 'List API keys, and the personal access tokens of people',
    responses: listOf(apiKeySchema),
  },
  'delete /api-keys/{id}': {
    tag: 'Administration',
    summary: 'Revoke an API key, or the token of a person',
    responses: json(apiKeySchema),
  },
  'get /organization': {
    tag: 'Administration',
    summary: 'Read the settings of the organization',
    responses: json(organizationSettingsSchema),
  },
  'patch /organization': {
    tag: 'Administration',
    summary: 'Change the settings of the organization',
    description:
      '`ownersReadConversations` opens the conversations of people to owners and to keys with the scope `admin`: those that begin from then on. The dashboard tells people of it. Switching it off closes all of them.',
    responses: json(organizationSettingsSchema),
  },
  'get /usage': {
    tag: 'Administration',
    summary: 'Read the usage of this month',
    responses: json(usageReportSchema),
  },
  'get /usage/history': {
    tag: 'Administration',
    summary: 'Read the usage of the last months',
    description: 'Oldest month first, beginning with the month in which the organization was created.',
    responses: listOf(monthlyUsageSchema),
  },
  'get /usage/breakdown': {
    tag: 'Administration',
    summary: 'Read who has used how much',
    description:
      'By person and key, by agent, or by day (UTC). The largest share comes first, days in their order.',
    responses: listOf(usageShareSchema),
  },
  'get /usage/own': {
    tag: 'Administration',
    summary: 'Read the own usage',
    description: 'Only in the session of a person.',
    responses: json(usageTotalsSchema),
  },
  'get /usage/prices': {
    tag: 'Administration',
    summary: 'Read the prices of models',
    responses: json(modelPricesStateSchema),
  },
  'put /usage/prices': {
    tag: 'Administration',
    summary: 'Replace the prices of models',
    description:
      'They count for answers from now on. The cost of an answer of a model without a price is not known, and is never shown as 0.',
    responses: json(modelPricesStateSchema),
  },
  'get /usage/budgets': {
    tag: 'Administration',
    summary: 'Read the monthly budgets, and what was used of them',
    responses: listOf(budgetStateSchema),
  },
  'put /usage/budgets': {
    tag: 'Administration',
    summary: 'Replace the monthly budgets',
    description:
      'Questions fail with `USAGE_LIMIT` when a budget of the organization, the person or the agent is used up. Questions in progress count for budgets of questions. Answers in progress are completed, and may exceed budgets of tokens and costs. A month begins at 00:00 UTC. A change takes effect with the next question.',
    responses: listOf(budgetStateSchema),
    errors: ['NOT_FOUND'],
  },
  'get /audit-events': {
    tag: 'Administration',
    summary: 'List audit events',
    description: 'Who did what, newest first. Questions and searches are not events.',
    responses: listOf(auditEventSchema),
  },
  'get /exports/audit-events': {
    tag: 'Administration',
    summary: 'Export audit events as JSON lines',
    description: 'One event per line, newest first, with the fields of `GET /audit-events`.',
    responses: { 'application/x-ndjson': null },
  },
  'get /audit-events/retention': {
    tag: 'Administration',
    summary: 'Read how long audit events are kept',
    responses: json(auditRetentionSchema),
  },
  'put /audit-events/retention': {
    tag: 'Administration',
    summary: 'Change how long audit events are kept',
    description: 'Older events are removed within minutes.',
    responses: json(auditRetentionSchema),
  },
  'get /models': {
    tag: 'Administration',
    summary: 'Read the configured models',
    responses: json(modelsSchema),
  },
  'get /models/embedding': {
    tag: 'Administration',
    summary: 'Read the choice of the embedding model, and its progress',
    description:
      'All organizations share the embedding model. Only keys of the first organization may read and change the choice.',
    responses: json(embeddingSettingsSchema),
  },
  'put /models/embedding': {
    tag: 'Administration',
    summary: 'Choose the embedding model',
    description:
      'Answers at once. The server then downloads and loads the model, and embeds the documents in the background. Each document is found by its earlier vectors until then. The choice `builtin` undoes it. Fails with `CONFLICT` if the variable EMBEDDING_MODEL is set.',
    responses: json(embeddingSettingsSchema),
  },
  'put /models/embedding/server': {
    tag: 'Administration',
    summary: 'Choose an embedding model of a server',
    description:
      'As `PUT /models/embedding`, with provider, address and key as for the chat model. Another address or key of the same model embeds nothing again.',
    responses: json(embeddingSettingsSchema),
  },
  'post /models/embedding/test': {
    tag: 'Administration',
    summary: 'Test an embedding model of a server before it is chosen',
    description:
      'Embeds a short text, and stores nothing. A model that fails is not an error of this request: `ok` is false, and `message` says why.',
    responses: json(modelTestSchema),
  },
  'get /models/rerank': {
    tag: 'Administration',
    summary: 'Read the choice of the rerank model',
    description:
      'Only keys of the first organization may read and change the choice. Variables of the server win, and are shown.',
    responses: json(rerankSettingsSchema),
  },
  'put /models/rerank': {
    tag: 'Administration',
    summary: 'Choose the rerank model',
    description:
      'All processes use it within five seconds. Key and address are as for the chat model. Fails with `CONFLICT` if a variable of the server decides.',
    responses: json(rerankSettingsSchema),
  },
  'delete /models/rerank': {
    tag: 'Administration',
    summary: 'Remove the choice of the rerank model, and its key',
    description:
      'Passages keep the order of the search again. Fails with `CONFLICT` if the variable RERANK_MODEL is set.',
    responses: json(rerankSettingsSchema),
  },
  'post /models/rerank/test': {
    tag: 'Administration',
    summary: 'Test a rerank model before it is chosen',
    description:
      'Scores two short passages, and stores nothing. A model that fails is not an error of this request: `ok` is false, and `message` says why.',
    responses: json(modelTestSchema),
  },
  'get /models/chat': {
    tag: 'Administration',
    summary: 'Read the choice of the chat model',
    description:
      'Only keys of the first organization may read and change the choice. Variables of the server win, and are shown.',
    responses: json(chatSettingsSchema),
  },
  'put /models/chat': {
    tag: 'Administration',
    summary: 'Choose the chat model',
    description:
      'All processes use it within five seconds. A key is stored encrypted, and never returned. The address may lead to the Internet and to the networks of the variable MODEL_NETWORKS. Fails with `CONFLICT` if a variable of the server decides.',
    responses: json(chatSettingsSchema),
  },
  'delete /models/chat': {
    tag: 'Administration',
    summary: 'Remove the choice of the chat model, and its key',
    description: 'Answers consist of quotes again. Fails with `CONFLICT` if the variable CHAT_MODEL is set.',
    responses: json(chatSettingsSchema),
  },
  'post /models/chat/test': {
    tag: 'Administration',
    summary: 'Test a chat model before it is chosen',
    description:
      'Sends one short request, and stores nothing. A key that is left out is the stored one, if provider and address are those of the stored choice. A model that fails is not an error of this request: `ok` is false, and `message` says why.',
    responses: json(modelTestSchema),
  },
  'get /models/chat/own': {
    tag: 'Administration',
    summary: 'Read the own chat model of the organization',
    description:
      'Needs the variable ORGANIZATION_MODELS of the server. Without an own model, `chosenBy` is `default`, and the model of the server answers.',
    responses: json(chatSettingsSchema),
  },
  'put /models/chat/own': {
    tag: 'Administration',
    summary: 'Choose an own chat model for the organization',
    description:
      'It answers all questions of the organization from then on, except those for a model name that the operator offers a model for, such as `gpt_4` with MODEL_GPT_4. If it fails, questions fail with `OWN_MODEL_FAILED`: the model of the server is never asked instead. Variables of the server with keys and addresses are not used. The address may lead to the Internet and to the networks of the variable ORGANIZATION_MODEL_NETWORKS.',
    responses: json(chatSettingsSchema),
  },
  'delete /models/chat/own': {
    tag: 'Administration',
    summary: 'Remove the own chat model of the organization, and its key',
    description: 'The model of the server answers again.',
    responses: json(chatSettingsSchema),
  },
  'post /models/chat/own/test': {
    tag: 'Administration',
    summary: 'Test an own chat model before it is chosen',
    description: 'As `POST /models/chat/test`.',
    responses: json(modelTestSchema),
  },
  'post /models/test': {
    tag: 'Administration',
    summary: 'Test a model',
    description:
      'Who may choose a model may test it: the first organization the models of the server, and each organization its own chat model. The test counts as a question without an agent. Sends one short request to the model and waits at most 15 seconds. A model that fails is not an error of this request: `ok` is false, and `message` says why.',
    responses: json(modelTestSchema),
  },
  'get /health-report': {
    tag: 'Administration',
    summary: 'Read the health of the server, as far as it concerns the organization',
    description:
      'The dependencies of the server, and contradictions in the rows of the organization. `citewell doctor` on the server also compares the rows with the stores, for all organizations.',
    responses: json(healthReportSchema),
  },
  'post /organizations': {
    tag: 'Administration',
    summary: 'Create an organization and its first API key',
    responses: json(organizationWithKeySchema),
  },
  'get /organizations': {
    tag: 'Administration',
    summary: 'List organizations',
    responses: listOf(organizationSchema),
  },
  'get /organizations/{id}': {
    tag: 'Administration',
    summary: 'Read an organization',
    responses: json(organizationSchema),
  },
  'get /organizations/{id}/erasure': {
    tag: 'Administration',
    summary: 'Read what was deleted with an organization',
    description: 'The report stays. It has figures, and nothing else of the organization.',
    responses: json(erasureReportSchema),
  },
  'delete /organizations/{id}': {
    tag: 'Administration',
    summary: 'Delete an organization and all its data',
    description: 'Nothing of it answers from then on. Rows, vectors and files are deleted in the background.',
    responses: json(organizationSchema),
  },
};
