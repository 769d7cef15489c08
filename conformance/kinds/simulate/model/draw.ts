import { createHash, createHmac } from 'node:crypto';

/** The draw of choices validators.draw and `spec/BYTES.md` 10, written once more from its text. */
export interface Ticket {
  readonly account: string;
  readonly weight: bigint;
}

export function drawOrder(seed: string, pool: readonly Ticket[]): readonly string[] {
  let left = [...pool].sort((a, b) => (a.account < b.account ? -1 : 1));
  const order: string[] = [];
  while (left.length > 0) {
    const picked = pick(seed, order.length, left);
    order.push(picked);
    left = left.filter(({ account }) => account !== picked);
  }
  return order;
}

function pick(seed: string, k: number, pool: readonly Ticket[]): string {
  const total = pool.reduce((sum, { weight }) => sum + weight, 0n);
  const count = Buffer.alloc(4);
  count.writeUInt32BE(k);
  const mac = createHmac('sha256', Buffer.from(seed, 'hex')).update(count).digest('hex');
  let rest = BigInt(`0x${mac}`) % total;
  const found = pool.find(({ weight }) => (rest -= weight) < 0n);
  if (found === undefined) throw new Error('a pick finds an agent');
  return found.account;
}

export function seedOf(
  kind: 'panel' | 'arbiter',
  random: string,
  of: { readonly taskId: string; readonly attemptId: string; readonly round: number },
): string {
  const text = `hub/draw/v1|${kind}|${random}|${of.taskId}|${of.attemptId}|${of.round}`;
  return createHash('sha256').update(text).digest('hex');
}
