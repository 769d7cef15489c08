import assert from 'node:assert/strict';
import { agentWith, joinAccount, type Agent } from '../harness/agents.ts';
import { fakeClock } from '../harness/clock.ts';
import { openFixture, type Fixture } from '../harness/fixture.ts';
import { at, mustOk, mustRefuse } from '../harness/must.ts';
import {
  agentIssuer,
  contentFor,
  decoded,
  digestOf,
  disclosureOf,
  encoded,
  exportMandate,
  importMandate,
  issue,
  issuer,
  jwkOf,
  type Changes,
  type Json,
} from './_mandates.ts';
import { keyEvents, limitedKey, limitsOf, payBy, setPolicy } from './_policies.ts';
import { walletPath } from './_signed.ts';

const START = Date.parse('2026-11-26T09:10:00.000Z');
const RANGE = { type: 'payment.amount_range', currency: 'USDC', max: 500 };
const OWN = 'urn:agent-exchange:constraint:spending:1';
const AP2 = { vct: 'mandate.payment.open.1' };
const ON_DEMAND = { type: 'payment.agent_recurrence', frequency: 'ON_DEMAND' };
const seconds = (text: string): number => Date.parse(text) / 1000;

describe('wallet.setPolicy with a mandate', () => {
  let world: Fixture;
  const clock = fakeClock(START);
  const provider = issuer('p256');
  let owner: Agent;
  before(async () => {
    world = await openFixture({ clock });
    owner = await world.agent();
    await world.fund(owner, '900000');
  });
  after(() => world.close());

  /** Hands in what an issuer that the owner vouches for has signed, for a new key. */
  const handIn = async (constraints: readonly Json[], more: Json = {}, changes: Changes = {}) => {
    const key = await world.agent();
    const mandate = issue(provider, contentFor(key.keyId, constraints, more), changes);
    return { key, mandate, answer: await importMandate(owner, mandate, provider.jwk) };
  };
  const mustFail = async (why: RegExp, ...of: Parameters<typeof handIn>): Promise<void> => {
    const { answer } = await handIn(...of);
    assert.match(String(mustRefuse(answer, 400, 'bad-request')['error']), why);
  };

  describe('of a mandate that is fit', () => {
    it('limits a key that joins later, and gives it nothing by itself', async () => {
      const { key, answer } = await handIn([RANGE, { type: OWN, perDay: '700' }]);
      assert.deepEqual(at(mustOk(answer), 'spending', 'policy'), { perCall: '500', perDay: '700' });
      const joined = { ...key, account: owner.account };
      mustRefuse(await payBy(joined, world.bob, '1'), 401, 'wrong-owner');
      mustOk(await joinAccount(owner, key));
      mustRefuse(await payBy(joined, world.bob, '501'), 400, 'policy-limit');
      mustOk(await payBy(joined, world.bob, '500'));
      const refused = mustRefuse(await payBy(joined, world.bob, '201'), 400, 'policy-limit');
      assert.equal(refused['left'], '200');
      assert.ok((await keyEvents(owner)).includes('policy.set'));
    });

    it('takes over the policy of a key at another hub whose key the owner names', async () => {
      const other = await openFixture({ clock });
      const abroad = await other.agent();
      const policy = {
        perCall: '5000',
        perHour: '6000',
        perDay: '10000',
        perMonth: '90000',
        approveAbove: '2000',
        operations: ['wallet.pay', 'wallet.withdraw'],
        tools: ['convert'],
        models: ['hub/echo'],
        networks: ['sandbox'],
        counterparties: [world.bob.account],
        expiresAt: '2027-01-01T00:00:00.000Z',
      };
      const { keyId } = await other.agent();
      mustOk(await setPolicy(abroad, { keyId }, policy));
      const { mandate, issuerKey } = mustOk(await exportMandate(abroad, keyId));
      await other.close();
      const text = String(mandate);
      const { error } = mustRefuse(await importMandate(owner, text), 400, 'bad-request');
      assert.match(String(error), /neither of this hub nor the one of this call/);
      const taken = mustOk(await importMandate(owner, text, jwkOf(String(issuerKey))));
      assert.deepEqual(at(taken, 'spending', 'policy'), policy);
      assert.equal(taken['keyId'], keyId);
    });

    it('needs no key for one of this hub or of the key that signs the call', async () => {
      const key = await limitedKey(world, owner, { perDay: '20' });
      const { mandate } = mustOk(await exportMandate(owner, key.keyId));
      mustOk(await setPolicy(owner, key, { perDay: '30' }));
      const back = mustOk(await importMandate(owner, String(mandate)));
      assert.deepEqual(at(back, 'spending', 'policy'), { perDay: '20' });
      const by = await agentIssuer();
      const account = agentWith(world.hub, by.pair);
      const header = { kid: account.keyId };
      const content = contentFor((await world.agent()).keyId, [RANGE]);
      mustOk(await importMandate(account, issue(by, content, { header })));
      mustRefuse(await importMandate(owner, issue(by, content, { header })), 400, 'bad-request');
    });

    it('reads an open payment mandate of AP2 that the hub can keep a key to', async () => {
      const { bob, alice } = world;
      const allowed = [{ id: bob.account, name: 'Bob', website: 'https://bob.example' }];
      const listed = allowed.map((payee) => disclosureOf(['c2FsdDI', payee]));
      const dates = { not_before: '2026-11-01T00:00:00Z', not_after: '2026-11-29T12:00:00Z' };
      const constraints = [
        ON_DEMAND,
        RANGE,
        { type: 'payment.budget', currency: 'USDC', max: 0.0009 },
        {
          type: 'payment.allowed_payees',
          allowed: listed.map((text) => ({ '...': digestOf(text) })),
        },
        { type: 'payment.execution_date', ...dates },
      ];
      const times = { iat: START / 1000, exp: seconds('2026-11-30T00:00:00Z') };
      const { key, answer } = await handIn(
        constraints,
        { ...AP2, ...times },
        { disclosures: listed },
      );
      assert.deepEqual(at(mustOk(answer), 'spending', 'policy'), {
        perCall: '500',
        perMonth: '900',
        counterparties: [bob.account],
        operations: ['wallet.pay'],
        expiresAt: '2026-11-29T12:00:00.000Z',
      });
      mustOk(await joinAccount(owner, key));
      const joined = { ...key, account: owner.account };
      mustOk(await payBy(joined, bob, '500'));
      mustRefuse(await payBy(joined, alice, '1'), 401, 'policy-forbids');
      mustRefuse(await payBy(joined, bob, '401'), 400, 'policy-limit');
      assert.equal((await limitsOf(joined))['month']?.left, '400');
    });
  });

  describe('of a mandate that was tampered with', () => {
    it('refuses another payload, another disclosure and another signature', async () => {
      const { mandate } = await handIn([RANGE]);
      const [jwt = '', disclosure = ''] = mandate.split('~');
      const [head = '', body = '', signature = ''] = jwt.split('.');
      const wider = disclosureOf(['c2FsdA', contentFor(owner.keyId, [{ ...RANGE, max: 9e9 }])]);
      const payload = encoded({ ...decoded(body), delegate_payload: [{ '...': digestOf(wider) }] });
      const flipped = `${signature.startsWith('A') ? 'B' : 'A'}${signature.slice(1)}`;
      for (const text of [
        `${head}.${payload}.${signature}~${wider}~`,
        `${head}.${body}.${signature}~${wider}~`,
        `${head}.${body}.${flipped}~${disclosure}~`,
        `${head}.${body}.${signature.slice(0, -4)}~${disclosure}~`,
        `${head}.${body}.~${disclosure}~`,
        `${head}.${body}.${signature}`,
        `${head}.${body}.${signature}~`,
        `${head}.${body}.${signature}~${disclosure}`,
        `${head}.${body}.${signature}~${disclosure}~${disclosure}~`,
        `${head}.${body}.${signature}~${disclosure}~${wider}~`,
        `${head}.${body}.${signature}~${disclosure}~${jwt}`,
        `${head}.${body}.${signature}.${signature}~${disclosure}~`,
        `${'~'.repeat(400)}`,
      ]) {
        mustRefuse(await importMandate(owner, text, provider.jwk), 400, 'bad-request');
      }
      mustOk(await importMandate(owner, mandate, provider.jwk));
    });

    it('refuses the algorithm "none", and every one that is not that of the key', async () => {
      for (const alg of ['none', 'None', 'HS256', 'EdDSA', 'ES384', 'RS256', undefined, 7]) {
        await mustFail(/signature/, [RANGE], {}, { header: { alg } });
      }
      const { mandate } = await handIn([RANGE]);
      const ed = issuer();
      for (const key of [ed.jwk, { ...provider.jwk, crv: 'Ed25519' }, { ...ed.jwk, kty: 'EC' }]) {
        mustRefuse(await importMandate(owner, mandate, key), 400, 'bad-request');
      }
      const { y: _y, ...noPoint } = provider.jwk;
      const swapped = { ...provider.jwk, x: provider.jwk['y'], y: provider.jwk['x'] };
      for (const key of [noPoint, swapped, issuer('p256').jwk]) {
        mustRefuse(await importMandate(owner, mandate, key), 400, 'bad-request');
      }
    });

    it('refuses a key of small order, under which any signature may pass', async () => {
      const key = await world.agent();
      const by = { ...issuer(), jwk: { kty: 'OKP', crv: 'Ed25519', x: 'A'.repeat(43) } };
      const mandate = issue(by, contentFor(key.keyId, [RANGE]));
      mustRefuse(await importMandate(owner, mandate, by.jwk), 400, 'bad-request');
    });

    it('refuses other tokens of a signer, and headers that it does not know', async () => {
      await mustFail(/`typ`/, [RANGE], {}, { header: { typ: 'JWT' } });
      await mustFail(/`crit`/, [RANGE], {}, { header: { crit: ['exp'] } });
    });

    it('refuses what is not disclosed: it may be a constraint', async () => {
      const hidden = digestOf(disclosureOf(['c2FsdA', { type: 'acme.strict' }]));
      await mustFail(/not disclosed/, [RANGE, { '...': hidden }]);
    });

    it('refuses 4 MB, and what is too deep, in an answer that is short', async () => {
      const { mandate } = await handIn([RANGE]);
      const long = await importMandate(owner, `${mandate}${'A'.repeat(4_000_000)}~`, provider.jwk);
      assert.ok(long.status === 400 || long.status === 413, `${long.status}`);
      assert.ok(long.text.length < 2_000);
      let nested: unknown = 1;
      for (let depth = 0; depth < 70; depth += 1) nested = [nested];
      const { answer } = await handIn([RANGE], { risk_data: { nested } });
      mustRefuse(answer, 400, 'bad-request');
    });
  });

  describe('of limits that the hub cannot keep a key to', () => {
    // Every other limit is in domain/wallet/foreignMandate.test.ts.
    it('names the constraint or the claim', async () => {
      await mustFail(/`acme.strict`/, [RANGE, { type: 'acme.strict' }]);
      await mustFail(/exact JSON/, [{ ...RANGE, max: 2 ** 53 }]);
      await mustFail(/expired/, [RANGE], { exp: START / 1000 });
    });

    it('refuses operations that this hub does not have, or that no limited key may call', async () => {
      await mustFail(/no operation/, [{ type: OWN, operations: ['wallet.pya'] }]);
      await mustFail(/No key with a policy/, [{ type: OWN, operations: ['wallet.setPolicy'] }]);
    });
  });

  describe('for a key that may not have it', () => {
    it('refuses keys of another kind, of another account, of small order and of the owner', async () => {
      await mustFail(/`cnf`/, [RANGE], { cnf: { jwk: provider.jwk } });
      const none = { kty: 'OKP', crv: 'Ed25519', x: 'A'.repeat(43) };
      await mustFail(/`cnf` cannot be used/, [RANGE], { cnf: { jwk: none } });
      const stranger = await world.agent();
      await world.fund(stranger, '100');
      const of = (keyId: string) => issue(provider, contentFor(keyId, [RANGE]));
      const taken = await importMandate(owner, of(stranger.keyId), provider.jwk);
      mustRefuse(taken, 400, 'key-bound');
      const itself = await importMandate(owner, of(owner.keyId), provider.jwk);
      mustRefuse(itself, 400, 'wrong-state');
    });

    it('refuses the mandate of another key, and one beside limits', async () => {
      const { key, mandate } = await handIn([RANGE]);
      const other = await importMandate(owner, mandate, provider.jwk, world.bob.keyId);
      assert.equal(mustRefuse(other, 400, 'bad-request')['field'], 'path.keyId');
      const path = `${walletPath(owner)}/keys/${key.keyId}/policy`;
      const { jwk: issuerKey } = provider;
      for (const body of [
        { mandate, issuerKey, perDay: '1' },
        { issuerKey },
        { mandate, lifted: true },
      ]) {
        mustRefuse(await owner.post(path, body), 400, 'bad-request');
      }
    });

    it('refuses a limited key that hands in its own, wider mandate', async () => {
      const key = await limitedKey(world, owner, { perDay: '5' });
      const mandate = issue(provider, contentFor(key.keyId, []));
      mustRefuse(await importMandate(key, mandate, provider.jwk), 401, 'policy-forbids');
      mustRefuse(await payBy(key, world.bob, '6'), 400, 'policy-limit');
    });

    it('gives a revoked key nothing back, and a used one no fresh limit', async () => {
      const { key, mandate, answer } = await handIn([{ type: OWN, perDay: '50' }]);
      mustOk(answer);
      mustOk(await joinAccount(owner, key));
      const joined = { ...key, account: owner.account };
      mustOk(await payBy(joined, world.bob, '50'));
      mustOk(await importMandate(owner, mandate, provider.jwk));
      mustRefuse(await payBy(joined, world.bob, '1'), 400, 'policy-limit');
      mustOk(await owner.post(`${walletPath(owner)}/keys/${key.keyId}/revoke`));
      mustRefuse(await importMandate(owner, mandate, provider.jwk), 400, 'wrong-state');
      mustRefuse(await payBy(joined, world.bob, '1'), 401, 'key-revoked');
    });
  });
});
