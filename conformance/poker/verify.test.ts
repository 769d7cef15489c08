import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { webCrypto } from '../../clients/typescript/verify/crypto.ts';
import { nodeCrypto } from '../../clients/typescript/verify/nodeCrypto.ts';
import { verifyHands, type PokerHand } from '../../clients/typescript/verify/poker.ts';
import { mustOk } from '../harness/must.ts';
import { act, handsOf, newTable, onEachDatabase, onTurn, sit, table, type Body } from './_table.ts';

const PYTHON = `
import json, sys
from agent_exchange.poker import verify_hands
given = json.load(sys.stdin)
fault = verify_hands(given["tableId"], given["hands"])
print("ok" if fault is None else fault[1])
`;

/** Returns the answer of the verifier in Python; undefined where there is no Python. */
function inPython(tableId: string, hands: readonly PokerHand[]): string | undefined {
  const env = { ...process.env, PYTHONPATH: 'clients/python/src' };
  const input = JSON.stringify({ tableId, hands });
  const ran = spawnSync('python3', ['-c', PYTHON], { input, env, encoding: 'utf8' });
  if (ran.error !== undefined) return undefined;
  return ran.status === 0 ? ran.stdout.trim() : ran.stderr;
}

onEachDatabase('poker hands, verified offline', (room) => {
  let id = '';
  let hands: PokerHand[] = [];

  before('play', async () => {
    id = await newTable(room(), { bigBlind: '1001', minBuyIn: '1001' });
    const stacks = ['40000', '9000', '100100', '20000'];
    for (const [nth, player] of room().players.entries()) {
      mustOk(await sit(player, id, { buyIn: stacks[nth] }));
    }
    for (let turns = 0; turns < 60; turns += 1) {
      room().world.hub.clock.advance(1);
      if ((await table(room(), id))['state'] !== 'running') break;
      const turn = await onTurn(room(), id);
      if (turn === undefined) continue;
      const moves = (turn.seen['legal'] as Body[]).map(({ move }) => String(move));
      const wish =
        turns % 17 === 16 ? 'allin' : (['call', 'check', 'fold', 'call'][turns % 4] ?? 'call');
      const move = moves.includes(wish) ? wish : (moves[1] ?? 'fold');
      mustOk(await act(turn.player, id, turn.seen['token'], { move }));
    }
    hands = [...(await handsOf(room(), id))].reverse() as unknown as PokerHand[];
    assert.ok(hands.length >= 3, `${hands.length} hands`);
  });

  it('hold, with every kind of crypto and in Python', async () => {
    assert.deepEqual(await verifyHands(id, hands, nodeCrypto), { ok: true, hands: hands.length });
    assert.deepEqual(await verifyHands(id, hands, webCrypto), { ok: true, hands: hands.length });
    const python = inPython(id, hands);
    if (python !== undefined) assert.equal(python, 'ok');
  });

  it('are refused once anything of them is another', async () => {
    const [first, second] = hands;
    assert.ok(first !== undefined && second !== undefined);
    const lies: readonly (readonly [string, PokerHand[]])[] = [
      ['commit', [{ ...first, seed: 'ff'.repeat(32) }]],
      ['entropy', [{ ...first, sat: (first.sat ?? []).slice(1) }]],
      ['entropy', [{ ...first, results: [] }, second]],
      ['deal', [{ ...first, cards: { ...first.cards, holes: [] } }]],
      ['pots', [{ ...first, pots: [] }]],
      [
        'stacks',
        [{ ...first, players: first.players.map((each) => ({ ...each, endStack: '7' })) }],
      ],
    ];
    for (const [fault, lie] of lies) {
      const verdict = await verifyHands(id, lie, nodeCrypto);
      assert.equal(verdict.ok ? 'ok' : verdict.fault, fault);
      const python = inPython(id, lie);
      if (python !== undefined) assert.equal(python, fault);
    }
  });
});
