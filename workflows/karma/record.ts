import { recordKarma } from '../../db/karma/record.ts';
import { kindOf } from '../../db/wallet/networks.ts';
import type { Writer } from '../../db/store.ts';
import { accountClass } from '../../domain/account.ts';
import type { Instant } from '../../domain/instant.ts';
import { moneyBehind } from '../../domain/karma.ts';
import type { KarmaCause } from '../../domain/karma.ts';
import type { NetworkId } from '../../domain/network.ts';
import type { Hub } from '../../server/hub/hub.ts';

/**
 * Writes the standing that a decision earned or cost, in the decision's own transaction. The house
 * has none. Subjects are taken in one order, so two decisions about the same two wait and never
 * deadlock.
 */
export async function recordCauses(
  tx: Writer,
  hub: Hub,
  causes: readonly KarmaCause[],
  about: { readonly at: Instant; readonly network: NetworkId | undefined },
): Promise<void> {
  const { at, network } = about;
  const people = peopleOf(causes);
  if (people.length === 0) return;
  const money = moneyBehind(network === undefined ? undefined : await kindOf(tx, network));
  for (const cause of people) await recordKarma(tx, cause, { id: hub.ids.uuid(), at, money });
}

/** Causes of those who have standing, in the order in which they are locked. */
export function peopleOf(causes: readonly KarmaCause[]): readonly KarmaCause[] {
  return causes
    .filter(({ subject }) => accountClass(subject) === 'user')
    .sort((a, b) => (a.subject < b.subject ? -1 : 1));
}
