import { fakeClock } from '../../harness/clock.ts';
import { direct, type DirectAnswer } from '../../harness/direct.ts';
import { startHub, type TestHub } from '../../harness/hub.ts';
import { assertBooksBalance } from '../../ledger/auditor.ts';

/** A running hub, in this process or in one that can be killed. */
export interface Engine {
  readonly url: string;
  advance(seconds: number): Promise<void>;
  /** Without the wire; `account` undefined is a visitor. */
  call(account: string | undefined, request: EngineRequest): Promise<DirectAnswer>;
  runJob(name: string): Promise<void>;
  /** Whether the call of a judge was claimed and nothing came of it yet. */
  isOut(attemptId: string, account: string): Promise<boolean>;
  /** Reads the state of panels and seats that no answer shows, where the hub stores it. */
  peek(): Promise<Peek>;
  audit(): Promise<void>;
  close(): Promise<void>;
}

export interface EngineRequest {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly body?: unknown;
  /** Tried without being kept (`Prefer: dry-run`). */
  readonly isTrial?: boolean;
}

export interface EngineOptions {
  readonly databaseUrl: string;
  readonly nowMs: number;
  readonly env: Readonly<Record<string, string>>;
}

/** The sealed state of panels, which accounts never see; a driver that kills needs it. */
export interface Peek {
  /** Results in front of panels, and when the next draw for them is. */
  readonly cases: readonly { readonly attemptId: string; readonly dueAt: number }[];
  /** Drawn seats of open rounds. */
  readonly panelists: readonly PeekedChair[];
  readonly seats: readonly PeekedSeat[];
}
export interface PeekedChair {
  readonly attemptId: string;
  readonly account: string;
  readonly state: string;
  readonly dueAt: number;
}
interface PeekedSeat {
  readonly account: string;
  readonly probeAt: number | null;
}

export async function openEngine({ databaseUrl, nowMs, env }: EngineOptions): Promise<Engine> {
  const clock = fakeClock(nowMs);
  const hub = await startHub({ databaseUrl, clock, env });
  const calls = direct(hub);
  return {
    url: hub.url,
    async advance(seconds) {
      clock.advance(seconds);
    },
    call: (account, { method, path, body, isTrial }) =>
      calls(account, method, path, body, isTrial === true ? { prefer: 'dry-run' } : {}),
    runJob: (name) => hub.runJob(name),
    async isOut(attemptId, account) {
      const panelists = await chairsOf(hub, { 'r.attempt_id': attemptId, 's.account': account });
      return panelists.some(({ state }) => state === 'called');
    },
    peek: () => peek(hub),
    audit: () => assertBooksBalance(hub.running.hub.store),
    close: () => hub.close(),
  };
}

type Plain = Readonly<Record<string, unknown>>;

async function peek(hub: TestHub): Promise<Peek> {
  const { store } = hub.running.hub;
  const cases: readonly Plain[] = await store.read(({ knex }) =>
    knex('panel_cases').select('attempt_id', 'due_at'),
  );
  const seats: readonly Plain[] = await store.read(({ knex }) =>
    knex('seats').select('account', 'probe_at'),
  );
  return {
    cases: cases.map((row) => ({ attemptId: text(row, 'attempt_id'), dueAt: ms(row, 'due_at') })),
    panelists: await chairsOf(hub, {}),
    seats: seats.map((row) => ({
      account: text(row, 'account'),
      probeAt: row['probe_at'] === null ? null : ms(row, 'probe_at'),
    })),
  };
}

async function chairsOf({ running }: TestHub, where: Plain): Promise<readonly PeekedChair[]> {
  const rows: readonly Plain[] = await running.hub.store.read(({ knex }) =>
    knex('panel_seats as s')
      .join('panel_rounds as r', 'r.id', 's.round_id')
      .where({ 'r.state': 'open', ...where })
      .select('r.attempt_id', 's.account', 's.state', 's.due_at'),
  );
  return rows.map((row) => ({
    attemptId: text(row, 'attempt_id'),
    account: text(row, 'account'),
    state: text(row, 'state'),
    dueAt: ms(row, 'due_at'),
  }));
}

function text(row: Plain, name: string): string {
  return String(row[name]);
}

function ms(row: Plain, name: string): number {
  return Number(row[name]);
}
