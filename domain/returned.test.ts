import assert from 'node:assert/strict';
import { returnedShares, type Payments } from './returned.ts';

/** Payments from lines such as `a b 10`. */
function payments(...lines: readonly string[]): Payments {
  const found = new Map<string, Map<string, number>>();
  for (const line of lines) {
    const [from = '', to = '', amount = '0'] = line.split(' ');
    found.set(from, (found.get(from) ?? new Map<string, number>()).set(to, Number(amount)));
  }
  return found;
}

function sharesOf(all: Payments, subject: string) {
  const received = new Map<string, number>();
  for (const [payer, to] of all) {
    const paid = to.get(subject);
    if (paid !== undefined) received.set(payer, paid);
  }
  const { earned, spent } = returnedShares(all, subject, received);
  return { earned: Object.fromEntries(earned), spent: Object.fromEntries(spent) };
}

describe('money that returns to its origin', () => {
  it('is found through any number of accounts', () => {
    for (const size of [2, 5, 50, 500, 900]) {
      const ring = Array.from({ length: size }, (_, n) => `${n} ${(n + 1) % size} 100`);
      const { earned, spent } = sharesOf(payments(...ring), '0');
      assert.deepEqual(Object.values(earned), [1], `ring of ${size}`);
      assert.deepEqual(Object.values(spent), [1], `ring of ${size}`);
    }
  });

  it('counts by the net: what is kept, withdrawn or spent elsewhere did not return', () => {
    const honest = payments(
      'client worker 100',
      'worker shop 30',
      'shop client 20',
      'shop other 10',
    );
    assert.deepEqual(sharesOf(honest, 'worker'), {
      earned: { client: 0.2 },
      spent: { shop: 20 / 30 },
    });
    assert.deepEqual(sharesOf(payments('client worker 100'), 'worker').earned, { client: 0 });
  });

  it('is not found twice when two payers share one way back', () => {
    const shared = payments('a s 100', 'b s 100', 's hop 50', 'hop a 100', 'hop b 100');
    const { a = 0, b = 0 } = sharesOf(shared, 's').earned;
    assert.equal(a + b, 0.5);
  });

  it('takes a way back that another was found on before, where more returns so', () => {
    const crossed = payments('a s 10', 'b s 10', 's x 10', 's y 10', 'x a 10', 'x b 10', 'y a 10');
    assert.deepEqual(sharesOf(crossed, 's').earned, { a: 1, b: 1 });
  });

  it('is found on as many ways at once as an account could make', () => {
    for (const hops of [1, 2, 3]) {
      const lines = Array.from({ length: 998 }, (_, n) => {
        const way = ['s', ...Array.from({ length: hops }, (__, hop) => `${n} ${hop}`), `p${n}`];
        const names = way.map((name) => name.replace(' ', '-'));
        return [`p${n} s 100`, ...names.slice(1).map((to, step) => `${names[step]} ${to} 100`)];
      });
      const { earned } = sharesOf(payments(...lines.flat()), 's');
      assert.ok(
        Object.values(earned).every((share) => share === 1),
        `${hops} accounts between`,
      );
    }
  });

  it('is searched within 20 ms, and a search that ends early finds less and never more', () => {
    const size = 700;
    const dense = Array.from({ length: size * 100 }, (_, n) => {
      const from = n % size;
      return `${from} ${(from + 1 + ((n * 7_919) % (size - 1))) % size} ${1 + (n % 97)}`;
    });
    const all = payments(...dense);
    const received = new Map<string, number>();
    for (const [payer, to] of all) {
      const paid = to.get('0');
      if (paid !== undefined) received.set(payer, paid);
    }
    let fastest = Infinity;
    for (let time = 0; time < 5; time += 1) {
      const began = process.cpuUsage();
      const { earned } = returnedShares(all, '0', received);
      const used = process.cpuUsage(began);
      fastest = Math.min(fastest, (used.user + used.system) / 1_000);
      assert.ok([...earned.values()].every((share) => share >= 0 && share <= 1));
    }
    assert.ok(fastest < 20, `${fastest} ms`);
  });
});
