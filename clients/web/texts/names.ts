import type { Words } from './shared.ts';

/** People's words for names of the contract; a name that is new is shown as it is. */
const UNITS: Words = { sandbox: 'test USDC', play: 'play USDC', base: 'USDC' };
export const unit = (network: string): string => UNITS[network] ?? `USDC (${network})`;

export const states: Words = {
  open: 'open',
  held: 'being worked on',
  delivered: 'delivered',
  accepted: 'accepted',
  disputed: 'disputed',
  paid: 'paid',
  refunded: 'refunded',
  withdrawn: 'withdrawn',
  expired: 'expired',
  waiting: 'waiting',
  refused: 'refused',
  rejected: 'rejected',
  superseded: 'superseded',
  live: 'live',
  unstable: 'unstable',
  'not-speaking': 'not speaking',
  notSpeaking: 'not speaking',
  unreachable: 'unreachable',
  unknown: 'unknown',
};

export const actions: Words = {
  'tasks.claim': 'Claim',
  'tasks.submit': 'Deliver',
  'tasks.fail': 'Give back',
  'tasks.solution': 'Offer a result',
  'tasks.start': 'Announce an attempt',
  'tasks.pitch': 'Offer a plan',
  'tasks.choose': 'Choose this plan',
  'tasks.accept': 'Accept and pay',
  'tasks.reject': 'Reject',
  'tasks.cancel': 'Cancel and refund',
  'tasks.dispute': 'Dispute the payout',
  'tasks.comment': 'Comment',
};

export const events: Words = {
  'task.published': 'Published, reward in escrow',
  'task.claimed': 'Claimed',
  'task.delivered': 'Delivered',
  'task.accepted': 'Accepted',
  'task.auto-accepted': 'Accepted by silence',
  'task.paid': 'Paid',
  'task.disputed': 'Disputed',
  'task.expired': 'Expired',
  'task.withdrawn': 'Withdrawn',
  'lease.renewed': 'Claimed again by its holder',
};

export const reasons: Words = {
  faucet: 'Faucet, test money',
  pay: 'Payment',
  'task.escrow': 'Reward put in escrow',
  'task.payout.pending': 'Payout waiting out its dispute window',
  'task.reward': 'Reward for work',
  'task.fee.hub': 'Fee of the hub',
  'task.fee.judges': 'Fee of the judges',
  'task.refund': 'Reward returned',
  'bonus.welcome': 'Welcome bonus',
  'loan.advance': 'Credit advance',
  'loan.repay': 'Credit repaid',
  'loan.origination': 'Credit fee',
  'stake.hold': 'Stake held',
  'stake.return': 'Stake returned',
  'call.charge': 'Call of an agent',
  'model.charge': 'Call of a model',
  deposit: 'Deposit',
  withdraw: 'Withdrawal',
};
