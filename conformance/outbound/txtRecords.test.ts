import assert from 'node:assert/strict';
import type { Resolver } from '../../workflows/kernel/outbound/resolver.ts';
import { served, type Zone } from './_dns.ts';
import { closeWorld, guard, names } from './_fixture.ts';

const NAME = '_agent.agent.example.com';

describe('outside: TXT records', () => {
  afterEach(closeWorld);
  const zone: Zone = {
    [NAME]: { txt: [['v=aid2;u=https://agent.example.com'], ['hub-key=', 'one', ' two'], ['']] },
    'alias.example.com': { cname: NAME },
    'empty.example.com': {},
  };
  const system = served(zone);

  it('come whole, with the strings of each joined', async () => {
    const outbound = guard({ resolver: system() });
    const all = ['v=aid2;u=https://agent.example.com', 'hub-key=one two', ''];
    for (const name of [NAME, 'alias.example.com']) {
      assert.deepEqual(await outbound.texts(name), { kind: 'texts', texts: all });
    }
    for (const name of ['empty.example.com', 'none.example.com']) {
      assert.deepEqual(await outbound.texts(name), { kind: 'texts', texts: [] });
    }
  });

  it('are bounded, and a name server that fails is no answer', async () => {
    const many = Array.from({ length: 200 }, (_, n) => `${n}`);
    const crowded = await guard({ resolver: names({ '*': many }) }).texts(NAME);
    assert.equal(crowded.kind === 'texts' && crowded.texts.length, 64);
    const broken: Resolver = { ...names({}), texts: () => Promise.reject(new Error('ETIMEOUT')) };
    const failed = await guard({ resolver: broken }).texts(NAME);
    assert.deepEqual([failed.kind, failed.kind === 'failed' && failed.reason], ['failed', 'dns']);
  });

  it('are given up when the hub closes', async () => {
    const hanging: Resolver = { ...names({}), texts: () => new Promise<never>(() => undefined) };
    const outbound = guard({ resolver: hanging });
    const asking = outbound.texts(NAME);
    outbound.close();
    const [first, second] = [await asking, await outbound.texts(NAME)];
    for (const end of [first, second]) {
      assert.equal(end.kind === 'failed' && end.reason, 'cancelled');
    }
  });
});
