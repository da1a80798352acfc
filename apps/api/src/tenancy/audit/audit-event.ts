import { isDeepStrictEqual } from 'node:util';
import type { NewAuditEvent } from '@citewell/database';
import type { Caller } from '../../http/caller.js';
import { type AuditedRoute, routeName } from './audit-actions.js';

const MAX_TEXT_LENGTH = 255;
const MAX_ADDRESS_LENGTH = 64;
/** Values of one field, such as scopes. */
const MAX_VALUES = 20;

/** A request, as far as the audit log needs it. */
export interface AuditedRequest {
  method: string;
  /** The pattern of the route. */
  pattern: string;
  parameters: Readonly<Record<string, unknown>>;
  /** The body as it was sent, and as a schema has read it. */
  body: unknown;
  input: unknown;
  address: string;
  userAgent: string | undefined;
  /** The stored values of the target before the request, if they are known. */
  before?: Readonly<Record<string, unknown>> | null;
  caller: Pick<Caller, 'keyId' | 'tenant'> | null;
}

/** The kind and the id of what a request is about, as far as its path tells. */
export function targetInPath(
  { parameters, caller }: Pick<AuditedRequest, 'parameters' | 'caller'>,
  { action, parameter }: AuditedRoute,
): { kind: string; id: unknown } {
  const kind = action.split('.')[0] ?? action;
  const own = kind === 'profile' ? caller?.tenant.reader?.personId : undefined;
  const id = parameter === undefined ? Object.values(parameters).at(-1) : parameters[parameter];
  return { kind, id: own ?? id };
}

/** The event of a request that has succeeded. @param answer the body of the response, as an object */
export function eventOf(request: AuditedRequest, route: AuditedRoute, answer: unknown): NewAuditEvent {
  return {
    ...clientOf(request),
    ...actorOf(request.caller),
    action: route.action,
    ...targetOf(request, route, answer),
    outcome: 'ok',
    details: detailsOf(request, route, answer),
  };
}

/** The event of a request that was refused for lack of rights. A route without an action is named by its pattern. */
export function refusalOf(request: AuditedRequest, route: AuditedRoute | null): NewAuditEvent {
  const target = route
    ? targetOf(request, route, null)
    : { targetKind: null, targetId: null, targetName: null };
  return {
    ...clientOf(request),
    ...actorOf(request.caller),
    action: route?.action ?? 'request.refused',
    ...target,
    outcome: 'refused',
    details: route ? {} : { route: routeName(request.method, request.pattern) },
  };
}

/** Without a caller, the operator: only routes of the admin key have none. */
export function actorOf(caller: AuditedRequest['caller']): Pick<NewAuditEvent, 'actorKind' | 'actorId'> {
  if (caller === null) return { actorKind: 'operator', actorId: null };
  const person = caller.tenant.reader?.personId;
  return person === undefined
    ? { actorKind: 'key', actorId: caller.keyId }
    : { actorKind: 'person', actorId: person };
}

export function clientOf({
  address,
  userAgent,
}: Pick<AuditedRequest, 'address' | 'userAgent'>): Pick<NewAuditEvent, 'address' | 'userAgent'> {
  return { address: textOf(address, MAX_ADDRESS_LENGTH), userAgent: textOf(userAgent) };
}

function targetOf(
  request: AuditedRequest,
  route: AuditedRoute,
  answer: unknown,
): Pick<NewAuditEvent, 'targetKind' | 'targetId' | 'targetName'> {
  const { kind, id: inPath } = targetInPath(request, route);
  if (route.isNameless === true || route.counts !== undefined)
    return { targetKind: kind, targetId: null, targetName: null };
  // The response to a route with several ids is about another one.
  const { id, datasource_id: added, name, email } = fieldsOf(route.parameter === undefined ? answer : null);
  const targetId = kind === 'profile' ? inPath : (id ?? added ?? inPath);
  return { targetKind: kind, targetId: textOf(targetId), targetName: textOf(name ?? email) };
}

/** Names of the fields that a change has changed, and values that the route allows. */
function detailsOf(
  { method, body, input, parameters, before }: AuditedRequest,
  { values = [], counts }: AuditedRoute,
  answer: unknown,
): Record<string, unknown> {
  const details: Record<string, unknown> = {};
  const isPatch = method === 'PATCH' && input !== undefined;
  // A field that no schema knows is text of the client.
  const known = Object.entries(fieldsOf(body)).filter(([name]) => Object.hasOwn(fieldsOf(input), name));
  const fields = isPatch ? changedFields(fieldsOf(before), Object.fromEntries(known)) : [];
  if (isPatch) details['fields'] = fields;
  const previous = Object.entries(fieldsOf(before)).flatMap(([name, value]) =>
    fields.includes(name) && ['name', ...values].includes(name) ? [[name, valueOf(value)]] : [],
  );
  if (previous.length > 0) details['previous'] = Object.fromEntries(previous);
  // Some handlers read the body without the decorator that keeps it.
  const read = fieldsOf(input ?? body);
  for (const name of values) {
    const value = valueOf(read[name] ?? parameters[name]);
    if (value !== null && (!isPatch || fields.includes(name))) details[name] = value;
  }
  const list = counts === undefined ? undefined : (fieldsOf(answer)[counts] ?? read[counts]);
  if (Array.isArray(list)) details['count'] = list.filter((item) => !('error' in fieldsOf(item))).length;
  return details;
}

/** It proves who somebody is, and changes nothing. */
const PROOF = 'currentPassword';

/**
 * Names of the sent fields whose value differs from the stored one. A field that is not stored under its name, such as a
 * password, counts as changed. A field of an object is named with its path, such as `config.schedule`.
 */
export function changedFields(
  before: Readonly<Record<string, unknown>>,
  sent: Readonly<Record<string, unknown>>,
): string[] {
  return Object.entries(sent).flatMap(([name, value]) => {
    const stored = before[name];
    if (name === PROOF || isDeepStrictEqual(inOrder(stored), inOrder(value))) return [];
    if (!isObject(stored) || !isObject(value)) return [name];
    return changedFields(stored, value).map((inner) => `${name}.${inner}`);
  });
}

/** The order of ids and words in a list has no meaning. */
function inOrder(value: unknown): unknown {
  return Array.isArray(value) && value.every((item) => typeof item === 'string') ? value.toSorted() : value;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function valueOf(value: unknown): unknown {
  if (typeof value === 'number' || typeof value === 'boolean') return value;
  if (Array.isArray(value)) return value.slice(0, MAX_VALUES).map((item) => textOf(item));
  return textOf(value);
}

function fieldsOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

/** One line of text that Postgres can store. */
export function textOf(value: unknown, maxLength = MAX_TEXT_LENGTH): string | null {
  if (typeof value !== 'string' || value === '') return null;
  const line = value.toWellFormed().replace(/\p{Cc}+/gu, ' ');
  return line.length > maxLength ? `${line.slice(0, maxLength - 1).toWellFormed()}…` : line;
}
