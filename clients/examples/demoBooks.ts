import assert from 'node:assert/strict';
import { unwrap, type components } from '../typescript/index.ts';
import { owner, wallet, type Person } from './accounts.ts';
import { line, step, usdc } from './scenario.ts';
import type { ThrowawayHub } from './throwaway.ts';

/** The last part of the demo: everything that happened, added up by three different readers. */
type Statement = components['schemas']['Statement'];

/** Reads a statement to its end, and answers the balance that its entries add up to. */
export async function statement(hub: Person, name: string): Promise<bigint> {
  step(`${name} reads the statement, which adds up`);
  const page = unwrap(await hub.GET('/api/v1/wallet/{owner}/statement', owner(hub)));
  const { balance, held } = await wallet(hub);
  const entries = [...page.entries].reverse();
  assert.equal(page.hasMore, false);
  assert.deepEqual(
    entries.map(({ seq }) => seq),
    entries.map((_, at) => at + 1),
  );
  let [sum, parked] = [0n, 0n];
  for (const entry of entries) {
    const amount = BigInt(entry.amount);
    const signs: Record<Statement['entries'][number]['direction'], readonly [bigint, bigint]> = {
      in: [amount, 0n],
      out: [-amount, 0n],
      hold: [0n, amount],
      release: [0n, -amount],
    };
    const [moved, parks] = signs[entry.direction];
    [sum, parked] = [sum + moved, parked + parks];
    assert.deepEqual([entry.balanceAfter, entry.heldAfter].map(BigInt), [sum, parked]);
    const cells = [
      entry.direction.padEnd(7),
      entry.reason.padEnd(19),
      usdc(entry.amount).padEnd(11),
    ];
    line(
      `${`${entry.seq}.`.padEnd(3)} ${cells.join(' ')}  balance ${usdc(sum)}, held ${usdc(parked)}`,
    );
  }
  assert.deepEqual([sum, parked], [BigInt(balance), BigInt(held.total)]);
  return sum;
}

export async function books(hub: ThrowawayHub, rita: Person): Promise<void> {
  step('The books balance: by the hub itself, then by an audit of the stopped hub');
  const proof = unwrap(await rita.GET('/api/v1/economy/conservation'));
  assert.deepEqual(proof.differences, []);
  assert.ok(proof.balanced && !proof.frozen && proof.checks.every(({ ok }) => ok));
  for (const { ok, says } of proof.checks) line(`${ok ? 'holds' : 'BROKEN'}: ${says}`);
  await hub.stop();
  const { code, text } = await hub.audit();
  assert.equal(code, 0, text);
  for (const each of text.trim().split('\n')) line(each);
}
