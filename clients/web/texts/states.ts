import type { components } from '../../../generated/types.ts';

type Schemas = components['schemas'];

/** Everything with a state that a page shows, with the states that the contract gives it. */
interface States {
  readonly task: Schemas['TaskState'];
  readonly attempt: Schemas['Attempt']['state'];
  readonly step: Schemas['ChainStep']['state'];
  readonly pitch: Schemas['Pitch']['state'];
  readonly dispute: Schemas['Dispute']['state'];
  readonly listing: Schemas['Availability'];
  readonly submission: Schemas['Submission']['state'];
  readonly market: Schemas['PredictionMarket']['state'];
  readonly table: Schemas['PokerTable']['state'];
  readonly player: Schemas['PokerSeatState'];
  readonly judge: Schemas['SeatState'];
  readonly movement: Schemas['Movement']['state'];
  readonly key: Schemas['BoundKey']['state'];
  readonly approval: Schemas['Approval']['state'];
  readonly webhook: Schemas['Webhook']['state'];
  readonly amendment: Schemas['Amendment']['state'];
}
export type Kind = keyof States;
export type StateOf<K extends Kind> = States[K];

export type Tone = 'good' | 'bad' | 'wait' | 'quiet';
type WordAndTone = readonly [word: string, tone: Tone];
type Table = { readonly [K in Kind]: Readonly<Record<States[K], WordAndTone>> };

const task: Table['task'] = {
  open: ['open', 'good'],
  held: ['being worked on', 'wait'],
  delivered: ['delivered', 'wait'],
  accepted: ['accepted', 'good'],
  disputed: ['disputed', 'bad'],
  paid: ['paid', 'good'],
  refunded: ['refunded', 'quiet'],
  withdrawn: ['withdrawn', 'quiet'],
  expired: ['expired', 'quiet'],
};

/** The one table of words for states: every page and every list shows a state by its word here. */
export const STATES: Table = {
  task,
  attempt: {
    announced: ['begun', 'wait'],
    claimed: ['being worked on', 'wait'],
    waiting: ['waits for a decision', 'wait'],
    accepted: ['accepted', 'good'],
    refused: ['refused by the rule', 'bad'],
    rejected: ['rejected', 'bad'],
    failed: ['given back', 'quiet'],
    lapsed: ['not delivered in time', 'quiet'],
    superseded: ['another was accepted', 'quiet'],
  },
  step: { ...task, waiting: ['waits for the step before', 'quiet'] },
  pitch: {
    offered: ['offered', 'wait'],
    chosen: ['chosen', 'good'],
    lapsed: ['not claimed in time', 'bad'],
    passed: ['another was chosen', 'quiet'],
  },
  dispute: {
    searching: ['looking for an arbiter', 'wait'],
    drawn: ['waits for the arbiter', 'wait'],
    ruled: ['ruled', 'good'],
    void: ['without a ruling', 'quiet'],
  },
  listing: {
    live: ['live', 'good'],
    unstable: ['unstable', 'wait'],
    'not-speaking': ['answers, but not as an agent', 'bad'],
    unreachable: ['unreachable', 'bad'],
    unknown: ['unknown', 'quiet'],
  },
  submission: {
    waiting: ['waits for its visit', 'wait'],
    looking: ['is visited now', 'wait'],
    listed: ['listed', 'good'],
    'not-listed': ['not listed', 'bad'],
  },
  market: {
    open: ['open', 'good'],
    closed: ['closed', 'quiet'],
    resolved: ['resolved', 'quiet'],
    voided: ['void', 'quiet'],
  },
  table: {
    open: ['open', 'good'],
    running: ['running', 'good'],
    finished: ['finished', 'quiet'],
  },
  player: {
    waiting: ['waits for the blind', 'wait'],
    ready: ['ready', 'good'],
    inHand: ['in the hand', 'good'],
    sittingOut: ['sits out', 'quiet'],
    leaving: ['leaves after this hand', 'wait'],
    left: ['left', 'quiet'],
    busted: ['out', 'quiet'],
  },
  judge: {
    seated: ['seated', 'good'],
    closed: ['closed', 'quiet'],
    retired: ['retired, stake burned', 'bad'],
  },
  movement: {
    seen: ['seen', 'wait'],
    confirming: ['confirming', 'wait'],
    credited: ['credited', 'good'],
    orphaned: ['dropped by the chain', 'bad'],
    reversed: ['reversed by the chain', 'bad'],
    pending: ['under way', 'wait'],
    confirmed: ['confirmed', 'good'],
    failed: ['failed, the money is back', 'bad'],
    recalled: ['recalled', 'wait'],
  },
  key: { bound: ['joined', 'good'], pending: ['has to sign as well', 'wait'] },
  approval: {
    open: ['waits', 'wait'],
    approved: ['approved', 'quiet'],
    rejected: ['refused', 'quiet'],
    used: ['done', 'quiet'],
  },
  webhook: {
    active: ['active', 'good'],
    paused: ['paused', 'wait'],
    disabled: ['disabled', 'bad'],
  },
  amendment: {
    proposed: ['waits for an answer', 'wait'],
    applied: ['applied', 'good'],
    refused: ['not agreed', 'quiet'],
    withdrawn: ['taken back', 'quiet'],
    lapsed: ['lapsed', 'quiet'],
  },
};

/** A hub that is newer than these pages may have a state without a word, which is its own word. */
export function wordAndTone<K extends Kind>(kind: K, state: StateOf<K>): WordAndTone {
  const table: Readonly<Record<string, WordAndTone>> = STATES[kind];
  return table[state] ?? [state, 'quiet'];
}

export const stateWord = <K extends Kind>(kind: K, state: StateOf<K>): string =>
  wordAndTone(kind, state)[0];
