import { karmaReads, recordKarma } from '../../db/karma/record.ts';
import { decideIn } from '../../db/batch/inside.ts';
import type { Need } from '../../db/batch/need.ts';
import type { Decider } from '../../db/batch/transaction.ts';
import type { Writer } from '../../db/store.ts';
import { accountClass } from '../../domain/account.ts';
import type { Instant } from '../../domain/instant.ts';
import { moneyBehind, type KarmaCause } from '../../domain/karma.ts';
import type { NetworkId } from '../../domain/network.ts';
import type { Hub } from '../kernel/hub.ts';
import { kindIn } from '../wallet/networkKind.ts';

interface About {
  readonly at: Instant;
  readonly network: NetworkId | undefined;
}

/** Writes the standing that a decision changes, in its transaction. The house has none. */
export function recordCauses(
  db: Decider,
  hub: Hub,
  causes: readonly KarmaCause[],
  { at, network }: About,
): void {
  const people = peopleOf(causes);
  if (people.length === 0) return;
  const startedAt = db.startedAt(hub.clock);
  db.ask(people.flatMap((cause) => karmaReads(cause, startedAt)));
  const money = moneyBehind(network && kindIn(db, hub, network));
  for (const cause of people) {
    recordKarma(db, cause, { id: db.newId(hub.ids), at, money, startedAt });
  }
}

/** Returns the reads of `recordCauses`, for the first read of a batch. */
export function readsOfCauses(causes: readonly KarmaCause[], startedAt: Instant): readonly Need[] {
  return peopleOf(causes).flatMap((cause) => karmaReads(cause, startedAt));
}

/** Calls `recordCauses` inside a transaction that is written statement by statement. */
export function recordInside(
  tx: Writer,
  hub: Hub,
  causes: readonly KarmaCause[],
  about: About,
): Promise<void> {
  return decideIn(tx, { needs: [], decide: (db) => recordCauses(db, hub, causes, about) });
}

function peopleOf(causes: readonly KarmaCause[]): readonly KarmaCause[] {
  return causes
    .filter(({ subject }) => accountClass(subject) === 'user')
    .sort((a, b) => (a.subject < b.subject ? -1 : 1));
}
