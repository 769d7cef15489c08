import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { contractOf } from '../../typescript/cli/contractOf.ts';
import { addressOf, callable, type Callable } from './operation.ts';

const contract: unknown = JSON.parse(readFileSync('generated/openapi.json', 'utf8'));
const OWN = 'key:8qbHbw2BbbTHBW1sbeqakYXVKRQM8Ne7pLK7m6CVfeR';
const named = (id: string): Callable => callable(contract, id, OWN) ?? assert.fail(id);

describe('the form of an operation', () => {
  it('has an address for every operation of the contract at first', () => {
    const operations = contractOf(contract);
    assert.ok(operations.length > 150);
    for (const { id, path } of operations) {
      const at = addressOf(named(id), {});
      assert.ok('address' in at, id);
      assert.doesNotMatch(at.address, /[{}]|undefined/, id);
      assert.equal(at.address.split('?')[0]?.split('/').length, path.split('/').length, id);
    }
  });

  it('names the account of the browser, and no idempotency key', () => {
    const pay = named('wallet.pay');
    assert.ok('address' in addressOf(pay, {}));
    assert.equal(JSON.stringify(pay).includes('idempotencyKey":"'), false);
    assert.equal(named('tasks.publish').body?.['requester'], OWN);
    assert.deepEqual(addressOf(named('wallet.statement'), {}), {
      address: `/api/v1/wallet/${OWN}/statement`,
    });
    assert.notEqual(callable(contract, 'tasks.publish', undefined)?.body?.['requester'], OWN);
  });

  it('writes what a person typed into the address as one value', () => {
    const task = named('tasks.get');
    assert.deepEqual(addressOf(task, { id: '../a?b#c' }), {
      address: '/api/v1/tasks/..%2Fa%3Fb%23c',
    });
    assert.deepEqual(addressOf(task, { id: '' }), { missing: 'id' });
    const list = addressOf(named('tasks.list'), { q: 'a&b=c' });
    assert.deepEqual(list, { address: '/api/v1/tasks?q=a%26b%3Dc' });
  });

  it('is there for no name that the contract has not', () => {
    for (const id of ['', 'tasks', '__proto__', 'tasks.none']) {
      assert.equal(callable(contract, id, OWN), undefined);
    }
    assert.equal(callable(null, 'tasks.get', OWN), undefined);
  });
});
