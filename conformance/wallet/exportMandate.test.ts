import assert from 'node:assert/strict';
import { createPublicKey, verify } from 'node:crypto';
import type { Agent } from '../harness/agents.ts';
import { fakeClock } from '../harness/clock.ts';
import { openFixture, type Fixture } from '../harness/fixture.ts';
import { at, mustOk, mustRefuse } from '../harness/must.ts';
import { decoded, digestOf, exportMandate, jwkOf } from './_mandates.ts';
import { joinedKey, limitedKey, payBy, setPolicy } from './_policies.ts';
import { onlyTheOwner, walletPath } from './_signed.ts';

describe('wallet.exportMandate', () => {
  let world: Fixture;
  const clock = fakeClock(Date.parse('2026-11-26T09:10:00.000Z'));
  let owner: Agent;
  before(async () => {
    world = await openFixture({ clock });
    owner = await world.agent();
    await world.fund(owner, '900000');
  });
  after(() => world.close());

  describe('as an operation of the owner', () => {
    const keyId = '8qbHbw2BbbTHBW1sbeqakYXVKRQM8Ne7pLK7m6CVfeR';
    before(async () => {
      const { alice } = world;
      mustOk(await setPolicy(alice, { keyId }, { perDay: '1' }));
    });
    onlyTheOwner(() => world, 'GET', `/keys/${keyId}/mandate`);
  });

  it('signs each limit of the policy, with the key that the JWKS of the hub shows', async () => {
    const expiresAt = '2026-12-24T18:00:00.500Z';
    const policy = {
      perCall: '50000',
      perHour: '60000',
      perDay: '100000',
      perMonth: '900000',
      approveAbove: '20000',
      operations: ['wallet.pay'],
      tools: ['convert'],
      models: ['hub/echo'],
      networks: ['sandbox'],
      counterparties: [world.bob.account],
    };
    const key = await limitedKey(world, owner, { ...policy, expiresAt });
    const answer = mustOk(await exportMandate(owner, key.keyId));
    const [jwt = '', disclosure = '', end] = String(answer['mandate']).split('~');
    assert.equal(end, '');
    const [head = '', body = '', signature = ''] = jwt.split('.');
    const { keys } = mustOk(await world.anyone.get('/.well-known/jwks.json'));
    const { kid, alg, typ } = decoded(head);
    assert.deepEqual([alg, typ, kid], ['EdDSA', 'mandate+sd-jwt', answer['issuerKey']]);
    const jwk = (keys as readonly JsonWebKey[]).find((each) => at(each, 'kid') === kid);
    assert.ok(jwk !== undefined);
    const publicKey = createPublicKey({ key: { ...jwk }, format: 'jwk' });
    const message = Buffer.from(`${head}.${body}`);
    assert.ok(verify(null, message, publicKey, Buffer.from(signature, 'base64url')));
    assert.deepEqual(decoded(body), {
      iss: answer['issuer'],
      delegate_payload: [{ '...': digestOf(disclosure) }],
      _sd_alg: 'sha-256',
    });
    const [salt, content] = decoded(disclosure) as unknown as readonly [string, object];
    assert.ok(salt.length >= 22, 'the salt has 128 bits');
    const { perCall: _call, counterparties: _payees, ...own } = policy;
    assert.deepEqual(content, {
      vct: answer['type'],
      constraints: [
        { type: 'payment.amount_range', currency: 'USDC', max: 50_000 },
        {
          type: 'payment.allowed_payees',
          allowed: [
            { id: world.bob.account, name: world.bob.account },
            {
              id: 'urn:agent-exchange:payee:hub',
              name: 'The hub that acts on this mandate, for its own prices',
            },
          ],
        },
        { type: 'urn:agent-exchange:constraint:spending:1', ...own },
      ],
      cnf: { jwk: jwkOf(key.keyId) },
      iat: Date.parse('2026-11-26T09:10:00Z') / 1000,
      exp: Date.parse('2026-12-24T18:00:00Z') / 1000,
    });
    assert.equal(answer['expiresAt'], '2026-12-24T18:00:00.000Z');
  });

  it('is given to the limited key itself, spends nothing and differs each time by its salt', async () => {
    const key = await limitedKey(world, owner, { perDay: '10' });
    const [first, second] = [
      mustOk(await exportMandate(key, key.keyId)),
      mustOk(await exportMandate(key, key.keyId)),
    ];
    assert.notEqual(first['mandate'], second['mandate']);
    mustOk(await payBy(key, world.bob, '10'));
  });

  it('refuses a key without a policy, one that is over and one that is revoked', async () => {
    const free = await joinedKey(world, owner);
    mustRefuse(await exportMandate(owner, free.keyId), 400, 'wrong-state');
    const expiresAt = new Date(clock.now() + 60_000).toISOString();
    const key = await limitedKey(world, owner, { expiresAt });
    mustOk(await exportMandate(owner, key.keyId));
    clock.advance(60);
    mustRefuse(await exportMandate(owner, key.keyId), 400, 'wrong-state');
    const other = await limitedKey(world, owner, { perDay: '1' });
    mustOk(await owner.post(`${walletPath(owner)}/keys/${other.keyId}/revoke`));
    mustRefuse(await exportMandate(owner, other.keyId), 400, 'wrong-state');
  });

  it('refuses a policy that would be too long a mandate, and shows how long it is', async () => {
    const models = Array.from({ length: 100 }, (_, nth) => `${'🦔'.repeat(190)}${nth}`);
    const key = await limitedKey(world, owner, { models });
    const { error } = mustRefuse(await exportMandate(owner, key.keyId), 400, 'wrong-state');
    assert.match(String(error), /has \d{6} characters; at most 65536/);
  });
});
