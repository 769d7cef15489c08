// Hold'em tables of bots over HTTP, and the settlement of a market with all the bettors it takes.
import { setTimeout as pause } from 'node:timers/promises';
import { cpuMs, line } from './harness.mjs';
import { inLanes } from './lanes.ts';
import { settlements } from './settlement.ts';
import { fund, newCaller, onBothDatabases, startHub } from './taskClient.ts';
import type { BenchHub, Body, Caller } from './taskClient.ts';

const TABLES = Number(process.env['BENCH_TABLES'] ?? 200);
const SEATS = 6;
const SECONDS = Number(process.env['BENCH_SECONDS'] ?? 30);
/** One of the two databases, or both. */
const ONLY = process.env['BENCH_DATABASE'] ?? '';
const LANES = 16;
const PATH = '/api/v1/games/poker/tables';
/** Bots that answer at once, and bots that think as long as people do. */
const PACES = [
  { title: 'at once', thinkMs: 0 },
  { title: 'after 5 to 15 s', thinkMs: 10_000 },
] as const;
/** Long enough that no bot times out while the other tables are still being seated. */
const ACT_SECONDS = 120;
const WARM_UP_MS = 5_000;
const BUY_IN = '100000';

interface Playing {
  readonly id: string;
  readonly bots: readonly Caller[];
  /** The last move: when it was sent, and in which hand. */
  sent?: { readonly at: number; readonly hand: number; readonly by: Caller } | undefined;
}

class Room {
  readonly tables: Playing[] = [];
  readonly waitsMs: number[] = [];
  moves = 0;
  isOpen = true;
  readonly refusals = new Map<string, number>();
}

await onBothDatabases(async (title, database, folder) => {
  if (!title.startsWith(ONLY)) return;
  for (const { title: pace, thinkMs } of PACES) {
    const hub = await startHub(await database(), folder);
    await play(`${title}, bots act ${pace}`, hub, thinkMs);
  }
  await settlements(title, await database(), folder);
});
process.exit(0);

async function play(title: string, { port, child }: BenchHub, thinkMs: number): Promise<void> {
  const room = new Room();
  try {
    await seatAll(room, port);
    const playing = room.tables.flatMap((table) =>
      table.bots.map((bot) => botAt(room, table, bot, thinkMs)),
    );
    const settled = Promise.allSettled(playing);
    await pause(WARM_UP_MS);
    room.waitsMs.length = 0;
    room.moves = 0;
    const [began, busy] = [performance.now(), cpuMs(child.pid)];
    await pause(SECONDS * 1000);
    const perMove = (cpuMs(child.pid) - busy) / room.moves;
    room.isOpen = false;
    const seconds = (performance.now() - began) / 1000;
    const sorted = [...room.waitsMs].sort((a, b) => a - b);
    const at = (share: number): string =>
      (sorted[Math.floor(share * (sorted.length - 1))] ?? 0).toFixed(0);
    line(
      `${TABLES} tables of ${SEATS} on ${title}: ${Math.round(room.moves / seconds)} moves/s, ` +
        `${perMove.toFixed(1)} ms of processor in the hub for each, ` +
        `move to the next player's view p50 ${at(0.5)} ms, p99 ${at(0.99)} ms ` +
        `(${sorted.length} of them; refused ${[...room.refusals].join(' ') || 'none'})`,
    );
    child.kill();
    await settled;
  } finally {
    child.kill();
  }
}

async function seatAll(room: Room, port: number): Promise<void> {
  await inLanes(LANES, TABLES, async (nth) => {
    const bots = Array.from({ length: SEATS }, () => newCaller(port));
    const body = { format: 'cash', seats: SEATS, bigBlind: '1000', actSeconds: ACT_SECONDS };
    const opened = await bots[0]?.post(PATH, { ...body, name: `bench ${nth}` });
    const id = String(opened?.['id']);
    for (const bot of bots) {
      await fund(port, bot, 1);
      await bot.post(`${PATH}/${id}/sit`, { buyIn: BUY_IN });
    }
    room.tables.push({ id, bots });
  });
}

async function botAt(room: Room, table: Playing, bot: Caller, thinkMs: number): Promise<void> {
  const path = `${PATH}/${table.id}`;
  let after: unknown;
  while (room.isOpen) {
    const query = after === undefined ? '' : `?after=${String(after)}&wait=30`;
    const seen = await again(() => bot.get(`${path}/seat${query}`));
    after = seen['seq'];
    if (seen['yourTurn'] !== true) continue;
    const hand = Number((seen['table'] as { readonly hand?: Body }).hand?.['n']);
    const { sent } = table;
    if (sent !== undefined && sent.by !== bot && sent.hand === hand) {
      room.waitsMs.push(performance.now() - sent.at);
    }
    table.sent = undefined;
    if (thinkMs > 0) await pause(thinkMs / 2 + Math.random() * thinkMs);
    if (!room.isOpen) return;
    table.sent = { at: performance.now(), hand, by: bot };
    const move = moveOf(seen['legal'] as readonly Body[]);
    try {
      await again(() => bot.post(`${path}/act`, { token: seen['token'], ...move }));
      room.moves += 1;
    } catch (error) {
      const [code = 'unknown'] = /"code":"[^"]+"/.exec(String(error)) ?? [];
      room.refusals.set(code, (room.refusals.get(code) ?? 0) + 1);
    }
  }
}

/** Once more when the hub closed an idle connection just as the request went out. */
async function again<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ECONNRESET') return ask();
    throw error;
  }
}

/** Mostly stays, sometimes folds or raises by the least, so that stacks last. */
function moveOf(legal: readonly Body[]): Body {
  const drawn = Math.random();
  const raise = legal.find(({ move }) => move === 'bet' || move === 'raise');
  if (drawn < 0.15) return { move: 'fold' };
  if (drawn < 0.3 && raise !== undefined) return { move: raise['move'], amount: raise['minimum'] };
  return { move: legal.some(({ move }) => move === 'check') ? 'check' : 'call' };
}
