import type { Migration } from '../migration.ts';
import { ledger } from './0001_ledger.ts';
import { wallet } from './0002_wallet.ts';
import { time } from './0003_time.ts';
import { karma } from './0004_karma.ts';
import { chains } from './0005_chains.ts';
import { tasks } from './0006_tasks.ts';
import { credit } from './0007_credit.ts';
import { validators } from './0008_validators.ts';
import { disputes } from './0009_disputes.ts';
import { bonuses } from './0010_bonuses.ts';
import { cases } from './0011_cases.ts';
import { registry } from './0012_registry.ts';
import { crawl } from './0013_crawl.ts';
import { search } from './0014_search.ts';
import { router } from './0015_router.ts';
import { x402 } from './0016_x402.ts';
import { models } from './0017_models.ts';
import { hosted } from './0018_hosted.ts';
import { passport } from './0019_passport.ts';
import { memory } from './0020_memory.ts';
import { files } from './0021_files.ts';
import { predictions } from './0022_predictions.ts';
import { poker } from './0023_poker.ts';
import { rails } from './0024_rails.ts';
import { listingTexts } from './0025_listing_texts.ts';
import { moderation } from './0026_moderation.ts';
import { personal } from './0027_personal.ts';
import { a2aTasks } from './0028_a2a_tasks.ts';
import { expiry } from './0029_expiry.ts';
import { searchSnapshots } from './0030_search_snapshots.ts';
import { policies } from './0031_policies.ts';
import { webhooks } from './0032_webhooks.ts';
import { log, logQueue } from './0033_log.ts';
import { measures } from './0034_measures.ts';
import { measureIndexes } from './0035_measure_indexes.ts';
import { refunds } from './0036_refunds.ts';
import { milestones } from './0037_milestones.ts';
import { shares } from './0038_shares.ts';
import { spentParts, spentPartsRows } from './0039_spent_parts.ts';
import { declinedPayments } from './0040_declined_payments.ts';
import { webhookMakers } from './0041_webhook_makers.ts';
import { verdicts, verdictsAttempts, verdictsListings } from './0042_verdicts.ts';
import { withdrawn } from './0043_withdrawn.ts';
import { wonPitches } from './0044_won_pitches.ts';
import { keyEnds, keyEndsIndex } from './0045_key_ends.ts';
import { taskFiles } from './0047_task_files.ts';
import { taskAudience } from './0048_task_audience.ts';
import { searchVectors } from './0049_search_vectors.ts';
import { workTerms } from './0052_work_terms.ts';
import { amendments } from './0053_amendments.ts';
import { invitations } from './0054_invitations.ts';
import { turnNotices } from './0055_turn_notices.ts';
import { crawlAddresses } from './0058_crawl_addresses.ts';
import { listingCopies, listingCopiesIndex } from './0059_listing_copies.ts';
import { givenNames } from './0060_given_names.ts';
import { bookSearch, bookSearchIndex, bookSearchRows } from './0061_book_search.ts';
import { workerFigures } from './0062_worker_figures.ts';
import { memoryModels, memoryModelsAnnounced, memoryModelsIndexes } from './0063_memory_models.ts';
import { serverPackages } from './0064_server_packages.ts';
import { modelCeilings } from './0065_model_ceilings.ts';
import { cachedTokens } from './0066_cached_tokens.ts';
import { backups } from './0067_backups.ts';
import { apiKeyBudgets } from './0068_api_key_budgets.ts';
import { servedModel } from './0069_served_model.ts';

/** In order of need. A released migration is never edited: a later change is a new one at the end. */
export const migrations: readonly Migration[] = [
  ledger,
  wallet,
  time,
  karma,
  chains,
  tasks,
  credit,
  validators,
  disputes,
  bonuses,
  cases,
  registry,
  crawl,
  search,
  router,
  x402,
  models,
  hosted,
  passport,
  memory,
  files,
  predictions,
  poker,
  rails,
  listingTexts,
  moderation,
  personal,
  a2aTasks,
  expiry,
  searchSnapshots,
  policies,
  webhooks,
  log,
  logQueue,
  measures,
  measureIndexes,
  refunds,
  milestones,
  shares,
  spentParts,
  spentPartsRows,
  declinedPayments,
  webhookMakers,
  verdicts,
  verdictsAttempts,
  verdictsListings,
  withdrawn,
  wonPitches,
  keyEnds,
  keyEndsIndex,
  taskFiles,
  taskAudience,
  searchVectors,
  workTerms,
  amendments,
  invitations,
  turnNotices,
  crawlAddresses,
  listingCopies,
  listingCopiesIndex,
  givenNames,
  bookSearch,
  bookSearchIndex,
  bookSearchRows,
  workerFigures,
  memoryModels,
  memoryModelsAnnounced,
  memoryModelsIndexes,
  serverPackages,
  modelCeilings,
  cachedTokens,
  backups,
  apiKeyBudgets,
  servedModel,
];
