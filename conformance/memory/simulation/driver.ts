import assert from 'node:assert/strict';
import type { Answer } from '../../harness/agents.ts';
import { at, mustOk } from '../../harness/must.ts';
import {
  cosineDistance,
  grantTo,
  makeSpace,
  MEMORY,
  searchNotes,
  spendable,
  SPACES,
  vectors,
  writeNote,
} from '../space.ts';
import { walletPath } from '../../wallet/_signed.ts';
import { Tally } from '../../kinds/simulate/tally.ts';
import type { Setup } from '../../kinds/simulate/walk.ts';
import { openFileMoves } from './fileMoves.ts';
import * as model from './model.ts';
import type { Player, Run } from './run.ts';

/** Plays random operations on the hub and on the model, and compares whatever the hub answers. */
const AGENTS = 4;
const SPACES_MAX = 4;
const WORDS = ['alpha', 'alpine', 'beta', 'gamma', 'delta', 'omega'];
const KEYS = ['k1', 'k2', 'k3'];
const VECTORS = 6;
const DAY_SECONDS = 86_400;
const FULL_DEPOSIT = 30_000;
const FIRST_VECTORS = 7;

export async function playMemory(setup: Setup): Promise<Tally> {
  const { clock, random, operations } = setup;
  const world = await setup.world();
  const state: model.State = {
    accounts: new Map(),
    spaces: new Map(),
    fileBytes: new Map(),
    changes: 0,
  };
  const players: Player[] = [];
  const bank = await world.agent();
  await world.fund(bank, '9000000');
  for (let n = 0; n < AGENTS; n += 1) {
    const agent = await world.agent();
    const account = { money: 0, settledDay: 0, paidDay: 0, readOnly: false };
    state.accounts.set(agent.account, account);
    players.push({ agent, account });
  }
  const draw = vectors(FIRST_VECTORS);
  const numbers = Array.from({ length: VECTORS }, draw);
  const vectorOf = (nth: number): number[] => numbers[nth] ?? [];
  let keys = 0;
  const onceKey = (): string => `run-${(keys += 1)}`;
  const tally = new Tally();
  const count = (what: string): void => tally.count(what);

  const newText = (): Pick<model.Note, 'content' | 'key' | 'vector'> => ({
    content: [random.pick(WORDS), random.pick(WORDS)].join(' '),
    key: random.chance(40) ? random.pick(KEYS) : undefined,
    vector: random.chance(60) ? random.below(VECTORS) : undefined,
  });
  const spaceOf = (): string => random.pick([...state.spaces.keys()]);
  const same = (answer: Answer, refused: model.Refusal | undefined, what: string): boolean => {
    count(refused === undefined ? what : `${what}: ${refused}`);
    const code = answer.status === 200 ? undefined : answer.body['code'];
    assert.equal(code, refused, `${what}: ${answer.text}`);
    return refused === undefined;
  };

  const run: Run = { world, clock, random, state, players, onceKey, same, count };
  const { moves: fileMoves, full, mustAgree: filesMustAgree } = await openFileMoves(run);
  const moves: Readonly<Record<string, () => Promise<void>>> = {
    async space() {
      if (state.spaces.size >= SPACES_MAX) return;
      const { agent } = random.pick(players);
      // The second one is private.
      const kind = state.spaces.size % 3 === 1 ? 'private' : 'shared';
      const { id } = await makeSpace(agent, kind);
      const made = { id, owner: agent.account, kind, notes: new Map(), grants: new Map() } as const;
      state.spaces.set(id, made);
    },
    async money() {
      const { agent, account } = random.pick(players);
      // Who stores 200 MB pays as much a day as the others ever have.
      const amount = 50 * (1 + random.below(40)) + (account === full.account ? FULL_DEPOSIT : 0);
      const body = { to: agent.account, amount: `${amount}`, idempotencyKey: onceKey() };
      mustOk(await bank.post(`${walletPath(bank)}/pay`, body));
      account.money += amount;
    },
    async grant() {
      const [id, other] = [spaceOf(), random.pick(players)];
      const { owner } = model.found(state.spaces, id);
      const owning = players.filter(({ agent }) => agent.account === owner);
      const { agent } = random.pick(random.chance(60) ? owning : players);
      const right = random.pick(['read', 'write', 'none'] as const);
      const asked = { by: agent.account, space: id, to: other.agent.account, right };
      const space = { id: asked.space, path: `${SPACES}/${asked.space}` };
      const more = right === 'none' ? { revoke: true } : { canWrite: right === 'write' };
      const answer = await grantTo(agent, space, asked.to, more);
      const outcome = model.grant(state, asked);
      if (!same(answer, outcome.refused, 'grant') || outcome.refused !== undefined) return;
      assert.equal(answer.body['grants'], outcome.grants);
    },
    async write() {
      const { agent, account } = random.pick(players);
      const id = spaceOf();
      const notes = [...model.found(state.spaces, id).notes.values()];
      const text = random.chance(25) && notes.length > 0 ? random.pick(notes) : newText();
      const { content, key, vector } = text;
      const asked = { author: agent.account, space: id, content, key, vector };
      const more = {
        ...(key !== undefined && { key }),
        ...(vector !== undefined && { embedding: vectorOf(vector) }),
        idempotencyKey: onceKey(),
      };
      const space = { id: asked.space, path: `${SPACES}/${asked.space}` };
      const answer = await writeNote(agent, space, content, more);
      const newId = String(answer.body['noteId']);
      const { readOnly: wasReadOnly } = account;
      const outcome = model.write(state, asked, { now: clock.now(), newId });
      if (!same(answer, outcome.refused, 'write') || outcome.refused !== undefined) return;
      const { is, note } = outcome;
      count(wasReadOnly ? `${is}, lifting` : is);
      const { body } = answer;
      assert.deepEqual(
        [body['noteId'], body['author'], body['overwritten'], body['duplicate'], body['bytes']],
        [
          note.id,
          note.author,
          is === 'overwritten',
          is === 'duplicate' || undefined,
          model.weight(note),
        ],
      );
      if (!random.chance(20)) return;
      // The same call again answers the same and moves nothing.
      const again = await writeNote(agent, space, content, more);
      assert.deepEqual(mustOk(again), { ...body, repeated: true });
      count('repeated');
    },
    async search() {
      const { agent } = random.pick(players);
      const limit = 1 + random.below(6);
      const text = random.chance(50)
        ? [random.pick(WORDS), random.pick(WORDS).slice(0, 3)].join(' ')
        : random.pick(WORDS).slice(0, 2 + random.below(4));
      const by = random.chance(50) ? { text } : { vector: random.below(VECTORS) };
      const asked = { reader: agent.account, space: spaceOf(), limit, by };
      const query = 'text' in by ? by : { embedding: vectorOf(by.vector) };
      const space = { id: asked.space, path: `${SPACES}/${asked.space}` };
      const answer = await searchNotes(agent, space, { ...query, limit });
      const distance = (a: number, b: number): number =>
        a === b ? 0 : cosineDistance(vectorOf(a), vectorOf(b));
      const outcome = model.search(state, asked, distance);
      if (!same(answer, outcome.refused, 'search') || outcome.refused !== undefined) return;
      const results = answer.body['results'] as readonly { readonly noteId: string }[];
      const ids = results.map(({ noteId }) => noteId);
      if ('vector' in by) assert.deepEqual(ids, outcome.ids);
      else {
        assert.equal(ids.length, Math.min(limit, outcome.ids.length), text);
        assert.ok(
          ids.every((id) => outcome.ids.includes(id)),
          text,
        );
      }
      count(ids.length > 0 ? 'found' : 'nothing found');
    },
    async read() {
      const [{ agent }, id] = [random.pick(players), spaceOf()];
      const space = model.found(state.spaces, id);
      const answer = await agent.get(`${SPACES}/${id}?limit=200`);
      const refused = model.mayRead(space, agent.account) ? undefined : 'not-granted';
      if (!same(answer, refused, 'read')) return;
      const notes = answer.body['notes'] as readonly { readonly noteId: string }[];
      const newest = [...space.notes.values()].sort((a, b) => b.changed - a.changed);
      assert.deepEqual(
        notes.map(({ noteId }) => noteId),
        newest.slice(0, 200).map((note) => note.id),
      );
      const grants = at(answer.body, 'access', 'grants') as unknown[] | undefined;
      assert.equal(grants?.length, space.owner === agent.account ? space.grants.size : undefined);
    },
    async days() {
      clock.advance(DAY_SECONDS * (1 + (random.chance(30) ? random.below(6) : 0)));
      await world.hub.runJob('storageRent');
      model.chargeRents(state, clock.now());
    },
    ...fileMoves,
  };
  const chances = ['space', 'grant', 'grant', 'money', 'money', 'days', 'read', 'search', 'search'];
  const ofFiles = ['put', 'put', 'put', 'get', 'get', 'sweep'];
  const names = [...chances, ...ofFiles, ...Array.from({ length: 7 }, () => 'write')];
  await moves['space']?.();
  for (let n = 0; n < operations; n += 1) {
    const name = random.pick(names);
    await moves[name]?.();
    await mustAgree(state, random.pick(players));
  }
  for (const player of players) {
    await mustAgree(state, player);
    await filesMustAgree(player);
  }
  return tally;
}

/** Money, storage and rent of one account. */
async function mustAgree(state: model.State, { agent, account }: Player): Promise<void> {
  const usage = mustOk(await agent.get(`${MEMORY}/usage/${agent.account}`));
  const bytes = model.bytesOf(state, agent.account);
  assert.deepEqual(
    {
      money: Number(await spendable(agent)),
      noteBytes: usage['noteBytes'],
      fileBytes: usage['fileBytes'],
      perDay: Number(at(usage, 'perDay', 'amount')),
      readOnly: usage['readOnly'],
      written: at(usage, 'quota', 'notesWritten'),
    },
    {
      money: account.money,
      noteBytes: model.noteBytesOf(state, agent.account),
      fileBytes: state.fileBytes.get(agent.account) ?? 0,
      perDay: model.rentOf(bytes),
      readOnly: account.readOnly,
      written: model.writtenBy(state, agent.account),
    },
  );
}
