import { listingsNamed, listingsWithSkills } from '../../db/tasks/matches.ts';
import type { SkillMatch } from '../../db/tasks/matches.ts';
import { readTask } from '../../db/tasks/tasks.ts';
import { shorten } from '../../domain/text.ts';
import type { Schemas } from '../../server/hub/answered.ts';
import type { Handler } from '../../server/hub/handler.ts';
import type { Hub } from '../../server/hub/hub.ts';
import { noSuchTask } from '../../workflows/tasks/refuse.ts';
import { cutPage, envelopeOf, placeAt } from '../page.ts';
import { UNTRUSTED_TEXTS } from '../untrusted.ts';

type Match = Schemas['TaskMatches']['matches'][number];

const SKILLS_SHOWN_MAX = 20;

/** Listings that offer the skills; nothing of them was asked, so it is an offer to look at. */
export const matches: Handler<'tasks.matches'> = async (call, hub) => {
  const { id } = call.path;
  const { limit, cursor: after } = call.query;
  const offset = after === undefined ? 0 : placeAt(after);
  const span = { limit: limit + 1, offset };
  const { task } = (await hub.store.readOne((db) => readTask(db, id))) ?? noSuchTask();
  const { requiredSkills, title } = task;
  const found =
    requiredSkills.length > 0
      ? await hub.store.read((db) => listingsWithSkills(db, requiredSkills, span))
      : await listingsAbout(hub, title, span);
  const { rows, shown, more } = cutPage(found, limit, presentMatch);
  return {
    status: 200,
    body: {
      taskId: id,
      ...envelopeOf({ rows, more }, limit, () => `${offset + rows.length}`),
      matches: shown,
      ...UNTRUSTED_TEXTS,
    },
  };
};

/** Of each listing it and its tools may be found. */
const FOUND_FOR_EACH = 8;
/** So many finds are looked at, however far the page is. */
const FOUND_MAX = 4_096;

/** Listings that a text fits, best first: by what they say of themselves and of their tools. */
async function listingsAbout(
  { search, store }: Hub,
  text: string,
  { limit, offset }: { readonly limit: number; readonly offset: number },
): Promise<readonly SkillMatch[]> {
  const kinds = ['agent', 'skill'] as const;
  const count = Math.min(FOUND_MAX, (offset + limit) * FOUND_FOR_EACH);
  const found = await search.find({ text, kinds, order: 'score', count });
  const ids = [...new Set(found.map(({ ref }) => ref))].slice(offset, offset + limit);
  return store.read((db) => listingsNamed(db, ids));
}

function presentMatch({ listing, matched }: SkillMatch): Match {
  const { id, name, origin, availability, uptimeBps, karma, passportKeyId } = listing;
  return {
    agentId: id,
    name: shorten(name, 300),
    origin,
    matchedSkills: matched.slice(0, SKILLS_SHOWN_MAX).map((skill) => shorten(skill, 300)),
    availability,
    uptime: uptimeBps / 10_000,
    karma,
    passportKeyId,
  };
}
