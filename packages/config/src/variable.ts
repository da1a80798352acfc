import { z } from 'zod';

/** One environment variable: how it is parsed, and its entry in `.env.example`. */
export interface Variable<Schema extends z.ZodType = z.ZodType> {
  readonly schema: Schema;
  /** Effect and unit, for the operator. At most 108 characters, so that `.env.example` stays readable. */
  readonly description: string;
  readonly example?: string;
}

export function variable<Schema extends z.ZodType>(
  schema: Schema,
  description: string,
  example?: string,
): Variable<Schema> {
  return example === undefined ? { schema, description } : { schema, description, example };
}

export const wholeNumber = (minimum: number, maximum = Number.MAX_SAFE_INTEGER) =>
  z
    .string()
    .regex(/^\d+$/, 'must be a whole number')
    .transform(Number)
    .pipe(z.number().min(minimum, `must be at least ${minimum}`).max(maximum, `must be at most ${maximum}`));
export const text = z.string().min(1);
/** Commands by name, as JSON. */
export const commands = z
  .string()
  .transform((value, { issues }): unknown => {
    try {
      return JSON.parse(value);
    } catch {
      // The command may have a secret.
      issues.push({ code: 'custom', input: '', message: 'must be JSON' });
      return z.NEVER;
    }
  })
  .pipe(
    z.record(
      z.string().min(1).max(100),
      z.tuple([text], z.string()),
      'must be a JSON object of names and commands, such as {"archive": ["python3", "/opt/archive.py"]}',
    ),
  );
export const CIDR = z.union([z.cidrv4(), z.cidrv6()]);
export const PROXY = z.union([CIDR, z.ipv4(), z.ipv6()]);
export const url = (...protocols: string[]) =>
  z.string().refine(
    (value) => {
      const parsed = URL.parse(value);
      return parsed !== null && protocols.includes(parsed.protocol);
    },
    `must be a URL that begins with ${protocols.map((protocol) => `${protocol}//`).join(' or ')}`,
  );
/**
 * The address under which others reach a service, as browsers write it: without blanks, default port and slashes at the end,
 * the host in lower case.
 *
 * @param suffix what callers append, so that the path may not end with it
 */
export const publicAddress = (suffix: string) =>
  z.string().transform((value, { issues }) => {
    const parsed = URL.parse(value.trim());
    const problem = problemOf(parsed, suffix);
    if (parsed !== null && problem === null) return parsed.origin + pathOf(parsed);
    // The value may have a password.
    issues.push({ code: 'custom', input: '', message: problem ?? 'is not valid' });
    return z.NEVER;
  });

/**
 * The path of {@link publicAddress}, with a slash at its beginning and none at its end; empty for the root. Its characters are
 * those that browsers send as they are, so that nothing has to be decoded or escaped: RFC 3986, section 2.3.
 */
export const basePath = (suffix: string) =>
  z
    .string()
    .transform((value) => value.trim().split('/').filter(Boolean))
    .refine(
      (segments) => segments.every((segment) => /^[\w.~-]+$/.test(segment) && !/^\.{1,2}$/.test(segment)),
      'must be a path of letters, digits, and - . _ ~, such as /citewell',
    )
    .transform((segments) => segments.map((segment) => `/${segment}`).join(''))
    .refine(
      (path) => !path.toLowerCase().endsWith(suffix),
      `must not end with ${suffix}: it is the path that people open`,
    );

function problemOf(parsed: URL | null, suffix: string): string | null {
  if (parsed === null || !['http:', 'https:'].includes(parsed.protocol))
    return 'must be a URL that begins with http:// or https://';
  if (parsed.username !== '' || parsed.password !== '') return 'must not have a user name or a password';
  if (parsed.search !== '') return 'must not have a query, which begins with ?';
  if (parsed.hash !== '') return 'must not have a fragment, which begins with #';
  if (pathOf(parsed).toLowerCase().endsWith(suffix))
    return `must not end with ${suffix}: it is the address that people open`;
  return null;
}

/** The path of an address, without slashes at its end. */
export function pathOf({ pathname }: URL): string {
  let end = pathname.length;
  while (pathname[end - 1] === '/') end -= 1;
  return pathname.slice(0, end);
}

export const flag = z
  .enum(['true', 'false', '1', '0'], 'must be true or false')
  .transform((value) => value === 'true' || value === '1');
export const list = z.string().transform((value) =>
  value
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== ''),
);
