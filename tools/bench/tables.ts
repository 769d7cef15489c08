// Hold'em tables of bots over HTTP, and the settlement of a market with all the bettors it takes.
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startPostgres } from '../../conformance/harness/postgres.ts';
import { settlements } from './settlement.ts';
import { closeCallers, fund, newCaller, startHub, type Body, type Caller } from './taskClient.ts';

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

const line = (text: string): void => void process.stdout.write(`${text}\n`);
const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

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

const folder = mkdtempSync(join(tmpdir(), 'hub-bench-'));
const postgres = await startPostgres(true);
try {
  const databases = [
    ['SQLite', (name: string) => Promise.resolve(`sqlite:${join(folder, `${name}.sqlite`)}`)],
    ['PostgreSQL', () => postgres.freshDatabase()],
  ] as const;
  for (const [title, database] of databases) {
    if (!title.startsWith(ONLY)) continue;
    for (const pace of PACES) {
      await play(
        `${title}, bots act ${pace.title}`,
        await database(`p${pace.thinkMs}`),
        pace.thinkMs,
      );
    }
    await settlements(title, await database('markets'), folder);
  }
} finally {
  closeCallers();
  await postgres.stop();
  rmSync(folder, { recursive: true, force: true });
}
process.exit(0);

async function play(title: string, database: string, thinkMs: number): Promise<void> {
  const { port, child } = await startHub(database, folder);
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
    const [began, busy] = [performance.now(), processorMs(child.pid)];
    await pause(SECONDS * 1000);
    const perMove = (processorMs(child.pid) - busy) / room.moves;
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
  let next = 0;
  const lane = async (): Promise<void> => {
    for (let nth = next++; nth < TABLES; nth = next++) {
      const bots = Array.from({ length: SEATS }, () => newCaller(port));
      const [host] = bots;
      if (host === undefined) return;
      const body = { format: 'cash', seats: SEATS, bigBlind: '1000', actSeconds: ACT_SECONDS };
      const { id } = await host.post(PATH, { ...body, name: `bench ${nth}` });
      for (const bot of bots) {
        await fund(port, bot, 1);
        await bot.post(`${PATH}/${String(id)}/sit`, { buyIn: BUY_IN });
      }
      room.tables.push({ id: String(id), bots });
    }
  };
  await Promise.all(Array.from({ length: LANES }, lane));
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

/** Returns the processor time of a process on Linux, in steps of 10 ms; elsewhere NaN. */
function processorMs(pid = 0): number {
  const path = `/proc/${pid}/stat`;
  if (!existsSync(path)) return Number.NaN;
  const [, fields = ''] = readFileSync(path, 'utf8').split(') ');
  const [user, system] = fields.split(' ').slice(11, 13);
  return (Number(user) + Number(system)) * 10;
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
