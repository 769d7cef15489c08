import { fakeClock } from '../../harness/clock.ts';
import { postInside } from '../../../db/ledger/postInside.ts';
import { parseAccount, type Account } from '../../../domain/account.ts';
import { plus, seconds } from '../../../domain/instant.ts';
import { transferId } from '../../../domain/ledger/transfer.ts';
import { atomic } from '../../../domain/money.ts';
import { freePort } from '../../../clients/examples/freePort.ts';
import { readSettings } from '../../../server/boot/config.ts';
import { hubKey, newSeed } from '../../../workflows/kernel/keys/ed25519.ts';
import type { Hub } from '../../../workflows/kernel/hub.ts';
import { openHub } from '../../../server/boot/open.ts';
import { readsOfBet, takeBet } from '../../../workflows/predictions/bet.ts';
import { createMarket } from '../../../workflows/predictions/create.ts';
import { judgeMarket } from '../../../workflows/predictions/judge.ts';
import { line } from './harness.mjs';
import { fund, newCaller } from './taskClient.ts';

const BETTORS = 2_000;
const ROUNDS = Number(process.env['BENCH_MARKETS'] ?? 9);
const STAKE = 10_000n;
const BATCH = 100;
const HOUR = seconds(3_600);

/**
 * Measures how long a judge's word takes to commit in a market with the most bettors: one
 * transaction for all stakes. Half of the bettors win; every third market is void.
 */
export async function settlements(
  title: string,
  databaseUrl: string,
  folder: string,
): Promise<void> {
  const clock = fakeClock(Date.now());
  const port = await freePort();
  const settings = readSettings({
    HUB_PORT: String(port),
    HUB_DATABASE_URL: databaseUrl,
    HUB_DATA_DIR: folder,
    HUB_LOG: 'fatal',
    HUB_RATE_LIMITS: 'false',
    FAUCET_ENABLED: 'true',
  });
  const running = await openHub({ settings, clock, runJobs: false });
  try {
    const { hub } = running;
    const [maker, judge] = [newCaller(port), newCaller(port)];
    for (const caller of [maker, judge]) await fund(port, caller, 1);
    const endpoint = 'https://bench.example-judges.org/judge';
    await judge.post('/api/v1/validators', { account: judge.account, endpoint, stake: '1000000' });
    const bettors = Array.from({ length: BETTORS }, () => known(`key:${hubKey(newSeed()).keyId}`));
    await pay(hub, known(maker.account), bettors);
    const tookMs: number[] = [];
    const busyMs: number[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const id = await marketOf(hub, known(maker.account), bettors);
      clock.advance(HOUR);
      const word = { judge: known(judge.account), outcome: outcomeOf(round) };
      const [began, cpu] = [performance.now(), process.cpuUsage()];
      await hub.store.write((tx) => judgeMarket(tx, hub, id, word));
      tookMs.push(performance.now() - began);
      const { user, system } = process.cpuUsage(cpu);
      busyMs.push((user + system) / 1000);
    }
    line(
      `a market of ${BETTORS} bettors settled on ${title}: ${inOrder(tookMs)} ms, ` +
        `of them on processors of this process ${inOrder(busyMs)} ms`,
    );
  } finally {
    await running.close();
  }
}

function inOrder(times: readonly number[]): string {
  return [...times]
    .sort((a, b) => a - b)
    .map((ms) => ms.toFixed(0))
    .join(', ');
}

function outcomeOf(round: number): 'yes' | 'no' | 'void' {
  return (['yes', 'no', 'void'] as const)[round % 3] ?? 'void';
}

function known(text: string): Account {
  const account = parseAccount(text);
  if (account === undefined) throw new Error(`not an account: ${text}`);
  return account;
}

/** Enough for a stake in every market, all of them lost. */
async function pay(hub: Hub, from: Account, bettors: readonly Account[]): Promise<void> {
  const amount = atomic(2n * STAKE * BigInt(ROUNDS));
  for (let first = 0; first < bettors.length; first += BATCH) {
    const id = transferId(hub.ids.uuid());
    const steps = bettors.slice(first, first + BATCH).map((to) => {
      return { verb: 'move', from, to, amount, reason: 'pay' } as const;
    });
    const about = { network: 'sandbox', asset: 'USDC', event: 'wallet.pay' } as const;
    const ref = { kind: 'transfer', id } as const;
    const posted = await hub.store.write((tx) =>
      postInside(tx, { id, at: hub.clock.now(), ...about, ref, actor: from, steps }),
    );
    if ('refused' in posted) throw new Error('the payer has enough');
  }
}

async function marketOf(hub: Hub, creator: Account, bettors: readonly Account[]): Promise<string> {
  const terms = {
    question: 'Will the page say yes at noon?',
    source: 'https://example.org/answer',
    closesAt: plus(hub.clock.now(), HOUR),
  };
  const { id } = await hub.store.decide({
    needs: [],
    decide: (db) => createMarket(db, hub, terms, creator),
  });
  for (let first = 0; first < bettors.length; first += BATCH) {
    const some = bettors.slice(first, first + BATCH);
    await Promise.all(
      some.map((account, nth) => {
        const amount = atomic(STAKE + BigInt((nth * 7_919) % 9_973));
        const asked = { account, side: nth % 2 === 0 ? 'yes' : 'no', amount } as const;
        return hub.store.decide({
          needs: readsOfBet(id, account),
          decide: (db) => takeBet(db, hub, id, asked),
        });
      }),
    );
  }
  return id;
}
