import { instant, type Instant } from '../../../domain/instant.ts';
import { agentWith, visitor } from '../../harness/agents.ts';
import type { FakeClock } from '../../harness/clock.ts';
import type { TestHub, TestHubOptions } from '../../harness/hub.ts';
import { NotAsked } from './notAsked.ts';
import { target } from './target.ts';

/**
 * Stands in for `harness/hub.ts` in the packed suite: the tests get the hub at the chosen address.
 * A test that touches its inside ends as not asked.
 */
const CLOCK_SLACK_MS = 5_000;

export function startHub(options: TestHubOptions = {}): Promise<TestHub> {
  const { clock: given } = options;
  const isEarlier = given !== undefined && Math.abs(given.now() - Date.now()) > CLOCK_SLACK_MS;
  if (isEarlier) return Promise.reject(new NotAsked('clock'));
  if (hasOwnSettings(options)) return Promise.reject(new NotAsked('settings'));
  const { url } = target();
  return Promise.resolve({
    url,
    clock,
    isOurs: false,
    get running(): never {
      throw new NotAsked('inside');
    },
    runJob: () => Promise.reject(new NotAsked('clock')),
    fund,
    // The hub's own books are its operator's to check (`hubctl audit`).
    audit: () => Promise.resolve(),
    close: () => Promise.resolve(),
  });
}

/** Whose name servers a hub asks is its operator's affair, so `names` is no setting of a test. */
function hasOwnSettings(options: TestHubOptions): boolean {
  const { databaseUrl, env = {}, sandboxAgents, allowTestKey, wrapChain, webFolder } = options;
  const own = [databaseUrl, sandboxAgents, allowTestKey, wrapChain, webFolder];
  return Object.keys(env).length > 0 || own.some((each) => each !== undefined);
}

function refuseToMove(): never {
  throw new NotAsked('clock');
}

const now = (): Instant => instant(Date.now() + target().aheadMs);
const clock: FakeClock = {
  now,
  wall: now,
  elapsedMs: () => performance.now(),
  advance: refuseToMove,
  jump: refuseToMove,
};

let gifts = 0;

/** From the faucet, or else from the account of `--key`; never real money. */
async function fund(account: string, amount: string): Promise<void> {
  const { url, isReal, payer } = target();
  if (isReal) throw new NotAsked('money');
  gifts += 1;
  const idempotencyKey = `conformance-${account.slice(-12)}-${gifts}`;
  const place = { url, clock };
  const path = `/api/v1/wallet/${account}/credit`;
  const given = await visitor(place).post(path, { amount, idempotencyKey });
  if (given.status === 200) return;
  if (payer === undefined) throw new NotAsked('money');
  const by = agentWith(place, payer);
  const body = { to: account, amount, idempotencyKey };
  const paid = await by.post(`/api/v1/wallet/${payer.account}/pay`, body);
  if (paid.status !== 200) throw new NotAsked('money');
}
