import { STORAGE_PROVIDERS, type StorageSourceConfig } from '@citewell/contracts/schemas';
import { permittedAddress, WebFetchError } from '@citewell/web';
import { SourceError } from '../source.js';

/** Storages whose protocol is not HTTP. */
const OTHER_PROTOCOLS = new Set(['sftp', 'ftp', 'smb']);

export interface RemoteOptions {
  readonly secrets: Readonly<Record<string, string>>;
  readonly allowPrivateNetworks: readonly string[];
  /** URL of the proxy that guards connections. */
  readonly proxy: string;
}

/** Whether connections go to other ports than those of the web. */
export function needsAllPorts(provider: string): boolean {
  return OTHER_PROTOCOLS.has(provider);
}

/**
 * The parameters of a remote of rclone. Only options and secrets that `STORAGE_PROVIDERS` describes are passed on.
 *
 * @throws SourceError `denied` if something is missing, or the address is not permitted
 */
export async function remoteParameters(
  { provider, options = {} }: Pick<StorageSourceConfig, 'provider' | 'options'>,
  { secrets, allowPrivateNetworks, proxy }: RemoteOptions,
): Promise<Record<string, string>> {
  const known = STORAGE_PROVIDERS[provider];
  const given = { ...pick(options, known.options), ...pick(secrets, known.secrets) };
  const missing = known.required.find((names) => !names.some((name) => given[name]));
  if (missing !== undefined) {
    const titles = missing.map((name) => known.secrets[name] ?? name);
    throw new SourceError(
      'denied',
      `Something is missing that ${known.title} needs: ${titles.join(', or ')}.`,
    );
  }
  const { key_pem: key, service_account_credentials: account, host } = given;
  return {
    ...given,
    // On one line, as rclone expects it.
    ...(key === undefined ? {} : { key_pem: key.trim().replace(/\r?\n/g, '\\n') }),
    ...(account === undefined ? {} : { service_account_credentials: serviceAccount(account) }),
    // rclone connects to SMB without a proxy.
    ...(provider === 'smb' && host !== undefined
      ? { host: await addressOf(host, allowPrivateNetworks) }
      : {}),
    ...fixedParameters(provider, proxy),
  };
}

/** The texts that no message may contain: the secrets, and what JSON in them contains. */
export function secretTexts(secrets: Readonly<Record<string, string>>): string[] {
  return Object.values(secrets)
    .flatMap((secret) => [secret, ...stringsOf(secret)])
    .filter((text) => text.length > 3);
}

function fixedParameters(provider: string, proxy: string): Record<string, string> {
  switch (provider) {
    case 'sftp':
      // Hashes are made by a command for each file on the server. Links may lead in a circle.
      return { http_proxy: proxy, disable_hashcheck: 'true', shell_type: 'none', skip_links: 'true' };
    case 'ftp':
      return { http_proxy: proxy };
    case 'webdav':
      // The default allows 100 requests a second. A document takes three or four.
      return { pacer_min_sleep: '1ms' };
    case 'drive':
      // Shortcuts may lead in a circle.
      return { scope: 'drive.readonly', skip_shortcuts: 'true' };
    default:
      return {};
  }
}

function pick(values: Readonly<Record<string, string>>, names: object): Record<string, string> {
  return Object.fromEntries(Object.entries(values).filter(([name]) => Object.hasOwn(names, name)));
}

/** Other types of credentials read files or run programs of the server. */
function serviceAccount(text: string): string {
  const account: unknown = parsed(text);
  if (
    typeof account === 'object' &&
    account !== null &&
    'type' in account &&
    account.type === 'service_account'
  )
    return JSON.stringify(account);
  throw new SourceError('denied', 'The service account must be a JSON file of the type service_account.');
}

async function addressOf(host: string, allowPrivateNetworks: readonly string[]): Promise<string> {
  try {
    return await permittedAddress(host, allowPrivateNetworks);
  } catch (error) {
    if (!(error instanceof WebFetchError)) throw error;
    throw new SourceError(error.kind === 'transient' ? 'unavailable' : 'denied', error.userMessage);
  }
}

function stringsOf(text: string): string[] {
  const value: unknown = parsed(text);
  return typeof value === 'object' && value !== null
    ? Object.values(value).filter((part) => typeof part === 'string')
    : [];
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
