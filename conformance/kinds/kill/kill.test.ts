import assert from 'node:assert/strict';
import { DATABASES } from '../../harness/databases.ts';
import { visitor, type Agent, type Answer } from '../../harness/agents.ts';
import { at, mustOk } from '../../harness/must.ts';
import { FUNDS, KILLS, overKills } from './overKills.ts';

const PAYERS = 6;

/** One payment as its payer knows it: the key it stored before the first send, and the answer. */
interface Sent {
  readonly key: string;
  readonly payer: Agent;
  readonly to: string;
  transferId?: unknown;
}

function isAcknowledged({ transferId }: Sent): boolean {
  return transferId !== undefined;
}

function pay({ key, payer, to }: Sent): Promise<Answer> {
  const body = { to, amount: '1', idempotencyKey: key };
  return payer.post(`/api/v1/wallet/${payer.account}/pay`, body);
}

/** Pays without pause until the hub goes away; what was not answered stays unknown. */
async function payUntilKilled(payer: Agent, to: string, life: number, sent: Sent[]): Promise<void> {
  for (let n = 0; ; n += 1) {
    const one: Sent = { key: `life-${life}-${n}`, payer, to };
    sent.push(one);
    try {
      one.transferId = mustOk(await pay(one))['transferId'];
    } catch (error) {
      if (error instanceof assert.AssertionError) throw error;
      return;
    }
  }
}

async function statementCount(agent: Agent): Promise<number> {
  let count = 0;
  for (let before: unknown; ;) {
    const cursor = before === undefined ? '' : `&after=${String(before)}`;
    const path = `/api/v1/wallet/${agent.account}/statement?limit=200${cursor}`;
    const page = mustOk(await agent.get(path));
    const entries = page['entries'] as readonly { readonly reason: string }[];
    count += entries.filter((entry) => entry.reason === 'pay').length;
    before = page['next'];
    if (before === undefined) return count;
  }
}

describe('a hub that is killed under signed load', () => {
  for (const [title, databaseUrl] of DATABASES) {
    it(`loses and repeats no acknowledged movement over ${KILLS} kills (${title})`, async function run() {
      this.timeout(KILLS * 20_000 + 60_000);
      const sent: Sent[] = [];
      await overKills(databaseUrl, {
        agents: PAYERS,
        begin(payers, life) {
          const now: Sent[] = [];
          const paying = payers.map((payer, n) =>
            payUntilKilled(payer, payers[(n + 1) % PAYERS]?.account ?? '', life, now),
          );
          const over = Promise.all(paying).then(() => sent.push(...now));
          return { acknowledged: () => now.filter(isAcknowledged).length, over };
        },
        check: async (place, payers) => {
          await everyPayIsOnce(sent, payers);
          const proof = mustOk(await visitor(place).get('/api/v1/economy/conservation'));
          assert.equal(at(proof, 'balanced'), true);
        },
      });
    });
  }
});

async function everyPayIsOnce(sent: readonly Sent[], payers: readonly Agent[]): Promise<void> {
  const acknowledged = sent.filter(isAcknowledged);
  assert.ok(acknowledged.length > KILLS, `only ${acknowledged.length} pays were acknowledged`);
  const unknown = sent.filter((one) => !isAcknowledged(one));
  // An acknowledged pay is there: its key answers the same transfer, as a repeat.
  for (const one of acknowledged) {
    const again = mustOk(await pay(one));
    assert.deepEqual([again['transferId'], again['repeated']], [one.transferId, true]);
  }
  // One whose answer was lost moves exactly once, whether it had been committed or not.
  for (const one of unknown) mustOk(await pay(one));
  for (const one of unknown) assert.equal(mustOk(await pay(one))['repeated'], true);
  for (const payer of payers) {
    const own = sent.filter((one) => one.payer === payer).length;
    const got = sent.filter((one) => one.to === payer.account).length;
    assert.equal(await statementCount(payer), own + got);
    const wallet = mustOk(await payer.get(`/api/v1/wallet/${payer.account}`));
    assert.equal(wallet['balance'], String(FUNDS - own + got));
  }
}
