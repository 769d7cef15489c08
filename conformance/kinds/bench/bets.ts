// Bets a second, on one market and each lane on a market of its own.
import { line } from './harness.mjs';
import { inLanes } from './lanes.ts';
import { fund, newCaller, onBothDatabases, startHub } from './taskClient.ts';

const BETS = Number(process.env['BENCH_BETS'] ?? 2_000);
const LANES = 16;
const DAY_MS = 86_400_000;

await onBothDatabases(async (name, database, folder) => {
  const { port, child } = await startHub(await database(), folder);
  try {
    const callers = Array.from({ length: LANES }, () => newCaller(port));
    const maker = newCaller(port);
    await fund(port, maker, 1);
    const ids: string[] = [];
    for (const [lane, caller] of callers.entries()) {
      await fund(port, caller, 1);
      const market = await maker.post('/api/v1/games/predictions/markets', {
        question: `Will the page ${lane} say yes at noon?`,
        source: 'https://example.org/answer',
        closesAt: new Date(Date.now() + DAY_MS).toISOString(),
      });
      ids.push(String(market['id']));
    }
    const kinds: readonly (readonly [string, (lane: number) => string])[] = [
      ['one market', () => ids[0] ?? ''],
      ['16 markets', (lane) => ids[lane] ?? ''],
    ];
    for (const [which, idOf] of kinds) {
      const took: number[] = [];
      const bet = async (n: number, lane: number): Promise<void> => {
        const from = performance.now();
        await callers[lane]?.post(`/api/v1/games/predictions/markets/${idOf(lane)}/bet`, {
          side: n % 2 === 0 ? 'yes' : 'no',
          amount: '10000',
          idempotencyKey: `${which} ${n}`,
        });
        took.push(performance.now() - from);
      };
      const began = performance.now();
      await inLanes(LANES, BETS, bet);
      const rate = Math.round((BETS * 1000) / (performance.now() - began));
      const p99 = took.sort((a, b) => a - b)[Math.floor(BETS * 0.99)] ?? 0;
      line(`bets on ${which}, ${name}, ${LANES} at once: ${rate}/s, p99 ${p99.toFixed(0)} ms`);
    }
  } finally {
    child.kill();
  }
});
