import { choose } from '../../../../clients/sandbox/pokerPlayers.ts';
import { isRefusal, type ErrorCode } from '../../../../clients/typescript/index.ts';
import type { LoadAgent } from '../agents.ts';
import { movement } from '../kept.ts';
import { pick, type Activity } from '../world.ts';

const BIG_BLIND = 1_000n;
const SEATS = 6;
const ACT_SECONDS = 10;
const BUY_IN = `${BIG_BLIND * 50n}`;
/** Refusals that happen at a table while a player decides. */
const OVERTAKEN: readonly ErrorCode[] = [
  ...(['not-your-turn', 'act-token', 'illegal-move', 'not-seated', 'seat-taken'] as const),
  ...(['table-full', 'already-seated', 'buyin-range', 'wrong-state', 'busy'] as const),
];

export async function openTable(own: LoadAgent): Promise<string> {
  const body = {
    format: 'cash' as const,
    seats: SEATS,
    bigBlind: `${BIG_BLIND}`,
    actSeconds: ACT_SECONDS,
    name: 'Load',
  };
  return (await own.ask((hub) => hub.POST('/api/v1/games/poker/tables', { body }))).id;
}

/** Sits down somewhere, or makes a move where it sits, or stands up with little left. */
export const poker: Activity = async (own, { tables }) => {
  const id = own.kept.tableId ?? pick(tables);
  if (id === undefined) return;
  try {
    if (own.kept.tableId === undefined) await sit(own, id);
    else await play(own, id);
  } catch (error) {
    if (isRefusal(error, 'not-seated')) own.kept.tableId = undefined;
    if (!OVERTAKEN.some((code) => isRefusal(error, code))) throw error;
  }
};

async function sit(own: LoadAgent, id: string): Promise<void> {
  const body = { buyIn: BUY_IN, idempotencyKey: own.newKey() };
  const { paid, transferId } = await own.ask((hub) =>
    hub.POST('/api/v1/games/poker/tables/{id}/sit', { params: { path: { id } }, body }),
  );
  own.kept.tableId = id;
  if (transferId === undefined) return;
  own.kept.out.set(movement('poker.buyin', transferId), BigInt(paid));
}

async function play(own: LoadAgent, id: string): Promise<void> {
  const params = { path: { id } };
  const view = await own.ask((hub) => hub.GET('/api/v1/games/poker/tables/{id}/seat', { params }));
  if (BigInt(view.stack) < 2n * BIG_BLIND || view.state === 'busted') return leave(own, id);
  const choice = view.yourTurn ? choose('loose', view) : undefined;
  if (choice === undefined || view.token === undefined) return;
  const body = { token: view.token, ...choice };
  // Not asked again when its answer was lost: the token is used up, and the next look shows more.
  const act = own.anyHub().POST('/api/v1/games/poker/tables/{id}/act', { params, body });
  await act.catch(() => undefined);
}

export async function leave(own: LoadAgent, id: string): Promise<void> {
  const body = { idempotencyKey: own.newKey() };
  const { state, transferId, cashedOut } = await own.ask((hub) =>
    hub.POST('/api/v1/games/poker/tables/{id}/leave', { params: { path: { id } }, body }),
  );
  if (state === 'left') own.kept.tableId = undefined;
  if (transferId === undefined || cashedOut === undefined) return;
  own.kept.in.set(movement('poker.cashout', transferId), BigInt(cashedOut));
}
