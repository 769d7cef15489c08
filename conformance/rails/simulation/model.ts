/** A model of money over a chain from the interface and choices rails.* and router.x402 alone. */
const PRICE = 5_000;
const FEE = 10_000;
const WITHDRAWAL_MIN = 1_000_000;
const PAYMENT_MIN = 1_000;
const CONFIRMATIONS = 5;

interface Deposit {
  readonly amount: number;
  readonly height: number;
  state: 'coming' | 'seen' | 'credited' | 'orphaned';
}

interface Withdrawal {
  readonly amount: number;
  /** The hot wallet takes queued withdrawals when it runs; after that they cannot be recalled. */
  state: 'queued' | 'away' | 'recalled';
}

export interface Account {
  balance: number;
  /** The balance of the wallet that pays for it and is paid out to, when all has arrived. */
  dollars: number;
  readonly deposits: Deposit[];
  readonly withdrawals: Map<string, Withdrawal>;
}

export function newAccount(dollars: number): Account {
  return { balance: 0, dollars, deposits: [], withdrawals: new Map() };
}

export function held({ withdrawals }: Account): number {
  return [...withdrawals.values()]
    .filter(({ state }) => state !== 'recalled')
    .reduce((sum, { amount }) => sum + amount, 0);
}

/** The hub has looked at the chain up to this block. */
export function lookedAt(accounts: readonly Account[], head: number): void {
  for (const account of accounts) {
    for (const deposit of account.deposits) {
      if (deposit.state !== 'coming' && deposit.state !== 'seen') continue;
      deposit.state = 'seen';
      if (head - deposit.height < CONFIRMATIONS) continue;
      deposit.state = 'credited';
      account.balance += deposit.amount;
    }
  }
}

/**
 * The chain above this block is another one. A deposit that was never looked at was never there;
 * one that was seen is shown as dropped by the next look. `depth` is less than what credits.
 */
export function reorganised(accounts: readonly Account[], kept: number): void {
  for (const { deposits } of accounts) {
    const dropped = deposits.filter(
      ({ state, height }) => height > kept && (state === 'coming' || state === 'seen'),
    );
    for (const deposit of dropped) {
      if (deposit.state === 'seen') deposit.state = 'orphaned';
      else deposits.splice(deposits.indexOf(deposit), 1);
    }
  }
}

export function withdraw(account: Account, amount: number): string | undefined {
  if (amount < WITHDRAWAL_MIN) return 'below-minimum';
  if (account.balance - pending(account) < amount) return 'insufficient-funds';
  return undefined;
}

/** Returns what is held of the balance: money that is away is still in it until it has arrived. */
function pending(account: Account): number {
  return held(account);
}

/** The hot wallet ran: what was queued is away for good. */
export function sent(accounts: readonly Account[]): void {
  for (const { withdrawals } of accounts) {
    for (const one of withdrawals.values()) if (one.state === 'queued') one.state = 'away';
  }
}

/** One arrived deep in the chain. */
export function arrived(account: Account, id: string): void {
  const one = account.withdrawals.get(id);
  if (one?.state !== 'away') throw new Error(`withdrawal ${id} is ${one?.state} and has arrived`);
  account.withdrawals.delete(id);
  account.balance -= one.amount;
  account.dollars += one.amount - FEE;
}

/** Returns what a call asks for over x402; 0 when the balance is enough. */
export function lacking(account: Account): number {
  const spendable = account.balance - pending(account);
  return spendable >= PRICE ? 0 : Math.max(PAYMENT_MIN, PRICE - spendable);
}

/** A call that was paid with this much from the wallet, and served. */
export function called(account: Account, paid: number): void {
  account.dollars -= paid;
  account.balance += paid - PRICE;
}
