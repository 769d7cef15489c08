import assert from 'node:assert/strict';
import { createPublicKey, verify } from 'node:crypto';
import { auditSeals } from '../../db/ledger/sealAudit.ts';
import { readSeal } from '../../db/ledger/seals.ts';
import type { VerifySeal } from '../../domain/ledger/sealCheck.ts';
import type { Writer } from '../../db/store.ts';
import { DATABASES } from '../harness/databases.ts';
import { openFixture, type Fixture } from '../harness/fixture.ts';

/** Seals against an attacker who can write to the database and does not have the hub's key. */
const START_MS_MAX = 30_000;

class Undone extends Error {}

for (const [name, url] of DATABASES) {
  describe(`the audit of the seals (${name})`, function suite() {
    this.timeout(START_MS_MAX);
    let world: Fixture;
    let check: VerifySeal;
    before(async () => {
      world = await openFixture({ databaseUrl: await url() });
      for (let block = 0; block < 3; block += 1) {
        await world.fund(world.alice, '1000');
        await world.fund(world.bob, '2000');
        await world.hub.runJob('sealJournal');
        world.hub.clock.advance(60);
        await world.hub.runJob('pulse');
      }
      await world.hub.runJob('sealJournal');
      const { keys } = world.hub.running.hub;
      check = (keyId, message, signature) => {
        const own = keys.current();
        const x = Buffer.from(own.publicKey).toString('base64url');
        const jwk = { kty: 'OKP', crv: 'Ed25519', x };
        const key = createPublicKey({ key: jwk, format: 'jwk' });
        return own.keyId === keyId && verify(null, message, key, Buffer.from(signature, 'base64'));
      };
    });
    after(() => world.close());

    /**
     * Returns the audit's findings while a change is in the database; the change is rolled back.
     */
    const findingsAfter = async (
      change: (tx: Writer) => Promise<unknown>,
    ): Promise<readonly string[]> => {
      let findings: readonly string[] = [];
      await world.hub.running.hub.store
        .write(async (tx) => {
          await change(tx);
          findings = (await auditSeals(tx, check)).differences.map(
            ({ says, found }) => `${found['block']}: ${says}`,
          );
          throw new Undone();
        })
        .catch((error: unknown) => assert.ok(error instanceof Undone, String(error)));
      return findings;
    };

    it('finds nothing where nothing was touched', async () => {
      const { store } = world.hub.running.hub;
      const { differences, blocks, sealedUpTo } = await store.read((db) => auditSeals(db, check));
      assert.deepEqual(differences, []);
      assert.equal(blocks, 3);
      assert.ok(sealedUpTo >= 6);
    });

    const root = 'the transfers of a block have its root';
    const changes: readonly (readonly [
      what: string,
      change: (tx: Writer) => Promise<unknown>,
      says: readonly string[],
    ])[] = [
      [
        'a memo written later',
        ({ knex }) =>
          knex('transfers')
            .where({ seq: newestOf(1) })
            .update({ memo: 'never said' }),
        [`1: ${root}`],
      ],
      [
        'an amount changed with all that follows from it',
        ({ knex }) =>
          knex('entries')
            .where({ transfer_seq: newestOf(2) })
            .increment('posted_after', 1),
        [`2: ${root}`],
      ],
      [
        'a block that names other transfers',
        ({ knex }) =>
          knex.raw(`UPDATE seals SET body = replace(body, '"count":2', '"count":3')
          WHERE block_no = 1`),
        [
          '1: the digest of a block is that of its bytes',
          '1: a block is signed by a key of the hub',
          '1: a block has the transfers that it counted',
        ],
      ],
      [
        'a block under another digest',
        ({ knex }) =>
          knex('seals')
            .where({ block_no: 1 })
            .update({ digest: 'ab'.repeat(32) }),
        [
          '1: the digest of a block is that of its bytes',
          '1: a block leads to the pulse that stamped it',
          '2: a block names the one before',
        ],
      ],
      [
        'a block stamped elsewhere',
        ({ knex }) => knex('seals').where({ block_no: 1 }).update({ pulse_seq: 0 }),
        ['1: a block leads to the pulse that stamped it'],
      ],
      [
        'another signature',
        ({ knex }) =>
          knex('seals')
            .where({ block_no: 1 })
            .update({ signature: knex('seals').select('signature').where({ block_no: 0 }) }),
        ['1: a block is signed by a key of the hub'],
      ],
    ];
    // Block 0 has what the hub issued to itself at its start; two transfers follow in each.
    const newestOf = (block: number): number => firstBlockEnd + 2 * block;
    let firstBlockEnd = 0;
    before(async () => {
      const { store } = world.hub.running.hub;
      firstBlockEnd = await store.read(async (db) => (await readSeal(db, 0))?.seal.body.toSeq ?? 0);
    });
    for (const [what, change, says] of changes) {
      it(`finds ${what}`, async () => {
        assert.deepEqual(await findingsAfter(change), says);
      });
    }
  });
}
