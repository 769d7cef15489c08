import assert from 'node:assert/strict';
import { listedSkill, probedListing } from '../../db/registry/fixture.ts';
import { atomic } from '../money.ts';
import { changesBetween } from './changes.ts';
import type { ListedSkill, Price, ProbedListing } from './listing.ts';

const price = (amount: bigint, over: Partial<Price> = {}): Price => ({
  amount: atomic(amount),
  asset: 'USDC',
  network: 'base',
  payTo: '0x1',
  ...over,
});
const ofListing = (before: Partial<ProbedListing>, after: Partial<ProbedListing>) =>
  changesBetween(
    { listing: probedListing(before), skills: [] },
    { listing: probedListing(after), skills: [] },
  );
const ofSkills = (before: readonly ListedSkill[], after: readonly ListedSkill[]) =>
  changesBetween(
    { listing: probedListing(), skills: before },
    { listing: probedListing(), skills: after },
  );
const ofSkill = (before: Partial<ListedSkill>, after: Partial<ListedSkill>) =>
  ofSkills([listedSkill('t', before)], [listedSkill('t', after)]);

describe('the changes of a listing', () => {
  it('name each field with its old and new value', () => {
    const before = { name: 'A', description: 'old', version: '1', provider: 'P' };
    const { description: _gone, ...rest } = before;
    const after = { ...rest, endpoint: 'https://agent.example/2', access: 'paid', version: '2' };
    assert.deepEqual(ofListing(before, after as Partial<ProbedListing>), [
      {
        path: 'endpoint',
        change: 'changed',
        before: 'https://agent.example/mcp',
        after: 'https://agent.example/2',
      },
      { path: 'description', change: 'removed', before: 'old' },
      { path: 'version', change: 'changed', before: '1', after: '2' },
      { path: 'access', change: 'changed', before: 'open', after: 'paid' },
    ]);
    const others = { transport: 'sse', protocolVersion: '2', name: 'B', provider: 'Q' };
    assert.deepEqual(
      ofListing({ name: 'A', provider: 'P' }, others).map(({ path }) => path),
      ['transport', 'protocolVersion', 'name', 'provider'],
    );
    assert.deepEqual(ofListing({}, { latencyMs: 1, uptimeBps: 1 }), []);
  });

  it('show the first 400 characters', () => {
    const [change] = ofListing({ name: 'a'.repeat(500) }, { name: 'b'.repeat(500) });
    assert.deepEqual([change?.before, change?.after], ['a'.repeat(400), 'b'.repeat(400)]);
  });

  it('are a hundred at most', () => {
    const skills = Array.from({ length: 150 }, (_, nth) => listedSkill(`t${nth}`));
    assert.equal(ofSkills([], skills).length, 100);
  });
});

describe('the changes of its tools', () => {
  it('are those that came and went', () => {
    const [a, b] = [listedSkill('a'), listedSkill('b', { description: '' })];
    assert.deepEqual(ofSkills([a], [b]), [
      { path: 'tools/b', change: 'added', after: '-' },
      { path: 'tools/a', change: 'removed', before: 'What a does.' },
    ]);
    assert.deepEqual(ofSkills([b], [a]), [
      { path: 'tools/a', change: 'added', after: 'What a does.' },
      { path: 'tools/b', change: 'removed', before: '-' },
    ]);
    assert.deepEqual(ofSkills([a, b], [b, a]), []);
  });

  it('are of its texts when its descriptor changed', () => {
    const before = { description: 'old', inputSchema: { a: 1 }, descriptorHash: '1' };
    const after = { description: 'new', inputSchema: { a: 2 }, outputSchema: {} };
    const path = 'tools/t';
    assert.deepEqual(ofSkill(before, { ...after, descriptorHash: '2' }), [
      { path: `${path}/description`, change: 'changed', before: 'old', after: 'new' },
      { path: `${path}/inputSchema`, change: 'changed', before: '{"a":1}', after: '{"a":2}' },
      { path: `${path}/outputSchema`, change: 'added', after: '{}' },
    ]);
    assert.deepEqual(ofSkill(before, { ...after, descriptorHash: '1' }), []);
  });

  it('are of its access and price, but not by a first measurement', () => {
    const path = 'tools/t';
    const paid = { access: 'paid', price: price(5n) } as const;
    assert.deepEqual(ofSkill({}, paid), []);
    assert.deepEqual(ofSkill({ access: 'open' }, paid), [
      { path: `${path}/access`, change: 'changed', before: 'open', after: 'paid' },
      { path: `${path}/price`, change: 'added', after: '5 USDC base' },
    ]);
    assert.deepEqual(ofSkill(paid, { ...paid, price: price(6n, { payTo: '0x2' }) }), [
      { path: `${path}/price`, change: 'changed', before: '5 USDC base', after: '6 USDC base' },
      { path: `${path}/payTo`, change: 'changed', before: '0x1', after: '0x2' },
    ]);
    assert.deepEqual(ofSkill(paid, { access: 'unknown' }), [
      { path: `${path}/price`, change: 'removed', before: '5 USDC base' },
    ]);
    const { network: _network, ...nowhere } = price(5n);
    assert.deepEqual(ofSkill(paid, { ...paid, price: nowhere }), [
      { path: `${path}/price`, change: 'changed', before: '5 USDC base', after: '5 USDC' },
    ]);
  });
});
