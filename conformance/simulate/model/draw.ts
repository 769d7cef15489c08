import { createHash, createHmac } from 'node:crypto';

/** The draw of choices 3.2 and `spec/BYTES.md` 10, written once more from its text. */
export interface Ticket {
  readonly account: string;
  readonly weight: bigint;
}

export function firstPick(seed: string, pool: readonly Ticket[]): string | undefined {
  const left = [...pool].sort((a, b) => (a.account < b.account ? -1 : 1));
  const total = left.reduce((sum, { weight }) => sum + weight, 0n);
  const mac = createHmac('sha256', Buffer.from(seed, 'hex')).update(Buffer.alloc(4)).digest('hex');
  let rest = BigInt(`0x${mac}`) % total;
  return left.find(({ weight }) => (rest -= weight) < 0n)?.account;
}

export function seedOf(
  kind: 'panel' | 'arbiter',
  random: string,
  of: { readonly taskId: string; readonly attemptId: string; readonly round: number },
): string {
  const text = `hub/draw/v1|${kind}|${random}|${of.taskId}|${of.attemptId}|${of.round}`;
  return createHash('sha256').update(text).digest('hex');
}
