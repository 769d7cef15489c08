/**
 * The closed sets of reasons (choices ledger.reasons). Only the in/out family may touch the outside
 * (I7), so no other code can create money.
 */
export const HOLD_KINDS = [
  'task',
  'payout',
  'chain',
  'stake',
  'bet',
  'model',
  'call',
  'withdrawal',
] as const;
export type HoldKind = (typeof HOLD_KINDS)[number];

export type Family =
  'in-out' | 'people' | 'work' | 'credit' | 'seats' | 'calls' | 'memory' | 'games' | 'house';

const FAMILIES = {
  deposit: 'in-out',
  'deposit.reversed': 'in-out',
  faucet: 'in-out',
  issue: 'in-out',
  'x402.topup': 'in-out',
  'x402.pay': 'in-out',
  withdraw: 'in-out',
  'withdraw.fee': 'in-out',
  'sweep.evm': 'in-out',
  pay: 'people',
  'task.escrow': 'work',
  'task.payout.pending': 'work',
  'task.reward': 'work',
  'task.fee.hub': 'work',
  'task.fee.judges': 'work',
  'task.refund': 'work',
  'dispute.arbiter': 'work',
  'chain.escrow': 'work',
  'chain.refund': 'work',
  'bonus.welcome': 'work',
  'loan.advance': 'credit',
  'loan.repay': 'credit',
  'loan.origination': 'credit',
  'stake.hold': 'seats',
  'stake.return': 'seats',
  'stake.burn': 'seats',
  'call.hold': 'calls',
  'call.charge': 'calls',
  'call.return': 'calls',
  'model.hold': 'calls',
  'model.charge': 'calls',
  'model.return': 'calls',
  'service.compress': 'calls',
  'service.card-read': 'calls',
  'service.schema': 'calls',
  'hosted.fee': 'calls',
  'memory.write': 'memory',
  'memory.search': 'memory',
  'memory.rent': 'memory',
  'file.write': 'memory',
  'file.read': 'memory',
  'market.fee': 'games',
  'bet.hold': 'games',
  'bet.return': 'games',
  'bet.lost': 'games',
  'bet.won': 'games',
  'market.judge': 'games',
  'poker.buyin': 'games',
  'poker.cashout': 'games',
  'poker.prize': 'games',
  recirculate: 'house',
  adjust: 'house',
} as const satisfies Readonly<Record<string, Family>>;

export type Reason = keyof typeof FAMILIES;

export const REASONS: readonly Reason[] = Object.keys(FAMILIES).filter(isReason);

export function familyOf(reason: Reason): Family {
  return FAMILIES[reason];
}

export function parseReason(text: string): Reason | undefined {
  return isReason(text) ? text : undefined;
}

function isReason(text: string): text is Reason {
  return Object.hasOwn(FAMILIES, text);
}

/** Reasons that may touch `external:*` accounts. */
export const OUTSIDE_REASONS: readonly string[] = Object.entries(FAMILIES)
  .filter(([, family]) => family === 'in-out')
  .map(([reason]) => reason);
