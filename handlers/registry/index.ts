import type { HandlersOf } from '../../workflows/kernel/handler.ts';
import { attestations } from './attestations.ts';
import { badge } from './badge.ts';
import { changeReport } from './changeReport.ts';
import { claimSteps } from './claimSteps.ts';
import { compare } from './compare.ts';
import { crawlFeeds } from './crawlFeeds.ts';
import { diagnosis } from './diagnosis.ts';
import { feed } from './feed.ts';
import { get } from './get.ts';
import { list } from './list.ts';
import { history } from './history.ts';
import { refunds } from './refunds.ts';
import { reliability } from './reliability.ts';
import { reputation } from './reputation.ts';
import { report } from './report.ts';
import { reports } from './reports.ts';
import { review } from './review.ts';
import { servers } from './servers.ts';
import { serverVersion } from './serverVersion.ts';
import { serverVersions } from './serverVersions.ts';
import { submission } from './submission.ts';
import { submit } from './submit.ts';
import { submitMcp } from './submitMcp.ts';

export const registry = {
  'registry.submission': submission,
  'registry.submit': submit,
  'registry.submitMcp': submitMcp,
  'registry.attestations': attestations,
  'registry.history': history,
  'registry.reliability': reliability,
  'registry.reputation': reputation,
  'registry.refunds': refunds,
  'registry.review': review,
  'registry.report': report,
  'registry.reports': reports,
  'registry.changeReport': changeReport,
  'registry.list': list,
  'registry.get': get,
  'registry.claimSteps': claimSteps,
  'registry.feed': feed,
  'registry.badge': badge,
  'registry.compare': compare,
  'registry.diagnosis': diagnosis,
  'registry.crawlFeeds': crawlFeeds,
  'registry.servers': servers,
  'registry.serverVersions': serverVersions,
  'registry.serverVersion': serverVersion,
} satisfies HandlersOf<'registry'>;
