import { setTimeout as sleep } from 'node:timers/promises';
import { newAccount } from './account.mjs';

/**
 * The state that must exist for operations on markets and tables. The others are new accounts:
 * those of the run have proved one place, so they are one party, and may not play against each
 * other.
 */
const MARKETS = '/api/v1/games/predictions/markets';
const TABLES = '/api/v1/games/poker/tables';
const DAY_MS = 86_400_000;
/** Long enough for two bets on a busy machine. */
const OPEN_MS = 3_000;
const DEAL_MS_MAX = 30_000;
const POLL_MS = 100;
const BUY_IN = '100000';
/** Only a judge with a stake may resolve a market. */
const STAKE = '1000000';

export function gameSetups({ alice, post, get, fund, unused, seated, now }) {
  async function somebody() {
    const account = newAccount();
    await fund(account);
    return account;
  }

  async function market(openMs) {
    const maker = await somebody();
    const closesAt = new Date(now() + openMs).toISOString();
    const { id } = await post(maker, MARKETS, {
      question: 'Will the page named as source say yes at noon?',
      source: 'https://example.org/answer',
      closesAt,
      idempotencyKey: unused(),
    });
    return { id, closesAt };
  }

  const bet = async (id, side, amount) =>
    post(await somebody(), `${MARKETS}/${id}/bet`, { side, amount, idempotencyKey: unused() });

  async function betted(openMs = DAY_MS) {
    const made = await market(openMs);
    await bet(made.id, 'yes', '250000');
    await bet(made.id, 'no', '100000');
    return made;
  }

  async function closed() {
    await seated(alice, { stake: STAKE });
    const { id, closesAt } = await betted(OPEN_MS);
    await sleep(Math.max(0, Date.parse(closesAt) - now()) + POLL_MS);
    return { path: { id } };
  }

  async function table() {
    const body = { format: 'cash', seats: 6, bigBlind: '1000', name: 'Quiet corner' };
    const { id } = await post(await somebody(), TABLES, body);
    return id;
  }

  const sit = (player, id, seat) =>
    post(player, `${TABLES}/${id}/sit`, { buyIn: BUY_IN, seat, idempotencyKey: unused() });
  const move = (player, id, body) => post(player, `${TABLES}/${id}/act`, body);

  /** Alice and another at a table, and whose turn it is. */
  async function dealt() {
    const [id, other] = [await table(), await somebody()];
    await sit(other, id, 1);
    await sit(alice, id, 3);
    for (let waited = 0; waited < DEAL_MS_MAX; waited += POLL_MS) {
      for (const player of [alice, other]) {
        const seen = await get(player, `${TABLES}/${id}/seat`);
        if (seen.yourTurn) return { id, player, other, token: seen.token };
      }
      await sleep(POLL_MS);
    }
    throw new Error(`no hand was dealt in ${DEAL_MS_MAX / 1000} s`);
  }

  /** Alice on turn: where the other begins, the other calls. */
  async function onTurn() {
    const { id, player, token } = await dealt();
    if (player === alice) return { path: { id }, body: { token } };
    await move(player, id, { token, move: 'call' });
    const seen = await get(alice, `${TABLES}/${id}/seat`);
    return { path: { id }, body: { token: seen.token } };
  }

  async function played() {
    const { id, player, token } = await dealt();
    await move(player, id, { token, move: 'fold' });
    return { path: { id } };
  }

  return {
    'predictions.get': async () => ({ path: { id: (await betted()).id } }),
    'predictions.bet': async () => ({ path: { id: (await betted()).id } }),
    'predictions.resolve': closed,
    'poker.get': async () => ({ path: { id: (await dealt()).id } }),
    'poker.sit': async () => ({ path: { id: await table() } }),
    'poker.leave': async () => {
      const id = await table();
      await sit(alice, id, 3);
      return { path: { id } };
    },
    'poker.seat': async () => ({ path: { id: (await dealt()).id } }),
    'poker.act': onTurn,
    'poker.hands': played,
  };
}
