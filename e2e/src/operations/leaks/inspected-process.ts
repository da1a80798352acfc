import { readFile } from 'node:fs/promises';
import { descendantsOf } from '../../deployments/processes.js';
import type { EmbeddedDeployment } from '../../deployments/embedded.deployment.js';

/** What a process keeps after a garbage collection. */
export interface Kept {
  /** On all emitters and event targets: the process, servers, sockets, signals. */
  readonly listeners: number;
  /** On one emitter for one event. */
  readonly mostOfOne: number;
  readonly heapBytes: number;
}

/** Runs in the inspected process. `this` is a list of emitters and event targets. */
const COUNT_LISTENERS = `function () {
  let listeners = 0, mostOfOne = 0;
  const add = (count) => { listeners += count; mostOfOne = Math.max(mostOfOne, count); };
  for (const object of this) {
    const events = Object.hasOwn(object, '_events') ? object._events : undefined;
    for (const held of Object.values(events ?? {})) add(Array.isArray(held) ? held.length : held ? 1 : 0);
    const symbol = Object.getOwnPropertySymbols(object).find(({ description }) => description === 'kEvents');
    if (symbol && object[symbol] instanceof Map) for (const { size } of object[symbol].values()) add(size);
  }
  return { listeners, mostOfOne };
}`;

/** The main process of the product, seen by the inspector of Node. Start it with `NODE_OPTIONS: INSPECTABLE`. */
export const INSPECTABLE = '--inspect-port=127.0.0.1:0';

export class InspectedProcess {
  private lastId = 0;
  private readonly waiting = new Map<number, (result: Answer) => void>();

  private constructor(private readonly socket: WebSocket) {
    socket.addEventListener('message', ({ data }) => {
      const answer = JSON.parse(String(data)) as { id: number; result: Answer };
      this.waiting.get(answer.id)?.(answer.result);
    });
  }

  static async of(deployment: EmbeddedDeployment): Promise<InspectedProcess> {
    for (const pid of await descendantsOf(deployment.process.pid)) {
      const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
      if (command.includes('service.main')) process.kill(pid, 'SIGUSR1');
    }
    const address = await deployment.process.waitForOutput(/Debugger listening on (ws:\S+)/);
    const socket = new WebSocket(address);
    await new Promise((done, fail) => {
      socket.addEventListener('open', done);
      socket.addEventListener('error', fail);
    });
    return new InspectedProcess(socket);
  }

  async kept(): Promise<Kept> {
    await this.send('HeapProfiler.collectGarbage');
    const { usedSize } = await this.send('Runtime.getHeapUsage');
    const emitters = await this.count(`process.getBuiltinModule('node:events').EventEmitter.prototype`);
    const targets = await this.count('EventTarget.prototype');
    await this.send('Runtime.releaseObjectGroup', { objectGroup: 'leaks' });
    return {
      listeners: emitters.listeners + targets.listeners,
      mostOfOne: Math.max(emitters.mostOfOne, targets.mostOfOne),
      heapBytes: usedSize ?? 0,
    };
  }

  close(): void {
    this.socket.close();
  }

  private async count(prototype: string): Promise<Omit<Kept, 'heapBytes'>> {
    const objectGroup = 'leaks';
    const { result } = await this.send('Runtime.evaluate', { expression: prototype, objectGroup });
    const query = { prototypeObjectId: result?.objectId, objectGroup };
    const { objects } = await this.send('Runtime.queryObjects', query);
    const call = {
      objectId: objects?.objectId,
      functionDeclaration: COUNT_LISTENERS,
      returnByValue: true,
    };
    const counted = await this.send('Runtime.callFunctionOn', call);
    // The function returns these two numbers.
    return counted.result?.value as Omit<Kept, 'heapBytes'>;
  }

  private send(method: string, params: object = {}): Promise<Answer> {
    const id = (this.lastId += 1);
    this.socket.send(JSON.stringify({ id, method, params }));
    return new Promise((done) => this.waiting.set(id, done));
  }
}

/** The fields of the Chrome DevTools Protocol that are read here. */
interface Answer {
  result?: { objectId?: string; value?: unknown };
  objects?: { objectId?: string };
  usedSize?: number;
}
