import { withoutTrailingSlashes } from '@citewell/web/remote-fetch';

/** The last version that is no preview, when this was written. */
export const AZURE_API_VERSION = '2024-10-21';

/** How the chat endpoint of Azure is called. */
export interface AzureAddress {
  /** Without `/chat/completions`. */
  baseUrl: string;
  query: Record<string, string>;
}

/**
 * The address of a deployment, from the address of a resource as the portal shows it:
 * `https://name.openai.azure.com`, the address of a deployment or of its endpoint, the `/openai/v1` of newer resources, or
 * the `/models` of Azure AI Foundry.
 */
export function azureAddress(endpoint: string, deployment: string, apiVersion?: string): AzureAddress {
  const url = new URL(endpoint);
  const path = withoutTrailingSlashes(url.pathname).replace(/\/chat\/completions$/, '');
  const version = apiVersion ?? url.searchParams.get('api-version');
  if (path.endsWith('/openai/v1'))
    return { baseUrl: url.origin + path, query: version ? { 'api-version': version } : {} };
  const isComplete = /\/openai\/deployments\/[^/]+$|\/models$/.test(path);
  const rest = isComplete
    ? ''
    : `${path.endsWith('/openai') ? '' : '/openai'}/deployments/${encodeURIComponent(deployment)}`;
  return { baseUrl: url.origin + path + rest, query: { 'api-version': version ?? AZURE_API_VERSION } };
}
