import { openScriptedAgents } from './agents.ts';
import { listCallees, openCallees } from './callees.ts';
import { dialling } from './dial.ts';
import { openAgents, runAgents, runHouse } from './run.ts';
import { openEndpoint } from './validators.ts';

/** The scripted agents in a hub's process: their endpoints first, since the hub must know them. */
export interface Runtime {
  /** `host:port` of the three servers that the hub must be allowed to call. */
  readonly pairs: readonly string[];
  /** Accounts that the hub marks in its answers. */
  readonly accounts: ReadonlySet<string>;
  /** Acts on the hub at `baseUrl`, whose process listens at `listens`. */
  begin(
    hub: { readonly baseUrl: string; readonly listens: string },
    report: (error: unknown) => void,
  ): void;
  close(): Promise<void>;
}

/** `dataDir` keeps the agents' keys between starts. */
export async function openRuntime(dataDir: string): Promise<Runtime> {
  const agents = await openScriptedAgents(dataDir);
  const endpoints = { judge: await openEndpoint(), arbiter: await openEndpoint() };
  const callees = await openCallees();
  const stopping = new AbortController();
  let running: Promise<unknown> = Promise.resolve();
  return {
    pairs: [endpoints.judge, endpoints.arbiter, callees].map(({ pair }) => pair),
    accounts: agents.accounts,
    begin({ baseUrl, listens }, report) {
      const place = { baseUrl, now: Date.now, fetch: dialling(listens) };
      const opened = openAgents(agents, endpoints, place);
      running = Promise.all([
        runAgents(opened, stopping.signal, report),
        runAgents(listCallees(agents, callees, place), stopping.signal, report),
        runHouse(agents, place, stopping.signal, report),
      ]);
    },
    async close() {
      stopping.abort();
      await running;
      const opened = [endpoints.judge, endpoints.arbiter, callees];
      await Promise.all(opened.map((each) => each.close()));
    },
  };
}
