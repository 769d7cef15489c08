import { listingRows } from '../../db/registry/listings.ts';
import { hostListings } from '../../db/registry/origins.ts';
import { targetsOfHost } from '../../db/registry/targets.ts';
import { earliest } from '../../domain/instant.ts';
import type { CrawlStep, Target } from '../../domain/registry/target.ts';
import type { Schemas } from '../../workflows/kernel/answered.ts';
import { refuse } from '../../workflows/kernel/errors.ts';
import type { Handler } from '../../workflows/kernel/handler.ts';
import { presentProbe, presentSummary } from '../registry/present/submission.ts';
import { UNTRUSTED_LISTINGS } from '../untrusted.ts';

type HostRecord = Schemas['HostRecord'];

const LISTINGS_MAX = 500;
const DOCUMENTS_MAX = 50;

export const host: Handler<'discovery.host'> = async ({ path }, hub) => {
  const name = path.host.toLowerCase();
  const found = await hub.store.read(async (db) => {
    const targets = await targetsOfHost(db, name);
    const { count, listings } = await hostListings(db, name, LISTINGS_MAX);
    const [best] = await listingRows(
      db,
      listings.slice(0, 1).map(({ id }) => id),
    );
    return { targets, count, listings, best };
  });
  const { count, listings, best } = found;
  // The one that was looked at last speaks for the host.
  const targets = [...found.targets].sort((a, b) => (b.lastLookAt ?? 0) - (a.lastLookAt ?? 0));
  const [target] = targets;
  if (target === undefined) {
    return refuse('not-found', {
      error: `The crawler does not know ${name}.`,
      hint: `Submit it: POST /api/v1/agents {"url":"https://${name}"}.`,
      field: 'path.host',
    });
  }
  const firstSeenAt = targets.map((each) => each.firstSeenAt).reduce(earliest);
  return {
    status: 200,
    body: {
      host: name,
      firstSeenAt,
      lastLookAt: target.lastLookAt,
      nextLookAt: targets.map((each) => each.nextLookAt).reduce(earliest),
      foundBy: target.foundBy,
      passportKeyId: best?.passportKeyId,
      verification: best?.verification,
      ...robotsOf(target),
      count,
      listings: listings.map(presentSummary),
      documents: lastOfEach(targets).slice(0, DOCUMENTS_MAX).map(presentProbe),
      submissions: targets.reduce((sum, { submissions }) => sum + submissions, 0),
      ...UNTRUSTED_LISTINGS,
      next: [
        {
          action: 'registry.submit',
          who: 'anyone',
          call: { method: 'POST', path: '/api/v1/agents', body: { url: target.origin } },
        },
      ],
    },
  };
};

function robotsOf({ robots }: Target): Pick<HostRecord, 'robots'> {
  if (robots === undefined) return {};
  const { fetchedAt, rule, crawlDelaySeconds } = robots;
  const delay = crawlDelaySeconds === undefined ? {} : { crawlDelaySeconds };
  return { robots: { fetchedAt, rule, ...delay } };
}

function lastOfEach(targets: readonly Target[]): readonly CrawlStep[] {
  const probes = targets.flatMap(({ report }) => report?.probes ?? []);
  return [...new Map(probes.map((probe) => [`${probe.step} ${probe.url}`, probe])).values()];
}
