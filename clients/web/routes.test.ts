import assert from 'node:assert/strict';
import { isOurs, pathTo, routeOf } from './routes.ts';
import { fileOf } from './trust/fileOf.ts';

const ID = '01a20595-f4f9-70ff-90fe-0d18094d68eb';

describe('addresses of pages', () => {
  it('name their page', () => {
    const plain = {
      '/': 'home',
      '/app': 'home',
      '/app/': 'home',
      '/app/account': 'account',
      '/app/trust/': 'trust',
      '/app/account/storage': 'storage',
      '/app/account/money': 'money',
      '/app/account/keys': 'keys',
      '/app/account/work': 'ownWork',
      '/app/account/listings': 'listings',
      '/app/account/webhooks': 'webhooks',
      '/app/account/other': 'unknown',
      '/app/account/storage/': 'storage',
    };
    for (const [path, page] of Object.entries(plain)) assert.equal(routeOf(path, '').page, page);
    assert.deepEqual(routeOf(`/app/work/${ID}`, ''), { page: 'task', id: ID });
    assert.deepEqual(routeOf('/app/agents/d37dfc754476184b', ''), {
      page: 'agent',
      id: 'd37dfc754476184b',
    });
    assert.deepEqual(routeOf(`/app/judges/${ID}`, ''), { page: 'judge', id: ID });
  });

  it('lead back to where they were made', () => {
    const path = pathTo('work', { state: 'paid', skill: 'a b&c', mode: '', after: undefined });
    const { pathname, search } = new URL(path, 'http://hub.example');
    const route = routeOf(pathname, search);
    assert.ok(route.page === 'work');
    assert.deepEqual({ ...route.query }, { state: 'paid', skill: 'a b&c' });
    assert.equal(pathTo(''), '/');
  });

  it('are no page when they name none, whatever is in them', () => {
    const none = [
      '//',
      '/application',
      '/app/constructor',
      '/app/__proto__',
      '/app/toString/x',
      '/app/work/a/b',
      '/app/work/..',
      '/app/work/%2e%2e',
      '/app/account/x',
      '/app/account/storage/x',
      '/app//work',
      `/app/work/${'a'.repeat(129)}`,
      '/app/work/<script>',
    ];
    for (const path of none) assert.equal(routeOf(path, '').page, 'unknown', path);
  });

  it('take no member of an object for a filter', () => {
    const route = routeOf('/app/work', '?__proto__=x&state=paid&state=open');
    assert.ok(route.page === 'work');
    assert.equal(Object.getPrototypeOf(route.query), null);
    assert.equal(route.query['state'], 'paid');
    assert.equal(route.query['toString'], undefined);
  });

  it('are followed without a new page only when they are ours', () => {
    const origin = 'https://hub.example';
    const ours = (href: string): boolean => isOurs(new URL(href, origin), origin);
    for (const href of ['/', '/app', '/app/work?state=paid']) assert.ok(ours(href), href);
    for (const href of ['/docs', '/appx', '/app/assets/a.js', 'https://other.example/app/work']) {
      assert.equal(ours(href), false, href);
    }
  });
});

describe('what is dropped on the page of trust', () => {
  it('is a list of keys, something to check, or neither', () => {
    assert.equal(fileOf('{"hub":"h","count":0,"keys":[]}').kind, 'keys');
    assert.equal(fileOf('{"body":{},"keys":[]}').kind, 'object');
    assert.equal(fileOf('[{"body":{}}]').kind, 'object');
    for (const text of ['', '{', '1', 'null', '"keys"'])
      assert.equal(fileOf(text).kind, 'none', text);
  });
});
