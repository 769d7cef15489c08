import assert from 'node:assert/strict';
import { generateKey } from '../../clients/typescript/sign.ts';
import { savePassport } from '../../db/passport/passports.ts';
import { addDomain } from '../../db/passport/domains.ts';
import { takeListing } from '../../db/passport/listings.ts';
import { probedListing } from '../../db/registry/fixture.ts';
import { saveListing } from '../../db/registry/listings.ts';
import type { KeyId } from '../../domain/account.ts';
import { agentWith, joinAccount, type Agent } from '../harness/agents.ts';
import type { Fixture } from '../harness/fixture.ts';
import { at, mustOk, mustRefuse } from '../harness/must.ts';
import { hubsOnBothDatabases } from '../harness/hubsOnBothDatabases.ts';
import { joinedKey, keyEvents, limitedKey, payBy, setPolicy } from './_policies.ts';
import { walletPath } from './_signed.ts';

hubsOnBothDatabases('wallet.revokeKey', (open) => {
  let world: Fixture;
  let other: Fixture;
  before(async () => {
    world = await open();
    other = await open();
    await world.fund(world.alice, '900000000');
  });

  it('ends a key at once in every process: payments, reads and the agent doors', async () => {
    const { alice, bob } = world;
    const pair = await generateKey();
    const here = agentWith(world.hub, pair);
    const there = agentWith(other.hub, pair);
    mustOk(await joinAccount(alice, here));
    const keys = [here, there].map((agent) => ({ ...agent, account: alice.account }));
    for (const key of keys) {
      mustOk(await payBy(key, bob, '10'));
      mustOk(await key.get('/api/v1/me'));
    }
    const path = `${walletPath(alice)}/keys/${pair.keyId}/revoke`;
    const revoked = mustOk(await alice.post(path));
    assert.equal(revoked['revokedBy'], alice.keyId);
    for (const key of keys) {
      mustRefuse(await payBy(key, bob, '10'), 401, 'key-revoked');
      mustRefuse(await key.get('/api/v1/me'), 401, 'key-revoked');
      mustRefuse(
        await key.post('/api/v1/tasks', { requester: alice.account, title: 'x' }),
        401,
        'key-revoked',
      );
      const call = { jsonrpc: '2.0', id: 1, method: 'tools/call' };
      const params = { name: 'wallet-me', arguments: {} };
      const answer = await key.post('/mcp', { ...call, params });
      assert.match(answer.text, /key-revoked/);
    }
    assert.deepEqual(
      mustOk(await alice.post(path)),
      revoked,
      'a second revocation changes nothing',
    );
    mustRefuse(await setPolicy(alice, here, { perDay: '1' }), 400, 'wrong-state');
    assert.ok((await keyEvents(alice)).includes('key.revoked'));
    const { keys: listed } = mustOk(await alice.get(`${walletPath(alice)}/keys`));
    const shown = (listed as readonly Record<string, unknown>[]).find(
      ({ publicKey }) => publicKey === pair.keyId,
    );
    assert.equal(at(shown, 'revokedAt'), revoked['revokedAt']);
  });

  it('ends a stream of events that the key has open, before the next event', async () => {
    const { alice, bob } = world;
    const key = await limitedKey(other, alice, {});
    const request = await key.signed('GET', '/api/v1/me/events?after=now&stream=true');
    const stream = (await fetch(request)).text();
    mustOk(await payBy(alice, bob, '10'));
    mustOk(await alice.post(`${walletPath(alice)}/keys/${key.keyId}/revoke`));
    mustOk(await payBy(alice, bob, '20'));
    assert.doesNotMatch(await stream, /key\.revoked|"20"/);
  });

  it('takes back what the key signed for others: a new key, and a call that waits', async () => {
    const { alice, bob } = world;
    const limited = await limitedKey(world, alice, { approveAbove: '5' });
    for (const end of ['revoke', 'policy']) {
      const key = await joinedKey(world, alice);
      const accomplice = await world.agent();
      const body = { publicKey: accomplice.keyId };
      mustOk(await key.post(`${walletPath(alice)}/keys`, body));
      const more = { idempotencyKey: `waits-${end}` };
      const asked = mustRefuse(await payBy(limited, bob, '10', more), 400, 'approval-needed');
      const approve = `${walletPath(alice)}/approvals/${String(asked['approvalId'])}`;
      mustOk(await key.post(approve, { decision: 'approved' }));
      mustOk(await alice.post(`${walletPath(alice)}/keys/${key.keyId}/${end}`, {}));
      const joining = mustOk(await accomplice.post(`${walletPath(alice)}/keys`, body));
      assert.deepEqual([joining['state'], joining['signedBy']], ['pending', ['key']]);
      mustRefuse(await payBy(limited, bob, '10', more), 400, 'approval-needed');
      mustOk(await alice.post(`${walletPath(alice)}/keys`, body));
    }
  });

  it('shows what the key made and what stays: grants, domains and listings', async () => {
    const { alice, bob } = world;
    const [key, other] = [await joinedKey(world, alice), await joinedKey(world, alice)];
    const spaceOf = async (by: Agent, name: string): Promise<string> => {
      const body = { owner: alice.account, name, kind: 'shared' };
      return String(mustOk(await by.post('/api/v1/memory/spaces', body))['id']);
    };
    const grant = async (by: Agent, spaceId: string, more: object = {}): Promise<void> => {
      const body = { owner: alice.account, spaceId, grantee: bob.account, ...more };
      mustOk(await by.post('/api/v1/memory/grants', body));
    };
    const [kept, taken, changed, early] = [
      await spaceOf(alice, 'kept'),
      await spaceOf(key, 'taken'),
      await spaceOf(key, 'changed'),
      await spaceOf(key, 'early'),
    ];
    await grant(key, kept, { canWrite: true });
    await grant(key, taken);
    await grant(alice, taken, { revoke: true });
    await grant(alice, changed);
    await grant(key, changed);
    await grant(key, early);
    await grant(alice, early);
    const now = world.hub.clock.now();
    const origin = 'https://left.example';
    const proof = { provedAt: now, lastConfirmedAt: now, nextCheckAt: now };
    const listing = probedListing({ origin });
    const keyId = key.keyId as KeyId;
    await world.hub.running.hub.store.write(async (tx) => {
      await savePassport(tx, { keyId, createdAt: now });
      await addDomain(tx, { domain: 'left.example', keyId, origin, method: 'dns', ...proof });
      await saveListing(tx, { listing, skills: [] });
      await takeListing(tx, listing.id, { keyId, proof: 'dns', at: now });
    });
    const revoke = async (of: Agent): Promise<Record<string, unknown>> =>
      mustOk(await alice.post(`${walletPath(alice)}/keys/${of.keyId}/revoke`));
    const first = await revoke(key);
    const remains = first['remains'] as Record<string, readonly Record<string, unknown>[]>;
    const shown = remains['grants']?.map(({ spaceId, grantee, canWrite }) => [
      spaceId,
      grantee,
      canWrite,
    ]);
    const expected = [
      [kept, bob.account, true],
      [changed, bob.account, false],
    ];
    assert.deepEqual(shown?.sort(), expected.sort());
    assert.deepEqual(remains['domains'], ['left.example']);
    assert.deepEqual(remains['listings'], [{ id: listing.id, verification: 'dns' }]);
    assert.equal((await revoke(other))['remains'], undefined, 'of another key nothing remains');
    for (const spaceId of [kept, changed]) await grant(alice, spaceId, { revoke: true });
    assert.deepEqual(at(await revoke(key), 'remains', 'grants'), [], 'it is asked again');
    for (const spaceId of [kept, changed]) {
      mustRefuse(await bob.get(`/api/v1/memory/spaces/${spaceId}`), 400, 'not-granted');
    }
  });

  it('lets another key revoke the key in the name of the account', async () => {
    const account = await world.agent();
    const second = await world.agent();
    mustOk(await joinAccount(account, second));
    mustOk(await second.post(`${walletPath(account)}/keys/${account.keyId}/revoke`));
    mustRefuse(await account.get('/api/v1/me'), 401, 'key-revoked');
    assert.equal(mustOk(await second.get('/api/v1/me'))['owner'], account.account);
  });

  it('refuses a key that revokes itself, and one with a policy', async () => {
    const { alice } = world;
    const path = (keyId: string): string => `${walletPath(alice)}/keys/${keyId}/revoke`;
    mustRefuse(await alice.post(path(alice.keyId)), 400, 'wrong-state');
    const key = await limitedKey(world, alice, { perDay: '1' });
    mustRefuse(await key.post(path(alice.keyId)), 401, 'policy-forbids');
    mustRefuse(await alice.post(path(world.bob.keyId)), 404, 'not-found');
  });
});
