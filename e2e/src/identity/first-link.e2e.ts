import { expect, it } from '@jest/globals';
import { EmbeddedDeployment } from '../deployments/embedded.deployment.js';

it('starts without a terminal print a link until somebody has signed in', async () => {
  const deployment = await EmbeddedDeployment.create({ CITEWELL_API_KEY: '' });
  const codeOfStart = async (): Promise<string | undefined> => {
    await deployment.start();
    return /#sign-in=(\S+)/.exec(deployment.process.output)?.[1];
  };
  const signIn = (code: string | undefined): Promise<Response> =>
    fetch(`${deployment.baseUrl}/session`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'citewell-csrf': '1', origin: deployment.origin },
      body: JSON.stringify({ code }),
    });
  try {
    const first = await codeOfStart();
    await deployment.kill();
    const second = await codeOfStart();
    expect([(await signIn(first)).status, (await signIn(second)).status]).toEqual([403, 200]);
    await deployment.terminate();
    expect(await codeOfStart()).toBeUndefined();
  } finally {
    await deployment.stop();
  }
});

it('a key of the operator is enough: its service prints no link', async () => {
  const deployment = await EmbeddedDeployment.create();
  try {
    await deployment.start();
    expect(deployment.process.output).not.toContain('#sign-in=');
  } finally {
    await deployment.stop();
  }
});
