import { listingsNamed, listingsWithSkills } from '../../db/tasks/matches.ts';
import type { SkillMatch } from '../../db/tasks/matches.ts';
import { atWork, workersOf, type FiguresRow } from '../../db/tasks/workerFigures.ts';
import { readTask } from '../../db/tasks/tasks.ts';
import type { Account } from '../../domain/account.ts';
import { defined } from '../../domain/defined.ts';
import { ALL_WORK, labelsOf } from '../../domain/tasks/figures.ts';
import type { Task } from '../../domain/tasks/model.ts';
import { shorten } from '../../domain/text.ts';
import type { Schemas } from '../../workflows/kernel/answered.ts';
import type { Handler } from '../../workflows/kernel/handler.ts';
import type { Hub } from '../../workflows/kernel/hub.ts';
import { noSuchTask } from '../../workflows/tasks/refuse.ts';
import { cutPage, envelopeOf, placeAt } from '../page.ts';
import { UNTRUSTED_TEXTS } from '../untrusted.ts';
import { foundWorker, presentWorker } from './present/worker.ts';

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
  const workers = offset === 0 ? await workersFor(hub, task) : undefined;
  return {
    status: 200,
    body: {
      taskId: id,
      ...envelopeOf({ rows, more }, limit, () => `${offset + rows.length}`),
      matches: shown,
      ...defined({ workers }),
      ...UNTRUSTED_TEXTS,
    },
  };
};

/** Workers that are shown, and looked at for each skill or tag. */
const WORKERS_SHOWN_MAX = 10;
const WORKERS_OF_LABEL_MAX = 40;

/** Accounts that were paid for work with the labels of the task, those with most labels first. */
async function workersFor(hub: Hub, task: Task): Promise<Schemas['WorkerFigures'][]> {
  const network = task.reward?.network ?? hub.settings.network;
  const [all, ...named] = labelsOf(task);
  const labels = named.length > 0 ? named : [all ?? ALL_WORK];
  return hub.store.read(async (db) => {
    const counts = new Map<Account, { readonly row: FiguresRow; readonly labels: number }>();
    for (const label of labels) {
      for (const row of await workersOf(db, { network, label, limit: WORKERS_OF_LABEL_MAX })) {
        const { worker } = row;
        const isOpen = worker !== task.requester && hub.moderation.against(worker) === undefined;
        const known = counts.get(worker);
        if (isOpen)
          counts.set(worker, { row: known?.row ?? row, labels: 1 + (known?.labels ?? 0) });
      }
    }
    const best = [...counts.values()]
      .sort((a, b) => b.labels - a.labels || Number(b.row.earned - a.row.earned))
      .slice(0, WORKERS_SHOWN_MAX)
      .map(({ row }) => row);
    const now = await atWork(
      db,
      best.map(({ worker }) => worker),
    );
    return best.map((row) => presentWorker(foundWorker(row, now.get(row.worker))));
  });
}

/** A listing is found by itself and by its tools. */
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
