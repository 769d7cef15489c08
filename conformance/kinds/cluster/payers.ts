import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { newCaller, type Answer, type Caller } from './signed.ts';

/** One payment as its payer knows it: the key that it stored before it sent, and the answer. */
export interface Payment {
  readonly payer: Caller;
  readonly to: string;
  readonly key: string;
  transferId?: string;
}

export interface Load {
  readonly sent: readonly Payment[];
  readonly faults: readonly string[];
  /** Attempts that were answered with 503 or not at all; the payer sends these again at the end. */
  failures(): number;
  /** When an address acknowledged its first payment after a moment. */
  firstAfter(url: string, ms: number): number | undefined;
  /** The longest time between two payments that an address acknowledged, in milliseconds. */
  longestGap(url: string, from: number, to: number): number;
  stop(): Promise<void>;
}

export interface LoadOptions {
  /** Each payer stays with one of them. */
  readonly urls: readonly string[];
  readonly payers: number;
  /** Payments a second of all payers together, at most. */
  readonly rate: number;
}

const FUNDS = 100_000_000;
const AGAIN_MS = 50;
const FAULTS_MAX = 20;

export async function startLoad({ urls, payers: count, rate }: LoadOptions): Promise<Load> {
  const payers = Array.from({ length: count }, newCaller);
  await Promise.all(payers.map((payer, n) => fund(urls[n % urls.length] ?? '', payer)));
  const sent: Payment[] = [];
  const faults: string[] = [];
  const served: { readonly url: string; readonly at: number }[] = [];
  let [isStopped, failures] = [false, 0];
  const lane = async (payer: Caller, n: number): Promise<void> => {
    const url = urls[n % urls.length] ?? '';
    const to = payers[(n + 1) % count]?.account ?? '';
    const everyMs = (1_000 * count) / rate;
    for (let next = performance.now() + (n * everyMs) / count; !isStopped; next += everyMs) {
      const restMs = next - performance.now();
      if (restMs > 0) await sleep(restMs);
      // A payer that fell behind does not catch up in a burst.
      else next -= restMs;
      const payment: Payment = { payer, to, key: `pay-${sent.length}` };
      sent.push(payment);
      const answer = await pay(url, payment).catch(() => undefined);
      if (answer?.status === 200) {
        payment.transferId = String(answer.body['transferId']);
        served.push({ url, at: performance.now() });
        continue;
      }
      failures += 1;
      if (answer !== undefined && answer.status !== 503 && faults.length < FAULTS_MAX) {
        faults.push(`${answer.status} ${JSON.stringify(answer.body)}`);
      }
      await sleep(AGAIN_MS);
    }
  };
  const lanes = payers.map(lane);
  return {
    sent,
    faults,
    failures: () => failures,
    firstAfter: (url, ms) => served.find((each) => each.url === url && each.at >= ms)?.at,
    longestGap(url, from, to) {
      const within = served.filter((each) => each.url === url && each.at > from && each.at < to);
      const moments = [from, ...within.map(({ at }) => at), to];
      return Math.max(...moments.slice(1).map((at, nth) => at - (moments[nth] ?? at)));
    },
    async stop() {
      isStopped = true;
      await Promise.all(lanes);
    },
  };
}

export function pay(url: string, { payer, to, key }: Payment): Promise<Answer> {
  const body = { to, amount: '1', idempotencyKey: key };
  return payer.post(url, `/api/v1/wallet/${payer.account}/pay`, body);
}

export async function fund(url: string, { account }: Caller): Promise<void> {
  const answer = await fetch(`${url}/api/v1/wallet/${account}/credit`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ amount: String(FUNDS), idempotencyKey: 'funds' }),
  });
  assert.equal(answer.status, 200, await answer.text());
}
