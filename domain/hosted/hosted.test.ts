import assert from 'node:assert/strict';
import { keyIdOf } from '../account.ts';
import { listOf } from '../jsonObject.ts';
import { listingCode } from '../registry/code.ts';
import { hostedAddresses, isHostedAddress } from './agent.ts';
import { CALLS_A_MINUTE, CALLS_A_MINUTE_PER_CALLER, CALLS_AT_ONCE, openPace } from './pace.ts';
import { strippedResult } from './result.ts';

describe('the addresses of a hosted agent', () => {
  const keyId = keyIdOf(new Uint8Array(32).fill(9));

  it('are below its key, at the origin of the hub', () => {
    const base = `https://hub.example/hosted/${keyId}`;
    assert.deepEqual(hostedAddresses('https://hub.example', keyId), {
      listingId: listingCode('mcp', 'https://hub.example', `/hosted/${keyId}/mcp`),
      origin: 'https://hub.example',
      mcp: `${base}/mcp`,
      a2a: `${base}/a2a`,
      card: `${base}/.well-known/agent-card.json`,
    });
  });

  it('keep the path that the hub itself has', () => {
    const { listingId, origin, mcp } = hostedAddresses('https://host.example/hub', keyId);
    assert.equal(mcp, `https://host.example/hub/hosted/${keyId}/mcp`);
    const path = `/hub/hosted/${keyId}/mcp`;
    assert.deepEqual(
      [listingId, origin],
      [listingCode('mcp', origin, path), 'https://host.example'],
    );
  });

  it('are known as such, whatever the key', () => {
    const known = (url: string): boolean => isHostedAddress('https://hub.example', url);
    assert.ok(known('https://hub.example/hosted/x'));
    for (const url of [
      'https://hub.example/hosted',
      'https://hub.example/api/v1/hosted/x',
      'https://other.example/hosted/x',
    ]) {
      assert.ok(!known(url), url);
    }
  });
});

describe('the pace of calls to a hosted agent', () => {
  const openEntry = (isCounted?: boolean) => {
    const pace = openPace(isCounted);
    return (agent: string, caller: string, now = 0): string => {
      const place = pace.enter(agent, caller, now);
      if ('full' in place) return place.full;
      place.leave();
      return 'in';
    };
  };
  const OWN = 'At most 120 calls a minute to one agent.';
  const ALL = 'This agent is called 1200 times a minute at most.';

  it('has 120 calls a minute for a caller, of each agent', () => {
    const enter = openEntry();
    for (let n = 1; n <= CALLS_A_MINUTE_PER_CALLER; n += 1) assert.equal(enter('x', 'a'), 'in');
    assert.deepEqual([enter('x', 'a'), enter('y', 'a'), enter('x', 'b')], [OWN, 'in', 'in']);
  });

  it('has 1,200 calls a minute for all callers, and all of them again in the next', () => {
    const enter = openEntry();
    for (let n = 0; n < CALLS_A_MINUTE; n += 1) assert.equal(enter('x', `${n % 10}`), 'in');
    assert.deepEqual([enter('x', 'late'), enter('y', 'late')], [ALL, 'in']);
    assert.equal(enter('x', 'late', 60_000), 'in');
  });

  it('counts no call that was refused', () => {
    const pace = openPace();
    const places = Array.from({ length: CALLS_AT_ONCE }, () => pace.enter('x', 'a', 0));
    const full = { full: 'This agent has 16 calls under way; try again shortly.' };
    for (let n = 0; n < CALLS_A_MINUTE; n += 1) assert.deepEqual(pace.enter('x', 'a', 0), full);
    for (const place of places) if ('leave' in place) place.leave();
    for (let n = CALLS_AT_ONCE; n < CALLS_A_MINUTE_PER_CALLER; n += 1) {
      const place = pace.enter('x', 'a', 0);
      assert.ok('leave' in place, `${n}`);
      place.leave();
    }
    assert.deepEqual(pace.enter('x', 'a', 0), { full: OWN });
  });

  it('gives a place back for each call that ends, in any minute', () => {
    const pace = openPace();
    const places = Array.from({ length: CALLS_AT_ONCE }, () => pace.enter('x', 'a', 0));
    assert.ok('full' in pace.enter('x', 'a', 60_000));
    for (const place of places.slice(0, 2)) if ('leave' in place) place.leave();
    assert.ok('leave' in pace.enter('x', 'a', 60_000));
    assert.ok('leave' in pace.enter('x', 'a', 60_000));
    assert.ok('full' in pace.enter('x', 'a', 60_000));
  });

  it('counts nothing where rate limits are off', () => {
    const enter = openEntry(false);
    for (let n = 0; n <= CALLS_A_MINUTE; n += 1) assert.equal(enter('x', 'a'), 'in');
  });

  it('has 16 calls to one agent at once, over all callers, counted or not', () => {
    for (const pace of [openPace(), openPace(false)]) {
      for (let n = 0; n < CALLS_AT_ONCE; n += 1) assert.ok('leave' in pace.enter('x', `${n}`, 0));
      assert.ok('full' in pace.enter('x', 'late', 0));
      assert.ok('leave' in pace.enter('y', 'late', 0));
    }
  });

  it('counts 20,000 agents and callers of a minute, and then begins again', () => {
    const enter = openEntry();
    for (let n = 1; n <= CALLS_A_MINUTE_PER_CALLER; n += 1) enter('x', 'a');
    for (let n = 2; n <= 10_000; n += 1) enter(`${n}`, 'b');
    assert.equal(enter('x', 'a'), OWN);
    enter('further', 'b');
    assert.equal(enter('x', 'a'), 'in');
  });
});

describe('a result that goes out under the hub', () => {
  const stripped = (...content: readonly unknown[]) =>
    listOf(strippedResult({ content })['content']);

  it('has the members that its protocol gives each kind of content', () => {
    const extra = { _meta: {}, annotations: {}, other: 1 };
    const link = { uri: 'https://x.example/', name: 'x', title: 'X', description: 'It.' };
    const pieces = [
      { type: 'text', text: 'a' },
      { type: 'image', data: 'aa', mimeType: 'image/png' },
      { type: 'audio', data: 'aa', mimeType: 'audio/wav' },
      { type: 'resource_link', ...link, mimeType: 'text/plain', size: 5 },
      { type: 'resource', resource: { uri: 'x:1', mimeType: 'text/plain', text: 'a', blob: 'b' } },
    ];
    assert.deepEqual(stripped(...pieces.map((piece) => ({ ...piece, ...extra }))), pieces);
    const resource = { uri: 'x:1', text: 'a', ...extra };
    assert.deepEqual(stripped({ type: 'resource', resource }), [
      { type: 'resource', resource: { uri: 'x:1', text: 'a' } },
    ]);
    assert.deepEqual(stripped({ type: 'resource', resource: 'a' }), [
      { type: 'resource', resource: {} },
    ]);
  });

  it('has no piece of another kind', () => {
    const odd = [null, 'text', { text: 'a' }, { type: 5 }, { type: 'toString' }, { type: 'html' }];
    assert.deepEqual(stripped(...odd), []);
  });

  it('has no address that a client would act on', () => {
    for (const scheme of ['javascript', 'vbscript', 'data', 'ui', 'file', 'blob', '\t Data']) {
      const uri = `${scheme}:x`;
      const acting = [
        { type: 'resource_link', uri },
        { type: 'resource', resource: { uri } },
      ];
      assert.deepEqual(stripped(...acting), [], scheme);
    }
    for (const uri of ['https://x.example/', 'database:x', 'x-data:y', '/file:x']) {
      assert.deepEqual(stripped({ type: 'resource_link', uri }).length, 1, uri);
    }
  });

  it('has a thousand pieces at most', () => {
    const piece = { type: 'text', text: 'a' };
    assert.equal(stripped(...Array.from({ length: 1_001 }, () => piece)).length, 1_000);
  });

  it('is an error only when it says true, and has a structure only when it is an object', () => {
    const whole = { content: [], structuredContent: { a: 1 }, isError: true };
    assert.deepEqual(strippedResult({ ...whole, _meta: { a: 1 } }), whole);
    const given = { content: 'a', structuredContent: [1], isError: 'yes', nextCursor: 'x' };
    assert.deepEqual(strippedResult(given), { content: [] });
    assert.deepEqual(strippedResult(null), { content: [] });
  });
});
