import { isAsked, type QueueFilter, type QueuedHead } from '../../db/tasks/queue.ts';
import type { Account } from '../../domain/account.ts';

/**
 * The line of polls that wait for work on one network, in memory and without I/O. It pairs polls, in
 * the order of arrival, with the tasks that are known here, the best paid first, and reserves a
 * paired task until its poll passes it or leaves. Everything here is a hint: the transaction that
 * claims decides. A poll that waits too long was not offered a task that fits it, so check what is
 * reserved (`offered`), what is known (`claimQueue.ts`) and what this process committed
 * (`claimLines.ts`), in this order.
 */

/** The account that a waiting poll asks for, and which work fits. */
export interface Wish extends QueueFilter {
  readonly who: { readonly account: Account };
  readonly minReward: string;
  readonly skills?: readonly string[];
}

/** A task that may be claimed, with whether it comes last whatever it pays. */
export interface Offer extends QueuedHead {
  readonly isLast: boolean;
}

/** The place of one poll in the line, which it keeps until it leaves. */
export interface Place {
  /** Returns the task that is reserved for this poll alone, until it is passed. */
  offered(): Offer | undefined;
  /** Passes the offered task to the next poll in line. */
  pass(): void;
  /** Whether the poll must search the queue, because too little of it is known here. */
  mustScan(): boolean;
  /** Runs a search of the whole queue; the offered task stays reserved meanwhile. */
  scan<T>(read: (view: View) => Promise<T>): Promise<T>;
  /** Whether a task that fits is reserved for another poll, whose claim may fail. */
  mayTakeReserved(): boolean;
  /**
   * Waits for an offer, which aborts the signal. A poll that waits for reserved tasks alone is also
   * woken once none is left that fits.
   */
  sleep(
    wait: (woken: AbortSignal) => Promise<unknown>,
    waitsFor: 'any' | 'reserved',
  ): Promise<void>;
  leave(): void;
}

/** The view of a poll that searches by itself. */
export interface View {
  /** Tasks that are never for it, to which it adds. */
  readonly skipped: Set<string>;
  /** Whether another poll tries for a task. */
  isWanted(id: string): boolean;
}

/**
 * Pairs polls with tasks in this process: each task goes to the first poll in line that it fits,
 * and each poll is offered one task that no other poll here tries for. It is a hint and promises
 * nothing: the transaction of the claim decides, and a poll whose claim failed keeps its place.
 */
export interface Line {
  enter(wish: Wish): Place;
  /** Offers a task that is about to be published, without storing it. */
  announced(offer: Offer): void;
  /** Stores and offers a task that can be claimed from now on. */
  opened(offer: Offer): void;
  /** Drops a task that can no longer be claimed. */
  left(id: string): void;
  /** Reports the queue's content, best first; `isAll` when that is all of it. */
  found(offers: readonly Offer[], isAll: boolean): void;
  /** Returns the number of waiting polls. */
  size(): number;
}

interface Reserved {
  readonly offer: Offer;
  readonly isOpen: boolean;
}

interface WaitingPoll {
  readonly wish: Wish;
  readonly skills: ReadonlySet<string> | undefined;
  readonly minReward: bigint;
  readonly skipped: Set<string>;
  /** Tasks that it tried or scanned, until they open again. */
  readonly passed: Set<string>;
  offer: Offer | undefined;
  hasScanned: boolean;
  /** Set while it sleeps. */
  woken: AbortController | undefined;
  /** It sleeps only for tasks that are reserved for others. */
  waitsForReserved: boolean;
}

/** Tasks that are remembered, however many are published while a poll waits for another kind. */
const KNOWN_MAX = 200;

export function openLine(): Line {
  /** In the order of arrival. */
  const polls = new Set<WaitingPoll>();
  let known: readonly Offer[] = [];
  /** Whether the queue holds nothing else. */
  let isAll = false;
  const reserved = new Map<string, Reserved>();

  const offerTo = (one: WaitingPoll, offer: Offer): void => {
    one.offer = offer;
    reserved.set(offer.id, { offer, isOpen: true });
    one.woken?.abort();
  };
  const pair = (offer: Offer): void => {
    if (reserved.has(offer.id)) return;
    for (const one of polls) {
      if (isFree(one) && fits(one, offer)) return offerTo(one, offer);
    }
  };
  const release = (one: WaitingPoll): void => {
    const { offer } = one;
    if (offer === undefined) return;
    one.offer = undefined;
    const isOpen = reserved.get(offer.id)?.isOpen === true;
    reserved.delete(offer.id);
    if (isOpen) {
      one.passed.add(offer.id);
      pair(offer);
    }
    notifyWaiters();
  };
  const mayTakeReserved = (one: WaitingPoll): boolean =>
    [...reserved.values()].some(({ offer, isOpen }) => isOpen && fits(one, offer));
  const notifyWaiters = (): void => {
    for (const one of polls) if (one.waitsForReserved && !mayTakeReserved(one)) one.woken?.abort();
  };
  const forget = (id: string): void => {
    for (const one of polls) one.passed.delete(id);
  };
  const placeOf = (one: WaitingPoll): Place => ({
    offered() {
      if (one.offer !== undefined) return one.offer;
      const best = known.find((offer) => !reserved.has(offer.id) && fits(one, offer));
      if (best !== undefined) offerTo(one, best);
      return best;
    },
    pass: () => release(one),
    mustScan: () => !isAll && !one.hasScanned,
    async scan(read) {
      const seen = known;
      const { skipped, offer } = one;
      one.hasScanned = true;
      try {
        return await read({ skipped, isWanted: (id) => id !== offer?.id && reserved.has(id) });
      } finally {
        for (const { id } of seen) one.passed.add(id);
        release(one);
      }
    },
    mayTakeReserved: () => mayTakeReserved(one),
    async sleep(wait, waitsFor) {
      one.woken = new AbortController();
      one.waitsForReserved = waitsFor === 'reserved';
      try {
        await wait(one.woken.signal);
      } finally {
        one.woken = undefined;
        one.waitsForReserved = false;
      }
    },
    leave() {
      polls.delete(one);
      release(one);
    },
  });
  return {
    enter(wish) {
      const one: WaitingPoll = {
        wish,
        skills: wish.skills && new Set(wish.skills),
        minReward: BigInt(wish.minReward),
        skipped: new Set<string>(),
        passed: new Set<string>(),
        offer: undefined,
        hasScanned: false,
        woken: undefined,
        waitsForReserved: false,
      };
      polls.add(one);
      return placeOf(one);
    },
    announced: pair,
    opened(offer) {
      forget(offer.id);
      const last = known.at(-1);
      // Behind those that are known others may come first: it is offered now and not remembered.
      if (isAll || (last !== undefined && isBefore(offer, last))) known = inserted(known, offer);
      if (known.length > KNOWN_MAX) {
        known = known.slice(0, KNOWN_MAX);
        isAll = false;
      }
      pair(offer);
    },
    left(id) {
      forget(id);
      known = known.filter((offer) => offer.id !== id);
      const kept = reserved.get(id);
      if (kept === undefined) return;
      reserved.set(id, { ...kept, isOpen: false });
      notifyWaiters();
    },
    found(offers, all) {
      const ids = new Set(offers.map(({ id }) => id));
      const before = new Set(known.map(({ id }) => id));
      for (const { id } of known) if (!ids.has(id)) forget(id);
      known = [...offers].sort((a, b) => (isBefore(a, b) ? -1 : 1));
      isAll = all;
      // Those that were known before fit no sleeping poll.
      for (const offer of known) if (!before.has(offer.id)) pair(offer);
      if (isAll) return;
      for (const one of polls) {
        if (!isFree(one)) continue;
        one.hasScanned = false;
        one.woken?.abort();
      }
    },
    size: () => polls.size,
  };
}

/** Whether the poll sleeps and was not woken yet. */
function isFree({ woken, offer }: WaitingPoll): boolean {
  return woken !== undefined && !woken.signal.aborted && offer === undefined;
}

/** Best paid first, then oldest; what comes last behind all others (choices tasks.queue). */
function isBefore(a: Offer, b: Offer): boolean {
  if (a.isLast !== b.isLast) return b.isLast;
  return a.reward === b.reward ? a.id < b.id : a.reward > b.reward;
}

function inserted(known: readonly Offer[], offer: Offer): readonly Offer[] {
  const others = known.filter(({ id }) => id !== offer.id);
  const found = others.findIndex((other) => isBefore(offer, other));
  const at = found < 0 ? others.length : found;
  return [...others.slice(0, at), offer, ...others.slice(at)];
}

function fits({ wish, skills, minReward, ...one }: WaitingPoll, offer: Offer): boolean {
  return (
    isAsked(offer, wish) &&
    offer.requester !== wish.who.account &&
    offer.reward >= minReward &&
    offer.requiredSkills.every((skill) => skills?.has(skill) ?? true) &&
    !one.skipped.has(offer.id) &&
    !one.passed.has(offer.id)
  );
}
