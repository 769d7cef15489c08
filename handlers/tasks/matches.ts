import { listingsAbout, listingsWithSkills } from '../../db/tasks/matches.ts';
import type { SkillMatch } from '../../db/tasks/matches.ts';
import { readTask } from '../../db/tasks/tasks.ts';
import { shorten } from '../../domain/text.ts';
import type { components } from '../../generated/types.ts';
import type { Handler } from '../../server/hub/handler.ts';
import { noSuchTask } from '../../workflows/tasks/refuse.ts';
import { UNTRUSTED_TEXTS } from '../untrusted.ts';

type Match = components['schemas']['TaskMatches']['matches'][number];

const SKILLS_SHOWN_MAX = 20;

/** Listings that offer the skills; nothing of them was asked, so it is an offer to look at. */
export const matches: Handler<'tasks.matches'> = async (call, hub) => {
  const { id } = call.path;
  const { limit } = call.query;
  const found = await hub.store.read(async (db) => {
    const { task } = (await readTask(db, id)) ?? noSuchTask();
    const { requiredSkills, title } = task;
    return requiredSkills.length > 0
      ? listingsWithSkills(db, requiredSkills, limit)
      : listingsAbout(db, title, limit);
  });
  return {
    status: 200,
    body: {
      taskId: id,
      count: found.length,
      matches: found.map(presentMatch),
      limit,
      ...UNTRUSTED_TEXTS,
    },
  };
};

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
    ...(passportKeyId !== undefined && { passportKeyId }),
  };
}
