import { evaluationSchema, evaluationWithResultSchema } from '@citewell/contracts/schemas';
import { json, listOf, type Operation } from './operation.js';

/** The operations of evaluations, by method and path. */
export const EVALUATION_OPERATIONS: Readonly<Record<string, Operation>> = {
  'post /evaluations': {
    tag: 'Evaluations',
    summary: 'Start an evaluation',
    description:
      'Asks questions of your own in the background, and measures how well they are answered. With `baseline`, two configurations are compared question by question. Each answer of an agent counts as an agent query. An organization has at most three unfinished evaluations; the newest 100 are kept.',
    responses: json(evaluationSchema),
    errors: ['NOT_FOUND', 'RATE_LIMIT'],
  },
  'get /evaluations': {
    tag: 'Evaluations',
    summary: 'List evaluations',
    responses: listOf(evaluationSchema),
  },
  'get /evaluations/{id}': {
    tag: 'Evaluations',
    summary: 'Read an evaluation',
    description: 'Ask again until `state` is `done` or `failed`.',
    responses: json(evaluationWithResultSchema),
  },
  'get /evaluations/{id}/report': {
    tag: 'Evaluations',
    summary: 'Read the report of an evaluation',
    description: 'One HTML file with plots, without scripts.',
    responses: { 'text/html': null },
    errors: ['CONFLICT'],
  },
  'delete /evaluations/{id}': {
    tag: 'Evaluations',
    summary: 'Delete an evaluation',
    description: 'Also one that is in progress.',
    responses: json(evaluationSchema),
  },
};
