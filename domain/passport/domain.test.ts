import assert from 'node:assert/strict';
import type { KeyId } from '../account.ts';
import { instant } from '../instant.ts';
import {
  afterLook,
  namesBoth,
  outcomeFor,
  provedBy,
  rule,
  type ProofLook,
  type ProvedDomain,
} from './domain.ts';
import type { ProofMethod } from './proof.ts';

const [ALICE, BOB] = ['alice', 'bob'] as unknown as readonly [KeyId, KeyId];
const DAY = 86_400_000;
const NOW = instant(Date.parse('2026-11-20T10:00:00Z'));
const at = (days: number) => instant(NOW + days * DAY);

const look = (method: ProofMethod, saw: ProofLook['state'] | readonly KeyId[]): ProofLook => ({
  method,
  asked: method,
  state: typeof saw === 'string' ? saw : 'read',
  keys: typeof saw === 'string' ? [] : saw,
  durationMs: 1,
});
const held = (over: Partial<ProvedDomain> = {}): ProvedDomain => ({
  domain: 'agent.example',
  keyId: ALICE,
  origin: 'https://agent.example',
  method: 'dns',
  provedAt: NOW,
  lastConfirmedAt: NOW,
  nextCheckAt: at(1),
  ...over,
});

describe('a look for a proof', () => {
  it('means something for the key that is asked about', () => {
    const both = look('dns', [ALICE, BOB]);
    assert.deepEqual([outcomeFor(both, BOB), outcomeFor(both, undefined)], ['found', 'found']);
    assert.equal(outcomeFor(look('dns', [BOB]), ALICE), 'other-key');
    assert.equal(outcomeFor(look('dns', []), ALICE), 'absent');
    for (const state of ['absent', 'malformed', 'unreachable'] as const) {
      assert.equal(outcomeFor(look('dns', state), ALICE), state);
    }
  });

  it('keeps the method while that stands, and prefers records', () => {
    const looks = [look('well-known', [ALICE]), look('dns', [ALICE])];
    assert.equal(provedBy(looks, ALICE), 'dns');
    assert.equal(provedBy(looks, ALICE, 'well-known'), 'well-known');
    assert.equal(provedBy(looks, BOB), undefined);
  });
});

describe('a domain that is held', () => {
  it('is confirmed by either method, and what was missing is no more', () => {
    const looks = [look('dns', 'absent'), look('well-known', [ALICE])];
    assert.deepEqual(afterLook(held({ missingSince: NOW }), looks, at(3)), {
      ...held(),
      method: 'well-known',
      lastConfirmedAt: at(3),
      nextCheckAt: at(4),
    });
  });

  it('is missing when its place could be read, and let go after a week', () => {
    const gone = [look('dns', [BOB]), look('well-known', 'unreachable')];
    const missing = afterLook(held(), gone, at(1));
    assert.deepEqual([missing?.missingSince, missing?.nextCheckAt], [at(1), at(1.25)]);
    const since = held({ missingSince: at(1) });
    assert.equal(afterLook(since, gone, at(7.9))?.missingSince, at(1));
    assert.equal(afterLook(since, gone, at(8)), undefined);
  });

  it('is not changed by an inconclusive look', () => {
    const since = held({ missingSince: at(1) });
    const elsewhere = look('well-known', 'absent');
    for (const silent of [
      [look('dns', 'unreachable'), elsewhere],
      [elsewhere, look('dns', 'unreachable')],
      [elsewhere],
    ]) {
      assert.deepEqual(afterLook(since, silent, at(30)), { ...since, nextCheckAt: at(30.25) });
    }
  });
});

describe('who holds a domain after a check', () => {
  const check = (looks: readonly ProofLook[], asked?: KeyId) => ({
    domain: 'agent.example',
    origin: 'https://agent.example',
    looks,
    ...(asked !== undefined && { asked }),
  });

  it('is the key that proves it first, if that was asked', () => {
    const looks = [look('dns', [BOB])];
    assert.deepEqual(rule(undefined, check(looks), NOW), { left: false, contested: false });
    assert.deepEqual(rule(undefined, check(looks, ALICE), NOW), { left: false, contested: false });
    const holder = held({ keyId: BOB });
    const ruling = { holder, left: false, contested: false };
    assert.deepEqual(rule(undefined, check(looks, BOB), NOW), ruling);
  });

  it('is the same key when its holder asks again', () => {
    const { holder, ...rest } = rule(held(), check([look('dns', [ALICE])], ALICE), at(1));
    assert.deepEqual([holder?.provedAt, holder?.lastConfirmedAt], [NOW, at(1)]);
    assert.deepEqual(rest, { left: false, contested: false });
  });

  it('is the next one once the proof before is seen to be gone', () => {
    const moves: readonly (readonly [ProofLook['state'] | readonly KeyId[], boolean])[] = [
      ['absent', true],
      ['malformed', true],
      [[BOB], true],
      [[ALICE], false],
      [[ALICE, BOB], false],
      ['unreachable', false],
    ];
    for (const [saw, isMoved] of moves) {
      const looks = [look('dns', saw), look('well-known', [BOB])];
      const { holder, left, contested } = rule(held(), check(looks, BOB), NOW);
      const expected = isMoved ? [BOB, true, false] : [ALICE, false, true];
      assert.deepEqual([holder?.keyId, left, contested], expected, String(saw));
    }
  });

  it('is absent after a week without a proof, for every key that asks', () => {
    const looks = [look('dns', 'absent')];
    const ruling = rule(held({ missingSince: at(-8) }), check(looks), NOW);
    assert.deepEqual(ruling, { left: true, contested: false });
  });
});

describe('a check that links two accounts', () => {
  const [records, document] = [look('dns', [ALICE]), look('well-known', [BOB])];
  const both = (
    holder: ProvedDomain | undefined,
    asked: KeyId | undefined,
    ...looks: ProofLook[]
  ) =>
    namesBoth(
      { ...(holder && { holder }) },
      { domain: 'agent.example', origin: 'https://agent.example', looks, ...(asked && { asked }) },
    );

  it('finds the keys of the holder and of the signer at the same time', () => {
    assert.equal(both(held(), BOB, records, document), true);
    assert.equal(both(held(), BOB, look('dns', [ALICE, BOB])), true);
    assert.equal(both(held(), BOB, records), false, 'the signer is not named');
    assert.equal(both(held(), BOB, document), false, 'the holder is not named');
    assert.equal(both(held(), BOB), false);
  });

  it('has a holder, and a signer that is another key', () => {
    assert.equal(both(undefined, BOB, records, document), false);
    assert.equal(both(held(), undefined, records, document), false);
    assert.equal(both(held(), ALICE, records), false);
  });
});
