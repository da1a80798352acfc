import type { ApiErrorCode } from '@citewell/contracts/errors';
import { SetMetadata } from '@nestjs/common';
import { z } from 'zod';

/** Schemas by media type; `null` stands for bytes or plain text. */
export type Content = Readonly<Record<string, z.ZodType | null>>;
/** The schema of a body of JSON, the media type of bytes or plain text, or several of them by media type. */
type Body = z.ZodType | string | Content;

interface OperationDetails<B> {
  description?: string;
  /** Request body of a route that parses it itself. */
  body?: B;
  /** Whether the request may be sent without a body. Default false. */
  isBodyOptional?: boolean;
  /** Errors in addition to those that follow from the route's access, parameters and body. */
  errors?: readonly ApiErrorCode[];
  /** Accepts an `Idempotency-Key` that is not a parameter of the route. */
  idempotent?: boolean;
  /** Other statuses with the same body, and their meaning. */
  furtherResponses?: Readonly<Record<number, string>>;
}

/** What the OpenAPI document says of a route beyond its path, access and parameters. */
export interface OperationDescription extends OperationDetails<Content> {
  summary: string;
  /** The body of a 200 response. */
  responses: Content;
}

/** Metadata key of a route's {@link OperationDescription}. */
export const OPERATION = 'operation';

/** Describes a route in the OpenAPI document. @param response the body of a 200 response */
export const Operation = (
  summary: string,
  response: Body,
  { body, ...details }: OperationDetails<Body> = {},
): MethodDecorator =>
  SetMetadata(OPERATION, {
    ...details,
    summary,
    responses: toContent(response),
    ...(body === undefined ? {} : { body: toContent(body) }),
  } satisfies OperationDescription);

function toContent(body: Body): Content {
  if (typeof body === 'string') return { [body]: null };
  return body instanceof z.ZodType ? { 'application/json': body } : body;
}

/** The schema of a list. */
export const listOf = (schema: z.ZodType): z.ZodType => z.array(schema);
