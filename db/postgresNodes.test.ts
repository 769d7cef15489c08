import { strict as assert } from 'node:assert';
import { nodeUrls, openNodes } from './postgresNodes.ts';

describe('nodes of a PostgreSQL', () => {
  const cases: readonly (readonly [string, readonly string[]])[] = [
    ['postgres://u:p@a/hub', ['postgres://u:p@a/hub']],
    [
      'postgres://u:p@a,b:5433/hub?sslmode=require',
      ['postgres://u:p@a/hub?sslmode=require', 'postgres://u:p@b:5433/hub?sslmode=require'],
    ],
    [
      'postgresql://a:1,b:2,c:3/hub',
      ['postgresql://a:1/hub', 'postgresql://b:2/hub', 'postgresql://c:3/hub'],
    ],
    [
      'postgres://u@localhost/hub?host=%2Frun%2Fa,%2Frun%2Fb',
      ['postgres://u@localhost/hub?host=%2Frun%2Fa', 'postgres://u@localhost/hub?host=%2Frun%2Fb'],
    ],
  ];
  for (const [url, nodes] of cases) {
    it(`are ${nodes.length} of ${url}`, () => assert.deepEqual(nodeUrls(url), nodes));
  }

  it('are used in turn, each until it is left', () => {
    const nodes = openNodes('postgres://a,b/hub');
    assert.equal(nodes.current(), 'postgres://a/hub');
    nodes.leave('postgres://a/hub');
    nodes.leave('postgres://a/hub');
    assert.equal(nodes.current(), 'postgres://b/hub');
    nodes.leave('postgres://b/hub');
    assert.equal(nodes.current(), 'postgres://a/hub');
  });

  it('are left out while they rest, unless all of them do', () => {
    const nodes = openNodes('postgres://a,b,c/hub');
    nodes.rest('postgres://a/hub');
    assert.equal(nodes.current(), 'postgres://b/hub');
    nodes.leave('postgres://b/hub');
    nodes.leave('postgres://c/hub');
    assert.equal(nodes.current(), 'postgres://b/hub');
    for (const name of ['b', 'c']) nodes.rest(`postgres://${name}/hub`);
    const all = [1, 2, 3].map(() => {
      const url = nodes.current();
      nodes.leave(url);
      return url;
    });
    assert.equal(new Set(all).size, 3);
  });
});
