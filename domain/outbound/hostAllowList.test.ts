import assert from 'node:assert/strict';
import { hostPair, HOST_ALLOW_LIST_MAX, parseHostAllowList } from './hostAllowList.ts';

const pairsIn = (text: string): readonly string[] | undefined => {
  const found = parseHostAllowList(text);
  return found && [...found];
};

describe('the pairs that an operator opened', () => {
  it('are hosts with their ports, in one spelling', () => {
    assert.deepEqual(pairsIn(''), []);
    assert.deepEqual(pairsIn(' , ,'), []);
    assert.deepEqual(pairsIn(' Agents.LAN:8080 ,[::1]:4030,, 127.0.0.1:1,a_b-c:65535'), [
      'agents.lan:8080',
      '[::1]:4030',
      '127.0.0.1:1',
      'a_b-c:65535',
    ]);
    assert.equal(hostPair('agents.lan', 8_080), 'agents.lan:8080');
  });

  it('are none at all when one of them is bad', () => {
    const bad = [
      ...['agents.lan', ':8080', 'agents.lan:', 'agents.lan:0', 'agents.lan:08', 'agents.lan:x'],
      ...['agents.lan:65536', 'agents.lan:123456', 'a:80:80', 'http://agents.lan:80', 'a/b:80'],
      ...['agents.lan.:8080', '0x7f.1:80', '127.1:80', '[0::1]:80', '[::1:80', '::1:80', 'é:80'],
      ...['a b:80', 'xagents.lan:80 y', '[::g]:80', '1.2.3.256:80', '[]:80', '*.lan:80'],
    ];
    for (const entry of bad) {
      assert.equal(pairsIn(entry), undefined, entry);
      assert.equal(pairsIn(`good.lan:80,${entry}`), undefined, entry);
    }
  });

  it('are at most 200', () => {
    const list = (count: number): string =>
      Array.from({ length: count }, (_, n) => `a${n}.lan:80`).join(',');
    assert.equal(pairsIn(`${list(HOST_ALLOW_LIST_MAX)},,`)?.length, 200);
    assert.equal(pairsIn(list(201)), undefined);
  });
});
