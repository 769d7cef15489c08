import { isAsked, type QueueFilter, type QueuedHead } from '../../db/tasks/queue.ts';
import type { Account } from '../../domain/account.ts';

/**
 * The line of polls that wait for work on one network, in memory and without I/O. It pairs polls, in
 * the order in which they came, with the tasks that are known here, the best paid first, and sets a
 * paired task aside until its poll passes it or leaves. Everything here is a hint: the transaction
 * that claims decides. A poll that waits too long was not offered what it fits, so look at what was
 * set aside (`offered`), what is known (`claimQueue.ts`) and what this process committed
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
  /** The task that is set aside for this poll alone, until it is passed. */
  offered(): Offer | undefined;
  /** The poll does not take what it was offered, which the next in line may have. */
  pass(): void;
  /** Whether it has to search the queue, because too little of it is known here. */
  mustLook(): boolean;
  /** It looks at all that there is; what it was offered stays set aside meanwhile. */
  looks<T>(look: (view: View) => Promise<T>): Promise<T>;
  /** Whether a task that fits is set aside for another poll, which may not get it. */
  mayInherit(): boolean;
  /**
   * While it sleeps it is offered what comes, which raises the signal. When it sits for what others
   * may leave to it, so does the end of that.
   */
  sits(sleep: (roused: AbortSignal) => Promise<unknown>, waitsFor: 'any' | 'left'): Promise<void>;
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
 * nothing: the transaction of the claim decides, and a poll that lost stands where it stood.
 */
export interface Line {
  enter(wish: Wish): Place;
  /** A task is about to be published; nothing is remembered of it yet. */
  comes(offer: Offer): void;
  /** A task can be claimed from now on. */
  opened(offer: Offer): void;
  /** It cannot any more. */
  left(id: string): void;
  /** Reports the queue's content, best first; `isAll` when that is all of it. */
  found(offers: readonly Offer[], isAll: boolean): void;
  /** How many polls stand in it. */
  size(): number;
}

interface Aside {
  readonly offer: Offer;
  readonly isOpen: boolean;
}

interface Standing {
  readonly wish: Wish;
  readonly skills: ReadonlySet<string> | undefined;
  readonly minReward: bigint;
  readonly skipped: Set<string>;
  /** Tasks that it tried or looked at, until they open again. */
  readonly passed: Set<string>;
  offer: Offer | undefined;
  hasLooked: boolean;
  /** While it sits. */
  roused: AbortController | undefined;
  /** It sits only for what others may leave to it. */
  isHeir: boolean;
}

/** Tasks that are remembered, however many are published while a poll waits for another kind. */
const KNOWN_MAX = 200;

export function openLine(): Line {
  /** In the order of arrival. */
  const standing = new Set<Standing>();
  let known: readonly Offer[] = [];
  /** Whether the queue holds nothing else. */
  let isAll = false;
  const aside = new Map<string, Aside>();

  const give = (one: Standing, offer: Offer): void => {
    one.offer = offer;
    aside.set(offer.id, { offer, isOpen: true });
    one.roused?.abort();
  };
  const pair = (offer: Offer): void => {
    if (aside.has(offer.id)) return;
    for (const one of standing) {
      if (isFree(one) && fits(one, offer)) return give(one, offer);
    }
  };
  const release = (one: Standing): void => {
    const { offer } = one;
    if (offer === undefined) return;
    one.offer = undefined;
    const isOpen = aside.get(offer.id)?.isOpen === true;
    aside.delete(offer.id);
    if (isOpen) {
      one.passed.add(offer.id);
      pair(offer);
    }
    tellHeirs();
  };
  const mayInherit = (one: Standing): boolean =>
    [...aside.values()].some(({ offer, isOpen }) => isOpen && fits(one, offer));
  const tellHeirs = (): void => {
    for (const one of standing) if (one.isHeir && !mayInherit(one)) one.roused?.abort();
  };
  const forget = (id: string): void => {
    for (const one of standing) one.passed.delete(id);
  };
  const placeOf = (one: Standing): Place => ({
    offered() {
      if (one.offer !== undefined) return one.offer;
      const best = known.find((offer) => !aside.has(offer.id) && fits(one, offer));
      if (best !== undefined) give(one, best);
      return best;
    },
    pass: () => release(one),
    mustLook: () => !isAll && !one.hasLooked,
    async looks(look) {
      const seen = known;
      const { skipped, offer } = one;
      one.hasLooked = true;
      try {
        return await look({ skipped, isWanted: (id) => id !== offer?.id && aside.has(id) });
      } finally {
        for (const { id } of seen) one.passed.add(id);
        release(one);
      }
    },
    mayInherit: () => mayInherit(one),
    async sits(sleep, waitsFor) {
      one.roused = new AbortController();
      one.isHeir = waitsFor === 'left';
      try {
        await sleep(one.roused.signal);
      } finally {
        one.roused = undefined;
        one.isHeir = false;
      }
    },
    leave() {
      standing.delete(one);
      release(one);
    },
  });
  return {
    enter(wish) {
      const one: Standing = {
        wish,
        skills: wish.skills && new Set(wish.skills),
        minReward: BigInt(wish.minReward),
        skipped: new Set<string>(),
        passed: new Set<string>(),
        offer: undefined,
        hasLooked: false,
        roused: undefined,
        isHeir: false,
      };
      standing.add(one);
      return placeOf(one);
    },
    comes: pair,
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
      const kept = aside.get(id);
      if (kept === undefined) return;
      aside.set(id, { ...kept, isOpen: false });
      tellHeirs();
    },
    found(offers, all) {
      const ids = new Set(offers.map(({ id }) => id));
      const before = new Set(known.map(({ id }) => id));
      for (const { id } of known) if (!ids.has(id)) forget(id);
      known = [...offers].sort((a, b) => (isBefore(a, b) ? -1 : 1));
      isAll = all;
      // Those that were known before fit no poll that sits.
      for (const offer of known) if (!before.has(offer.id)) pair(offer);
      if (isAll) return;
      for (const one of standing) {
        if (!isFree(one)) continue;
        one.hasLooked = false;
        one.roused?.abort();
      }
    },
    size: () => standing.size,
  };
}

/** It sits, and was not roused yet. */
function isFree({ roused, offer }: Standing): boolean {
  return roused !== undefined && !roused.signal.aborted && offer === undefined;
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

function fits({ wish, skills, minReward, ...one }: Standing, offer: Offer): boolean {
  return (
    isAsked(offer, wish) &&
    offer.requester !== wish.who.account &&
    offer.reward >= minReward &&
    offer.requiredSkills.every((skill) => skills?.has(skill) ?? true) &&
    !one.skipped.has(offer.id) &&
    !one.passed.has(offer.id)
  );
}
