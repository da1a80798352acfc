import {
  groupMemberSchema,
  groupSchema,
  possibleReadersSchema,
  readersSchema,
} from '@citewell/contracts/schemas';
import { json, listOf, type Operation } from './operation.js';

const tag = 'Groups';

/** The operations of groups and of readers, by method and path. */
export const GROUP_OPERATIONS: Readonly<Record<string, Operation>> = {
  'post /groups': {
    tag,
    summary: 'Create a group',
    description:
      'Fails with `CONFLICT` if the organization has a group with this name, without regard to case, or with this external id.',
    responses: json(groupSchema),
    errors: ['CONFLICT'],
  },
  'get /groups': { tag, summary: 'List groups', responses: listOf(groupSchema) },
  'get /groups/{id}': { tag, summary: 'Read a group', responses: json(groupSchema) },
  'patch /groups/{id}': {
    tag,
    summary: 'Change a group',
    description: 'Fails with `CONFLICT` as creating does.',
    responses: json(groupSchema),
    errors: ['CONFLICT'],
  },
  'delete /groups/{id}': {
    tag,
    summary: 'Delete a group',
    description: 'Its members stay, and lose what they could read as members.',
    responses: json(groupSchema),
  },
  'get /groups/{id}/members': {
    tag,
    summary: 'List the members of a group',
    description: 'Newest person first.',
    responses: listOf(groupMemberSchema),
  },
  'put /groups/{id}/members/{personId}': {
    tag,
    summary: 'Add a person to a group',
    description: 'A person who is a member stays one.',
    responses: json(groupMemberSchema),
  },
  'delete /groups/{id}/members/{personId}': {
    tag,
    summary: 'Remove a person from a group',
    responses: json(groupMemberSchema),
  },
  'get /datastores/{id}/readers': {
    tag: 'Datastores',
    summary: 'Read who may read a datastore',
    responses: json(readersSchema),
  },
  'put /datastores/{id}/readers': {
    tag: 'Datastores',
    summary: 'Choose who may read a datastore',
    description:
      'Replaces all readers, with effect on the next request. For everybody else who is not an owner, the datastore and its documents do not exist, and agents answer without them. A person who is not an owner must stay one of the readers.',
    responses: json(readersSchema),
  },
  'get /readers': {
    tag: 'Datastores',
    summary: 'Search people and groups that can become readers',
    description: 'At most 20 of each, by name.',
    responses: json(possibleReadersSchema),
  },
};
