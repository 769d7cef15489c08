import assert from 'node:assert/strict';
import { at, mustOk } from '../../harness/must.ts';
import { bytesOf, filePath, putFile, sha256Of, storedObjects } from '../../files/file.ts';
import * as model from './filesModel.ts';
import type { Player, Run } from './run.ts';

/** Plays random operations of files on the hub and on the model of files. */
const SIZES = [0, 1, 700, 700, 40_000, 2 ** 20, 2 ** 20 + 1];
const KEYS = ['report', 'a/b c.txt', 'x@y+z'];
/** Bytes that the one account that is nearly full has left. */
const LEFT = 2 ** 20 + 50_000;
const QUOTA = 200 * 2 ** 20;
const FULL_MONEY = 300_000;

export interface FileMoves {
  readonly moves: Readonly<Record<'put' | 'get' | 'sweep', () => Promise<void>>>;
  /** The player that stores nearly as much as an account may. */
  readonly full: Player;
  /** Every file of a player reads back as it was last written, in the hub's own table and store. */
  mustAgree(player: Player): Promise<void>;
}

export async function openFileMoves(run: Run): Promise<FileMoves> {
  const { world, clock, random, state, players, onceKey, same, count } = run;
  const files: model.Files = { files: new Map(), lastUse: new Map(), loose: new Map() };
  const contents = SIZES.map((bytes, n) => {
    const buffer = bytesOf(bytes, n + 1);
    return { buffer, sha256: sha256Of(buffer), bytes };
  });
  const full = await fillUp(run, files);

  const put = async (): Promise<void> => {
    const { agent, account } = random.chance(30) ? full : random.pick(players);
    const [key, { buffer, ...content }] = [random.pick(KEYS), random.pick(contents)];
    const once = { idempotencyKey: onceKey() };
    const answer = await putFile(agent, key, buffer, once);
    const { readOnly: wasReadOnly } = account;
    const asked = { owner: agent.account, key, content };
    const outcome = model.put(state, files, asked, clock.now());
    if (!same(answer, outcome.refused, 'put') || outcome.refused !== undefined) return;
    const { body } = answer;
    assert.deepEqual(
      [body['sha256'], body['bytes'], body['replaced'], body['bytesLeft']],
      [content.sha256, content.bytes, outcome.replaced, outcome.bytesLeft],
    );
    assert.equal(Number(at(body, 'charge', 'amount')), outcome.price);
    if (outcome.replaced) count('replaced');
    if (wasReadOnly) count('put, lifting');
    if (!random.chance(20)) return;
    assert.deepEqual(mustOk(await putFile(agent, key, buffer, once)), { ...body, repeated: true });
    count('put, repeated');
  };

  const get = async (): Promise<void> => {
    const { agent } = random.pick(players);
    const owner = random.chance(80) ? agent : random.pick(players).agent;
    const key = random.pick(KEYS);
    const answer = await agent.get(filePath(owner, key));
    const asked = { reader: agent.account, owner: owner.account, key };
    const outcome = model.get(state, files, asked);
    if (!same(answer, outcome.refused, 'get') || outcome.refused !== undefined) return;
    const { body } = answer;
    const bytes = Buffer.from(String(body['contentBase64']), 'base64');
    const { sha256, bytes: length } = outcome.content;
    assert.deepEqual([sha256Of(bytes), body['sha256'], body['bytes']], [sha256, sha256, length]);
    assert.equal(Number(at(body, 'charge', 'amount')), outcome.price);
  };

  const sweep = async (): Promise<void> => {
    if (random.chance(60)) clock.advance(60 * random.below(90));
    await world.hub.runJob('fileSweep');
    const objects = new Map<string, number>();
    for (const name of await storedObjects(world)) {
      const sha256 = name.slice(0, name.indexOf('.'));
      objects.set(sha256, (objects.get(sha256) ?? 0) + 1);
    }
    assert.deepEqual(model.wrongInStore(files, objects, clock.now()), []);
    const inUse = new Set([...files.files.values()].map(({ content }) => content.sha256));
    if (inUse.size < files.files.size) count('shared');
    if (inUse.size < objects.size) count('kept for an hour');
    if (objects.size < files.lastUse.size) count('swept');
  };

  return {
    moves: { put, get, sweep },
    full,
    async mustAgree({ agent }) {
      const rows = await world.hub.running.hub.store.read((db) =>
        db
          .knex<{ owner: string; key: string; sha256: string }>('files')
          .where({ owner: agent.account }),
      );
      assert.deepEqual(
        new Map(rows.map(({ key, sha256 }) => [key, sha256])),
        new Map(
          model.filesOf(files, agent.account).map(({ key, content }) => [key, content.sha256]),
        ),
      );
    },
  };
}

/** The test writes no 200 MB: it sets the sum of one account where the hub stores it. */
async function fillUp({ world, state, players, clock, random }: Run, files: model.Files) {
  const full = random.pick(players);
  const { agent, account } = full;
  await world.fund(agent, `${FULL_MONEY}`);
  account.money = FULL_MONEY;
  mustOk(await putFile(agent, 'first', ''));
  const content = { sha256: sha256Of(''), bytes: 0 };
  model.put(state, files, { owner: agent.account, key: 'first', content }, clock.now());
  const bytes = QUOTA - LEFT;
  await world.hub.running.hub.store.write(async (tx) => {
    await tx
      .knex('memory_accounts')
      .where({ account: agent.account })
      .update({ file_bytes: bytes });
  });
  state.fileBytes.set(agent.account, bytes);
  return full;
}
