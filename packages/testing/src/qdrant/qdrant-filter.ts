import { wrongInput } from './qdrant-errors.js';
import { listOf, objectOf, onlyFields, textOf } from './qdrant-json.js';
import type { JsonObject } from './qdrant-json.js';

/** Decides on a point by its payload. */
export type Predicate = (payload: JsonObject) => boolean;

/**
 * Compiles a filter: `must`, `should` and `must_not` with keyword matches (`value`, `any`). A missing filter
 * accepts all points.
 *
 * @throws QdrantHttpError 400 for anything else
 */
export function compileFilter(filter: unknown): Predicate {
  if (filter === undefined || filter === null) return () => true;
  const clauses = objectOf(filter, 'filter');
  onlyFields(clauses, 'filter', 'must', 'should', 'must_not');
  const must = conditionsOf(clauses['must']);
  const should = conditionsOf(clauses['should']);
  const mustNot = conditionsOf(clauses['must_not']);
  return (payload) =>
    must.every((holds) => holds(payload)) &&
    (should.length === 0 || should.some((holds) => holds(payload))) &&
    !mustNot.some((holds) => holds(payload));
}

function conditionsOf(conditions: unknown): Predicate[] {
  return conditions === undefined ? [] : listOf(conditions, 'conditions').map(compileCondition);
}

function compileCondition(value: unknown): Predicate {
  const condition = objectOf(value, 'condition');
  onlyFields(condition, 'condition', 'key', 'match');
  const key = textOf(condition['key'], 'key');
  const match = objectOf(condition['match'], 'match');
  onlyFields(match, 'match', 'value', 'any');
  if (match['any'] !== undefined) {
    const accepted = new Set(listOf(match['any'], 'any'));
    return (payload) => accepted.has(payload[key]);
  }
  const expected = match['value'];
  if (expected === undefined) throw wrongInput('match has neither value nor any');
  return (payload) => payload[key] === expected;
}
