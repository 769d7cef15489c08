import assert from 'node:assert/strict';
import log from '../../../spec/vectors/log.json' with { type: 'json' };
import time from '../../../spec/vectors/time.json' with { type: 'json' };
import { consistencyPath, leafHash, rootOf, type Hash } from '../../../domain/time/merkle.ts';
import { readVerifierKey, readCheckpoint } from '../../../domain/log/note.ts';
import { signatureOf } from './log.ts';
import { isConsistent } from './merkle.ts';
import { nodeCrypto } from './nodeCrypto.ts';
import { webCrypto } from './crypto.ts';
import { createVerifier } from './verifier.ts';

const { keys } = time;

describe('verify.logged and verify.consistent', () => {
  for (const [name, crypto] of [
    ['node:crypto', nodeCrypto],
    ['WebCrypto', webCrypto],
  ] as const) {
    const verify = createVerifier(crypto);

    it(`find every vector good (${name})`, async () => {
      for (const { case: title, object } of log.logged) {
        const found = await verify.logged(object, keys);
        assert.ok(found.ok, `${title}: ${JSON.stringify(found)}`);
        assert.deepEqual([found.leaf, found.size, found.origin], [title, 300, log.origin]);
        assert.deepEqual(await verify.file(object, keys), found);
      }
      for (const { case: title, object } of log.consistent) {
        const found = await verify.consistent(object, keys);
        assert.ok(found.ok, `${title}: ${JSON.stringify(found)}`);
        assert.equal(`${found.fromSize} to ${found.size}`, title);
        assert.deepEqual(await verify.file(object, keys), found);
      }
    });

    it(`refuse every attack with its reason, at its place (${name})`, async () => {
      for (const { case: title, object, reason, at } of log.refusals) {
        const found = await verify.file(object, keys);
        const verdict = found.ok ? ['good'] : [found.reason, found.at];
        assert.deepEqual(verdict, [reason, at], title);
      }
    });
  }

  it('find the key of the vectors as other programs write it', async () => {
    const key = readVerifierKey(log.verifierKey);
    const note = readCheckpoint(log.logged[0]?.object.proof.checkpoint ?? '');
    assert.ok(key !== undefined && note !== undefined);
    assert.equal(await signatureOf(note, key, nodeCrypto), 'good');
    assert.equal(await signatureOf(note, { ...key, type: 4 }, nodeCrypto), 'none');
  });
});

describe('consistency of two trees', () => {
  const leaves = Array.from({ length: 40 }, (_, n) => leafHash(Buffer.from(`${n}`)));
  const tree = (size: number): { size: number; root: Hash } => ({
    size,
    root: rootOf(leaves.slice(0, size)),
  });
  const path = (before: number, after: number): readonly Hash[] =>
    consistencyPath(before, after, (from, to) => rootOf(leaves.slice(from, to)));

  it('holds for every pair of sizes, and for no other path or root', async () => {
    for (let after = 0; after <= leaves.length; after += 1) {
      for (let before = 0; before <= after; before += 1) {
        const proof = path(before, after);
        const [old, now] = [tree(before), tree(after)];
        const holds = (with_: readonly Hash[], a = old, b = now) =>
          isConsistent(a, b, with_, nodeCrypto);
        assert.ok(await holds(proof), `${before} to ${after}`);
        assert.ok(!(await holds([...proof, leafHash(Buffer.from('x'))])));
        if (proof.length > 0) assert.ok(!(await holds(proof.slice(1))));
        const other = { ...old, root: leafHash(Buffer.from('other')) };
        if (before > 0) assert.ok(!(await holds(proof, other)), `fork at ${before} of ${after}`);
        const later = { ...now, root: leafHash(Buffer.from('later')) };
        if (before > 0) assert.ok(!(await holds(proof, old, later)));
        if (before < after && before > 0) assert.ok(!(await holds(proof, now, old)), 'a rollback');
      }
    }
  });
});
