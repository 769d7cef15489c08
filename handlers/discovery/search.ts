import { find } from '../../db/search/find.ts';
import { shownOf, type Shown, type ShownTask } from '../../db/search/shown.ts';
import { cut } from '../../domain/acceptance/values.ts';
import { display } from '../../domain/money.ts';
import { answers } from '../../domain/registry/listing.ts';
import { KINDS } from '../../domain/search/plan.ts';
import { snippetsFor } from '../../domain/search/snippet.ts';
import type { components } from '../../generated/types.ts';
import type { Call, Handler, Reply } from '../../server/handler.ts';
import type { Hub } from '../../server/hub.ts';
import { ASSET } from '../_money.ts';
import { CONTENT_NOTE, presentPrice } from '../registry/_present.ts';

type Hit = components['schemas']['SearchHit'];

/** Found things that are read, for each that is shown: some are gone, some do not answer. */
const READ_FOR_EACH = 2;
const READ_MORE = 10;
const TITLE_MAX = 400;
/** Answers that are kept, of about 5 kB. */
const KEPT_MAX = 2_500;
/** What does not answer is worth this share, in a hundred. */
const SILENT_SHARE = 70;

/** Agents, skills, tasks and comments in one list, by how well they fit; equals by standing. */
export const search: Handler<'discovery.search'> = (call, hub) =>
  hub.recent.answer<'discovery.search'>(call, { most: KEPT_MAX }, () => searched(call, hub));

async function searched(
  { query }: Pick<Call<'discovery.search'>, 'query'>,
  hub: Hub,
): Promise<Reply<'discovery.search'>> {
  const { q, kind, state, limit } = query;
  // Agents have no state, so a state asks for work alone.
  const kinds = KINDS.filter(
    (each) =>
      (kind === undefined || each === kind) &&
      (state === undefined || each === 'task' || each === 'comment'),
  );
  const shown = await hub.store.read(async (db) => {
    const found = kinds.length === 0 ? [] : await find(db, q, kinds);
    const read = state === undefined ? limit * READ_FOR_EACH + READ_MORE : found.length;
    return shownOf(db, found.slice(0, read));
  });
  const snippetOf = snippetsFor(q);
  const results = shown
    .filter((each) => state === undefined || ('state' in each.of && each.of.state === state))
    .map((each) => ({ each, score: scoreOf(each), ...standingOf(each) }))
    .sort((a, b) => b.score - a.score || b.karma - a.karma || b.reach - a.reach)
    .slice(0, limit)
    .map(({ each, score }) => presentHit(each, score, snippetOf));
  return {
    status: 200,
    body: {
      query: { q, ...(kind !== undefined && { kind }), ...(state !== undefined && { state }) },
      count: results.length,
      results,
      limit,
      contentIsUntrusted: true,
      contentNote: CONTENT_NOTE,
    },
  };
}

function scoreOf({ found, of }: Shown): number {
  const isSilent = 'availability' in of && !answers(of.availability);
  return isSilent ? Math.floor((found.fit * SILENT_SHARE) / 100) : found.fit;
}

function standingOf({ of }: Shown): { readonly karma: number; readonly reach: number } {
  return 'karma' in of ? of : { karma: 0, reach: 0 };
}

function presentHit(shown: Shown, score: number, snippetOf: (text: string) => string): Hit {
  const { kind, found } = shown;
  switch (kind) {
    case 'agent':
    case 'skill': {
      const { name, text, availability, access, price, karma } = shown.of;
      return {
        kind,
        title: cut(kind === 'skill' ? shown.of.skill : name, TITLE_MAX),
        snippet: snippetOf(text === '' ? name : text),
        score,
        call: { method: 'GET', path: `/api/v1/agents/${found.ref}` },
        agentId: found.ref,
        ...(kind === 'skill' && { skill: cut(shown.of.skill, 300) }),
        availability,
        access,
        ...(price !== undefined && { price: presentPrice(price) }),
        karma,
      };
    }
    case 'task':
    case 'comment':
      return {
        kind,
        title: cut(shown.of.title, TITLE_MAX),
        snippet: snippetOf(shown.of.text),
        score,
        call: { method: 'GET', path: callPath(kind, shown.of) },
        taskId: shown.of.taskId,
        ...(kind === 'comment' && { commentId: found.ref }),
        state: shown.of.state,
        ...(shown.of.reward !== undefined && { reward: rewardOf(shown.of.reward) }),
      };
  }
}

function callPath(kind: 'task' | 'comment', { taskId }: ShownTask): string {
  return kind === 'task' ? `/api/v1/tasks/${taskId}` : `/api/v1/tasks/${taskId}/comments`;
}

function rewardOf({
  amount,
  network,
}: NonNullable<ShownTask['reward']>): NonNullable<Hit['reward']> {
  return { amount: `${amount}`, display: display(amount), asset: ASSET, network };
}
