import assert from 'node:assert/strict';
import { base58 } from '@scure/base';
import { Point } from '@noble/ed25519';
import vectors from '../../spec/vectors/signatures.json' with { type: 'json' };
import { fixtureKey } from '../../domain/httpsig/fixture.ts';
import { openFixture, type Fixture } from '../harness/fixture.ts';
import { mustRefuse } from '../harness/must.ts';
import { act, publish } from '../tasks/_work.ts';
import { publishPaid } from './_work.ts';
import { walletPath } from './_signed.ts';

/**
 * Money, a payout or a key never goes to a key that cannot sign alone. Every operation that takes a
 * receiver is asked with every kind of key that proves nothing.
 */
const bytesOf = (hex: string): string => base58.encode(Uint8Array.from(Buffer.from(hex, 'hex')));
const ORDER_EIGHT = '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05';
const mixed = Point.BASE.multiply(7n).add(Point.fromHex(ORDER_EIGHT)).toHex();
const rfc8032 = fixtureKey(
  Buffer.from('9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60', 'hex'),
);

const KEYS: readonly [what: string, keyId: string][] = [
  ['of small order', '1'.repeat(32)],
  ['of order eight', bytesOf(ORDER_EIGHT)],
  ['off the curve', bytesOf(`02${'00'.repeat(31)}`)],
  ['that is not canonical', bytesOf(`ee${'ff'.repeat(30)}7f`)],
  ['outside of the prime-order group', bytesOf(mixed)],
  ['that RFC 9421 prints', vectors.key.keyId],
  ['that RFC 8032 prints', base58.encode(rfc8032.publicKey)],
];

describe('receivers', () => {
  let world: Fixture;
  let exclusive: string;
  let open: string;
  before(async () => {
    world = await openFixture();
    await world.fund(world.alice, '5000000');
    exclusive = await publishPaid(world.alice);
    ({ id: open } = await publish(world.alice, { mode: 'open' }));
  });
  after(() => world.close());

  for (const [what, keyId] of KEYS) {
    it(`refuse a key ${what} wherever one is named`, async () => {
      const { alice, anyone, bob } = world;
      const to = `key:${keyId}`;
      const money = { amount: '1', idempotencyKey: `to-${keyId}` };
      const claim = { agentId: bob.account, payee: to };
      const calls = [
        ['body.to', () => alice.post(`${walletPath(alice)}/pay`, { to, ...money })],
        ['path.owner', () => anyone.post(`/api/v1/wallet/${to}/credit`, money)],
        ['body.payee', () => act(bob, exclusive, 'claim', claim)],
        ['body.payee', () => bob.post('/api/v1/tasks/claim', { payee: to })],
        ['body.payee', () => act(bob, open, 'solution', { ...claim, result: 'done' })],
        ['body.publicKey', () => bob.post(`${walletPath(bob)}/keys`, { publicKey: keyId })],
      ] as const;
      for (const [field, call] of calls) {
        const refused = mustRefuse(await call(), 400, 'bad-account');
        assert.equal(refused['field'], field);
      }
    });
  }
});
