import { loadClientConfig } from '@citewell/config';
import { remoteFetch } from '@citewell/web/remote-fetch';
import { defineCommand } from '../define-command.js';
import { proxyMessages } from '../mcp/proxy-messages.js';

const USAGE = 'citewell mcp';
const HELP = `Connects a program that speaks the Model Context Protocol (MCP) on standard input and output to the service. Such programs
start this command themselves: see docs/mcp.md. Programs that speak MCP over HTTP can use the address /mcp of the service
directly.`;

export const run = defineCommand(
  { usage: USAGE, help: HELP, options: {}, positionals: { maximum: 0 } },
  async () => {
    const { CITEWELL_URL, CITEWELL_API_KEY } = loadClientConfig();
    await proxyMessages(process.stdin, process.stdout, {
      url: mcpUrl(CITEWELL_URL),
      apiKey: CITEWELL_API_KEY,
      fetch: remoteFetch,
    });
    return 0;
  },
);

/** `/mcp` is beside `/api`, also below a path of a reverse proxy. */
function mcpUrl(baseUrl: string): string {
  const url = new URL(baseUrl);
  url.pathname = `${url.pathname.replace(/\/(?:api\/?)?$/, '')}/mcp`;
  return url.href;
}
