import { RequestMethod, type Type } from '@nestjs/common';
import {
  HEADERS_METADATA,
  METHOD_METADATA,
  MODULE_METADATA,
  PATH_METADATA,
  ROUTE_ARGS_METADATA,
} from '@nestjs/common/constants.js';
import { RouteParamtypes } from '@nestjs/common/enums/route-paramtypes.enum.js';
import type { z } from 'zod';
import { ACCESS, type Access } from '../../http/caller.js';
import { OPERATION, type OperationDescription } from '../../http/operation.js';
import { InputParameter } from '../../http/request-input.js';

/** A route, as described by its decorators. */
export interface Route {
  method: string;
  /** In OpenAPI's notation: `/agents/{id}`. */
  path: string;
  /** Unique: `<controller>.<handler>`. */
  operationId: string;
  pathParameters: readonly string[];
  headers: readonly string[];
  query: z.ZodType | null;
  body: z.ZodType | null;
  access: Access;
  deprecated: boolean;
  /** Null without `@Operation`. */
  operation: OperationDescription | null;
}

/** The controllers of a module and of the modules that it imports, each once. */
export function controllersOf(module: Type): Type[] {
  // The metadata of a module is the argument of its decorator.
  const read = (field: string) => (Reflect.getMetadata(field, module) as Type[] | undefined) ?? [];
  const imported = read(MODULE_METADATA.IMPORTS).flatMap(controllersOf);
  return [...new Set([...read(MODULE_METADATA.CONTROLLERS), ...imported])];
}

/** Reads every route of the controllers from Nest's metadata. */
export function routesOf(controllers: readonly Type[]): Route[] {
  return controllers.flatMap((controller) =>
    // The prototype of a class is typed `any`.
    Object.entries(Object.getOwnPropertyDescriptors(controller.prototype as object)).flatMap(
      ([name, { value }]) => {
        const handler: unknown = value;
        // `constructor` is the class itself, which also has path metadata.
        return handler !== controller && isHandler(handler) ? [routeOf(controller, name, handler)] : [];
      },
    ),
  );
}

type Handler = (...parameters: unknown[]) => unknown;

function isHandler(value: unknown): value is Handler {
  return typeof value === 'function' && Reflect.hasMetadata(PATH_METADATA, value);
}

function routeOf(controller: Type, name: string, handler: Handler): Route {
  const read = (key: string): unknown =>
    Reflect.getMetadata(key, handler) ?? Reflect.getMetadata(key, controller);
  const path = joinPath(
    Reflect.getMetadata(PATH_METADATA, controller),
    Reflect.getMetadata(PATH_METADATA, handler),
  );
  const parameters = parametersOf(controller, name);
  return {
    method: (RequestMethod[Number(Reflect.getMetadata(METHOD_METADATA, handler))] ?? '').toLowerCase(),
    path,
    operationId: `${controller.name.replace(/Controller$/, '')}.${name}`,
    pathParameters: [...path.matchAll(/\{(\w+)\}/g)].map(([, parameter]) => parameter ?? ''),
    headers: parameters
      .filter(({ kind }) => kind === RouteParamtypes.HEADERS)
      .map(({ name: header }) => header ?? ''),
    query: parameters.find(({ input }) => input?.location === 'query')?.input?.schema ?? null,
    body: parameters.find(({ input }) => input?.location === 'body')?.input?.schema ?? null,
    // Set only by the decorators of `caller.ts`. The server does not start with a route without access.
    access: read(ACCESS) as Access,
    deprecated: hasDeprecation(read(HEADERS_METADATA)),
    // Set only by `@Operation`.
    operation: (read(OPERATION) as OperationDescription | undefined) ?? null,
  };
}

/** Nest's `:id` as OpenAPI's `{id}`. */
function joinPath(...parts: unknown[]): string {
  const segments = parts.flatMap((part) => String(part).split('/')).filter((segment) => segment !== '');
  return `/${segments.join('/').replace(/:(\w+)/g, '{$1}')}`;
}

interface Parameter {
  kind: RouteParamtypes | null;
  name: string | null;
  input: InputParameter | null;
}

/** Metadata keys of Nest's own decorators are `<kind>:<position>`. Custom decorators have other keys. */
function parametersOf(controller: Type, handlerName: string): Parameter[] {
  const metadata: unknown = Reflect.getMetadata(ROUTE_ARGS_METADATA, controller, handlerName);
  return Object.entries(metadata ?? {}).map(([key, value]: [string, unknown]) => {
    const kind = /^(\d+):\d+$/.exec(key)?.[1];
    const { data } = value as { data?: unknown };
    return {
      kind: kind === undefined ? null : Number(kind),
      name: typeof data === 'string' ? data : null,
      input: data instanceof InputParameter ? data : null,
    };
  });
}

function hasDeprecation(headers: unknown): boolean {
  return (
    Array.isArray(headers) && headers.some((header: { name?: unknown }) => header.name === 'Deprecation')
  );
}
