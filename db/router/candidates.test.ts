import { strict as assert } from 'node:assert';
import { onBothDatabases } from '../../conformance/harness/databases.ts';
import { person } from '../../conformance/ledger/book.ts';
import { parseKeyId, type Account, type KeyId } from '../../domain/account.ts';
import { instant } from '../../domain/instant.ts';
import { addDomain } from '../passport/domains.ts';
import { takeListing } from '../passport/listings.ts';
import { savePassport } from '../passport/passports.ts';
import { listedSkill, probedListing } from '../registry/fixture.ts';
import { saveListing } from '../registry/listings.ts';
import type { Store } from '../store.ts';
import { bindKey } from '../wallet/keys.ts';
import { candidateNamed, offering } from './candidates.ts';

const AT = instant(Date.parse('2026-11-22T10:00:00Z'));

onBothDatabases('who is paid for a call (Router rule 8)', (open) => {
  let store: Store;
  before(async () => {
    store = await open();
  });

  /** A key with a passport, and the domains that it proved. */
  const holder = async (...domains: readonly string[]): Promise<[Account, KeyId]> => {
    const account = person();
    const keyId = parseKeyId(account.slice('key:'.length));
    assert.ok(keyId);
    await store.write(async (tx) => {
      await bindKey(tx, keyId, account, AT);
      await savePassport(tx, { keyId, createdAt: AT });
      for (const domain of domains) {
        const checked = { provedAt: AT, lastConfirmedAt: AT, nextCheckAt: AT };
        const origin = `https://${domain}`;
        await addDomain(tx, { domain, keyId, origin, method: 'dns', ...checked });
      }
    });
    return [account, keyId];
  };

  /** A listing of one tool: its card is at one host, and names an address at another. */
  const listed = (card: string, called: string, tool: string, by?: KeyId): Promise<string> => {
    const listing = probedListing({ origin: `https://${card}`, endpoint: `https://${called}/mcp` });
    return store.write(async (tx) => {
      await saveListing(tx, { listing, skills: [listedSkill(tool)] });
      if (by !== undefined) await takeListing(tx, listing.id, { keyId: by, proof: 'dns', at: AT });
      return listing.id;
    });
  };
  const ownerOf = async (id: string, tool: string): Promise<Account | undefined> =>
    (await store.read((db) => candidateNamed(db, id, tool)))?.owner;

  it('is the holder of the domain that is called', async () => {
    const [account, keyId] = await holder('one.example');
    const id = await listed('one.example', 'one.example', 'own', keyId);
    assert.equal(await ownerOf(id, 'own'), account);
    assert.equal(
      await ownerOf(await listed('free.example', 'free.example', 'none'), 'none'),
      undefined,
    );
  });

  it('is absent where the card names an address of another holder', async () => {
    const [, mine] = await holder('card.example');
    await holder('stranger.example');
    for (const called of ['stranger.example', 'unproved.example', 'card.example:8443']) {
      const tool = `at_${called}`;
      assert.equal(
        await ownerOf(await listed('card.example', called, tool, mine), tool),
        undefined,
      );
    }
  });

  it('is the holder of both domains, also beside other listings in one query', async () => {
    const [account, both] = await holder('cards.example', 'calls.example');
    const [other, theirs] = await holder('else.example');
    const split = await listed('cards.example', 'calls.example', 'shared', both);
    const plain = await listed('calls.example', 'calls.example', 'shared', both);
    const apart = await listed('else.example', 'calls.example', 'shared', theirs);
    const found = await store.read((db) => offering(db, 'shared'));
    const owners = new Map(found.map(({ listingId, owner }) => [listingId, owner]));
    assert.deepEqual(
      [split, plain, apart].map((id) => owners.get(id)),
      [account, account, undefined],
    );
    assert.equal(found.find(({ listingId }) => listingId === apart)?.holder, other);
  });
});
