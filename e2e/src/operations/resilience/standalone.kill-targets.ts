import { setTimeout as sleep } from 'node:timers/promises';
import type { EmbeddedDeployment } from '../../deployments/embedded.deployment.js';
import { parsersOf } from '../../deployments/processes.js';
import type { KillTarget } from './compare-with-kills.js';

/** The processes to kill in an embedded deployment. */
export function standaloneKillTargets(deployment: EmbeddedDeployment): KillTarget[] {
  return [
    {
      name: 'standalone',
      async kill() {
        await deployment.kill();
        return true;
      },
      restart: () => deployment.start(),
    },
    {
      name: 'postmaster',
      async kill() {
        return killPid(await deployment.postgresPid());
      },
      // The standalone process restarts it.
      restart: () => sleep(500),
    },
    {
      name: 'parser',
      async kill() {
        const [pid] = await parsersOf(deployment.process.pid);
        return pid !== undefined && killPid(pid);
      },
      restart: () => Promise.resolve(),
    },
    {
      name: 'standalone and postmaster',
      async kill() {
        const pid = await deployment.postgresPid();
        await deployment.kill();
        return killPid(pid);
      },
      restart: () => deployment.start(),
    },
  ];
}

function killPid(pid: number): boolean {
  try {
    return process.kill(pid, 'SIGKILL');
  } catch {
    return false;
  }
}
