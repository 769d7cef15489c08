import assert from 'node:assert/strict';
import {
  cosignatureBytes,
  cosignedText,
  signatureLine,
  WITNESS_KEY,
} from '../../domain/log/note.ts';
import { namedKey, verifierKey } from '../../domain/log/signing.ts';
import { readSettings } from '../../server/boot/config.ts';
import { hubKey } from '../../workflows/kernel/keys/ed25519.ts';
import { openFixture, type Fixture } from '../harness/fixture.ts';
import { mustOk, mustRefuse } from '../harness/must.ts';
import { checkpoint, receipts, sequence, type Body } from './_log.ts';

const PATH = '/api/v1/log/cosignatures';
const KEYS = [1, 2].map((byte) => hubKey(new Uint8Array(32).fill(byte)));
const [ONE = hubKey(new Uint8Array(32)), TWO = ONE] = KEYS;
const vkey = (name: string, key = ONE): string => verifierKey(name, WITNESS_KEY, key.publicKey);

describe('log.cosign', () => {
  let world: Fixture;
  before(async () => {
    const witnesses = [vkey('one.example/w'), vkey('two.example/w', TWO)].join(', ');
    world = await openFixture({ env: { HUB_LOG_WITNESSES: witnesses } });
    await receipts(world.alice, 2);
    await sequence(world);
  });
  after(() => world.close());

  const line = async (
    over: {
      name?: string;
      key?: typeof ONE;
      seconds?: number;
      as?: typeof ONE;
      text?: string;
    } = {},
  ) => {
    const { name = 'one.example/w', key = ONE, as = key } = over;
    const seconds = over.seconds ?? Math.floor(world.hub.clock.now() / 1000);
    const text = over.text ?? (await checkpoint(world)).text;
    const signature = key.sign(Buffer.from(cosignedText(text, seconds)));
    const { keyHash } = namedKey(name, WITNESS_KEY, as.publicKey);
    const bytes = cosignatureBytes({ seconds, signature });
    return signatureLine({ name, keyHash, signature: bytes }).trimEnd();
  };
  const post = async (body: Body) => world.anyone.post(PATH, body);

  it('shows the line of a named witness below the checkpoint, once', async () => {
    const given = await line();
    const taken = mustOk(await post({ size: 2, line: given }));
    assert.deepEqual(
      [taken['name'], taken['size'], taken['signedAt']],
      ['one.example/w', 2, '2026-11-20T10:00:00.000Z'],
    );
    world.hub.clock.advance(5);
    const later = await line();
    mustOk(await post({ size: 2, line: later }));
    mustOk(await post({ size: 2, line: given }));
    const { text } = await world.anyone.get('/api/v1/log/checkpoint');
    assert.deepEqual(
      text.split('\n').filter((each) => each.startsWith('— one.example/w')),
      [later],
      'the latest of a witness, though an earlier one comes again',
    );
  });

  it('serves the newest checkpoint that so many witnesses signed', async () => {
    mustOk(await post({ size: 2, line: await line({ name: 'two.example/w', key: TWO }) }));
    await receipts(world.alice, 1);
    await sequence(world);
    assert.equal((await checkpoint(world)).size, 3);
    assert.equal((await checkpoint(world, '?witnesses=1')).size, 2);
    assert.equal((await checkpoint(world, '?witnesses=2')).size, 2);
    mustRefuse(await world.anyone.get('/api/v1/log/checkpoint?witnesses=3'), 404, 'not-found');
    mustOk(await post({ size: 3, line: await line() }));
    assert.equal((await checkpoint(world, '?witnesses=1')).size, 3);
    assert.equal((await checkpoint(world, '?witnesses=2')).size, 2);
  });

  it('lists what each witness signed last', async () => {
    const { witnesses } = mustOk(await world.anyone.get('/api/v1/log'));
    assert.deepEqual(
      (witnesses as Body[]).map(({ name, verifierKey: key, size }) => [name, key, size]),
      [
        ['one.example/w', vkey('one.example/w'), 3],
        ['two.example/w', vkey('two.example/w', TWO), 2],
      ],
    );
  });

  it('refuses a key that the operator did not name, and a signature that does not verify', async () => {
    const stranger = hubKey(new Uint8Array(32).fill(9));
    const seconds = Math.floor(world.hub.clock.now() / 1000);
    const wrong = [
      await line({ key: stranger }),
      await line({ name: 'else.example/w' }),
      await line({ key: stranger, as: ONE }),
      await line({ key: TWO, as: ONE }),
      await line({ text: 'else\n3\nAAAA\n' }),
      await line({ seconds: seconds + 301 }),
      await line({ seconds: seconds - 301 }),
      ...['', 'x', '— a b', '— one.example/w AAAA', (await line()).replace('— ', '- ')],
      `${await line()}\n${await line()}`,
    ];
    for (const each of wrong) {
      mustRefuse(await post({ size: 3, line: each }), 400, 'bad-cosignature');
    }
    mustRefuse(await post({ size: 2, line: await line() }), 400, 'bad-cosignature');
    mustRefuse(await post({ size: 99, line: await line() }), 404, 'not-found');
    assert.equal((await post({ size: 3, line: `— ${'x'.repeat(3_000)} AAAA` })).status, 400);
  });

  it('takes a setting of distinct sound keys of witnesses alone', () => {
    const settings = (text: string) => readSettings({ HUB_LOG_WITNESSES: text }).logWitnesses;
    assert.equal(settings(`${vkey('a')},${vkey('b')}`).length, 2);
    assert.equal(settings('').length, 0);
    const many = Array.from({ length: 17 }, (_, n) => vkey(`w${n}`)).join(',');
    const log = verifierKey('a', 1, ONE.publicKey);
    for (const bad of [
      many,
      log,
      `${vkey('a')},${vkey('a', TWO)}`,
      vkey('a').replace('a+', 'b+'),
      'x',
    ]) {
      assert.throws(() => settings(bad), /HUB_LOG_WITNESSES/);
    }
  });
});
