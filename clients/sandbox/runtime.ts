import { parseHostAllowList } from '../../domain/outbound/hostAllowList.ts';
import type { Settings } from '../../server/hub/settings.ts';
import { openScriptedAgents } from './agents.ts';
import { openAgents, runAgents } from './run.ts';
import { openEndpoint } from './validators.ts';

/** The scripted agents in the process of a hub: their endpoints first, since the hub must know them. */
export interface Runtime {
  /** The hub's settings with the two endpoints opened to it, and nothing else. */
  readonly settings: Settings;
  /** Whom the hub marks in its answers. */
  readonly accounts: ReadonlySet<string>;
  begin(baseUrl: string, report: (error: unknown) => void): void;
  close(): Promise<void>;
}

export async function openRuntime(settings: Settings): Promise<Runtime> {
  const cast = await openScriptedAgents(settings.dataDir);
  const seats = { judge: await openEndpoint(), arbiter: await openEndpoint() };
  const own = parseHostAllowList(`${seats.judge.pair},${seats.arbiter.pair}`) ?? [];
  const stopping = new AbortController();
  let playing: Promise<void> = Promise.resolve();
  return {
    settings: { ...settings, allowPrivateHosts: new Set([...settings.allowPrivateHosts, ...own]) },
    accounts: cast.accounts,
    begin(baseUrl, report) {
      const troupe = openAgents(cast, seats, { baseUrl, now: Date.now });
      playing = runAgents(troupe, stopping.signal, report);
    },
    async close() {
      stopping.abort();
      await playing;
      await Promise.all([seats.judge.close(), seats.arbiter.close()]);
    },
  };
}
