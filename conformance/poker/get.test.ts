import assert from 'node:assert/strict';
import { cardText } from '../../domain/poker/cards.ts';
import { mustOk, mustRefuse } from '../harness/must.ts';
import { act, at, dealt, handsOf, onEachDatabase, onTurn, playOut } from './_table.ts';
import { table, TABLES, view, type Body } from './_table.ts';

const ALL_CARDS = Array.from({ length: 52 }, (_, card) => cardText(card));

/** Every card that stands anywhere in an answer, whatever it is called. */
function cardsIn(text: string): readonly string[] {
  return ALL_CARDS.filter((card) => text.includes(`"${card}"`));
}

onEachDatabase('poker.get', (room) => {
  it('waits for the table to move, and reading moves nothing', async () => {
    const id = await dealt(room(), 2);
    const now = await table(room(), id);
    const { seq } = now;
    assert.equal((await table(room(), id, `?after=${Number(seq)}&wait=0`))['seq'], seq);
    const waiting = room().world.anyone.get(`${TABLES}/${id}?after=${Number(seq)}&wait=30`);
    const turn = await onTurn(room(), id);
    assert.ok(turn !== undefined);
    mustOk(await act(turn.player, id, turn.seen['token'], { move: 'call' }));
    const moved = mustOk(await waiting);
    assert.equal(Number(moved['seq']), Number(seq) + 1);
    assert.deepEqual(
      (moved['events'] as Body[]).map(({ kind, amount }) => [kind, amount]),
      [['call', '1000']],
    );
    const all = await table(room(), id, '?after=0');
    const seqs = (all['events'] as Body[]).map((event) => event['seq']);
    assert.deepEqual(
      seqs,
      seqs.map((_, nth) => nth + 1),
      'gapless',
    );
    await playOut(room(), id);
  });

  it('never shows a card that was not revealed, over many hands, to any account', async () => {
    const id = await dealt(room(), 3);
    const lengths = new Map<string, Set<number>>();
    for (let hand = 1; hand <= 12; hand += 1) {
      while (true) {
        const turn = await onTurn(room(), id);
        if (turn === undefined) break;
        const answer = await room().world.anyone.get(`${TABLES}/${id}?after=0`);
        const body = mustOk(answer);
        const shown = (body['events'] as Body[])
          .filter((event) => event['hand'] === hand)
          .flatMap((event) => (event['cards'] ?? []) as string[]);
        const { events: _events, ...bare } = body;
        const visible = new Set(shown);
        assert.deepEqual(
          cardsIn(JSON.stringify(bare)).filter((card) => !visible.has(card)),
          [],
        );
        // The list says no more than the table, and hands none of the one under way.
        const listed = await room().world.anyone.get(TABLES);
        assert.deepEqual(
          cardsIn(listed.text).filter((card) => !visible.has(card)),
          [],
        );
        const done = await handsOf(room(), id);
        assert.ok(done.every(({ n }) => Number(n) < hand));
        // A tag is of the text that was checked above, so it reveals no more.
        assert.match(answer.headers.get('etag') ?? '', /^W\/"[\w-]{27}"$/);
        // One seat sees no more than the public but its own two cards.
        for (const player of room().players.slice(0, 3)) {
          const mine = await view(player, id);
          const own = mine['cards'] as string[];
          const rest = cardsIn(JSON.stringify(mine)).filter(
            (card) => !visible.has(card) && !own.includes(card),
          );
          assert.deepEqual(rest, []);
          assert.equal('seed' in mine || JSON.stringify(mine).includes('"seed"'), false);
        }
        const street = String(at(body, 'hand', 'street'));
        const size = JSON.stringify(at(body, 'hand', 'board')).length;
        lengths.set(street, (lengths.get(street) ?? new Set()).add(size));
        const moves = (turn.seen['legal'] as Body[]).map(({ move }) => move);
        const move = moves.includes('check') ? 'check' : hand % 3 === 0 ? 'fold' : 'call';
        mustOk(await act(turn.player, id, turn.seen['token'], { move }));
      }
      room().world.hub.clock.advance(1);
      await table(room(), id);
    }
    // The length of an answer depends on the street, not on the cards.
    for (const sizes of lengths.values()) assert.equal(sizes.size, 1);
    await playOut(room(), id);
  });

  it('knows no other', async () => {
    const nowhere = '01938c7a-9d4e-7c31-8a55-0b6f2d1e4c90';
    mustRefuse(await room().world.anyone.get(`${TABLES}/${nowhere}`), 404, 'not-found');
  });
});
