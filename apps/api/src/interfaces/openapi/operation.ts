import type { ApiErrorCode } from '@citewell/contracts/errors';
import { z } from 'zod';

/** Schemas by media type; `null` stands for bytes or plain text. */
export type Content = Readonly<Record<string, z.ZodType | null>>;

/** The description of an operation that its route's decorators do not contain. */
export interface Operation {
  tag: string;
  summary: string;
  description?: string;
  /** The body of a 200 response. */
  responses: Content;
  /** Request body of a route that parses it itself. */
  body?: Content;
  /** Whether the request may be sent without a body. Default false. */
  isBodyOptional?: boolean;
  /** Errors in addition to those that follow from the route's access, parameters and body. */
  errors?: readonly ApiErrorCode[];
  /** Accepts an `Idempotency-Key` that is not a parameter of the route. */
  idempotent?: boolean;
  /** Other statuses with the same body, and their meaning. */
  furtherResponses?: Readonly<Record<number, string>>;
}

/** A body of JSON. */
export const json = (schema: z.ZodType): Content => ({ 'application/json': schema });
export const listOf = (schema: z.ZodType): Content => json(z.array(schema));
