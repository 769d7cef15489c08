import assert from 'node:assert/strict';
import { fakeClock } from '../../conformance/harness/clock.ts';
import { readingsOf } from '../../domain/time/clockCheck.ts';
import { openPeerClocks, type PeerClocks } from './peerClocks.ts';

const PEER = 'https://facilitator.example/settle';

describe('the clocks of peers', () => {
  const clock = fakeClock(Date.parse('2026-11-20T10:00:00Z'));
  const open = (): PeerClocks =>
    openPeerClocks(clock, { models: [], crawlFeeds: [], x402Facilitator: PEER });
  const dated = (date: string, more: readonly [string, string][] = []) =>
    new Map([['date', [date]] as const, ...more.map(([name, value]) => [name, [value]] as const)]);
  const compared = (peers: PeerClocks) =>
    readingsOf(peers.read(), { now: clock.now(), elapsedMs: clock.elapsedMs() });
  const NOW = 'Fri, 20 Nov 2026 10:00:00 GMT';

  it('are read from the Date of answers, to half a second and half of the wait', () => {
    const peers = open();
    peers.note({ url: PEER, headers: dated(NOW), waitedMs: 200 });
    assert.deepEqual(compared(peers), [
      { reference: 'facilitator.example', kind: 'peer', aheadMs: -600, errorMs: 600 },
    ]);
  });

  it('show a clock that is set after the answer', () => {
    const peers = open();
    peers.note({ url: PEER, headers: dated(NOW), waitedMs: 0 });
    clock.jump(600_000);
    assert.equal(compared(peers)[0]?.aheadMs, 599_500);
    clock.jump(-600_000);
  });

  it('are forgotten ten minutes after the last answer', () => {
    const peers = open();
    peers.note({ url: PEER, headers: dated(NOW), waitedMs: 0 });
    clock.advance(599);
    assert.equal(peers.read().length, 1);
    clock.advance(1);
    assert.deepEqual(peers.read(), []);
    clock.jump(-600_000);
  });

  it('count only for addresses of the operator, with a date that is no cached one', () => {
    const peers = open();
    for (const [url, headers] of [
      ['https://agent.example/mcp', dated(NOW)],
      ['https://facilitator.example.attacker.example/', dated(NOW)],
      [PEER, dated(NOW, [['age', '7']])],
      [PEER, dated('yesterday')],
      [PEER, new Map<string, readonly string[]>()],
      ['no address', dated(NOW)],
    ] as const) {
      peers.note({ url, headers, waitedMs: 0 });
    }
    assert.deepEqual(peers.read(), []);
  });
});
