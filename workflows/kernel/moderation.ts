import { changedDecisions } from '../../db/moderation/decisions.ts';
import type { Store } from '../../db/store.ts';
import { refuse } from './errors.ts';

/** Decisions that stand, in memory; a job reads changes each second (jobs/moderationCheck.ts). */
export interface Moderation {
  /** Reads the decisions that changed since the last call. */
  refresh(): Promise<void>;
  /** The decision that stands against an account, or that hides a subject. */
  against(name: string): Standing | undefined;
  hides(): boolean;
}

interface Standing {
  readonly id: string;
  readonly isBan: boolean;
  /** Who was banned or published the subject. */
  readonly account: string | undefined;
}

const READ_MAX = 1_000;

export function openModeration(store: Store): Moderation {
  const standing = new Map<string, Standing>();
  let seen = 0;
  let hidden = 0;
  return {
    async refresh() {
      for (;;) {
        const changes = await store.read((db) => changedDecisions(db, seen, READ_MAX));
        for (const { id, subject, subjectId, account, liftedAt, change } of changes) {
          const isBan = subject === 'account';
          // A newer decision about the same subject is not ended by the end of an older one.
          if (liftedAt === undefined) standing.set(subjectId, { id, isBan, account });
          else if (standing.get(subjectId)?.id === id) standing.delete(subjectId);
          seen = change;
        }
        hidden = [...standing.values()].filter(({ isBan }) => !isBan).length;
        if (changes.length < READ_MAX) return;
      }
    },
    against: (name) => standing.get(name),
    hides: () => hidden > 0,
  };
}

/** Refuses a call that begins something in the name of a banned account or on a hidden subject. */
export function mustNotBeModerated(
  { moderation }: { readonly moderation: Moderation },
  account: string | undefined,
  named: readonly unknown[],
): void {
  for (const name of [account, ...named]) {
    const found = typeof name === 'string' ? moderation.against(name) : undefined;
    if (found === undefined) continue;
    const { id, isBan } = found;
    const what = isBan ? `The account ${String(name)} was banned` : `${String(name)} was hidden`;
    const hint =
      found.account === account
        ? `\`GET /api/v1/me\` shows the reason under \`decisions\`; \`POST /api/v1/me/decisions/${id}/appeal\` with \`text\` appeals against it, once.`
        : 'It takes nothing new until the operator ends that. `GET /api/v1` lists what else you can do.';
    refuse('moderated', { error: `${what} by the operator (decision ${id}).`, hint });
  }
}
