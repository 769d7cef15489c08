import type { Migration } from '../migration.ts';
import { ledger } from './0001_ledger.ts';
import { identity } from './0002_identity.ts';
import { tasks } from './0003_tasks.ts';
import { time } from './0004_time.ts';
import { standing } from './0005_standing.ts';
import { pitches } from './0006_pitches.ts';
import { validators } from './0007_validators.ts';
import { chains } from './0008_chains.ts';
import { disputes } from './0009_disputes.ts';
import { bonuses } from './0010_bonuses.ts';
import { registry } from './0011_registry.ts';
import { search } from './0012_search.ts';
import { router } from './0013_router.ts';
import { passports } from './0014_passports.ts';
import { searchWords } from './0015_search_words.ts';
import { memory } from './0016_memory.ts';
import { markets } from './0017_markets.ts';
import { poker } from './0018_poker.ts';
import { keyProposals } from './0019_key_proposals.ts';
import { hosted } from './0023_hosted.ts';
import { rails } from './0020_rails.ts';
import { x402 } from './0021_x402.ts';
import { models } from './0022_models.ts';
import { ledgerPause } from './0028_ledger_pause.ts';
import { searchDocuments } from './0035_search_documents.ts';
import { lendingShares } from './0029_lending_shares.ts';
import { claimTokens } from './0030_claim_tokens.ts';
import { work } from './0031_work.ts';
import { events } from './0032_events.ts';
import { x402Upstream } from './0039_x402_upstream.ts';
import { listingReports } from './0042_listing_reports.ts';
import { eventSubjects } from './0043_event_subjects.ts';
import { fewerTrips } from './0045_fewer_trips.ts';
import { desk } from './0049_desk.ts';
import { keptEvents } from './0051_kept_events.ts';
import { accountLinks } from './0080_account_links.ts';
import { noteDeletions } from './0081_note_deletions.ts';
import { custody } from './0070_custody.ts';
import { fromBalance } from './0120_from_balance.ts';
import { analyser } from './0140_analyser.ts';
import { hostedTakenDown } from './0150_hosted_taken_down.ts';
import { pastNumbers } from './0060_past_numbers.ts';
import { mcpServers } from './0180_mcp_servers.ts';
import { crawlFeeds } from './0181_crawl_feeds.ts';
import { quotedAccepts } from './0182_quoted_accepts.ts';

/** In order; new ones are added at the end. */
export const migrations: readonly Migration[] = [
  ledger,
  identity,
  tasks,
  time,
  standing,
  pitches,
  validators,
  chains,
  disputes,
  bonuses,
  registry,
  search,
  router,
  passports,
  searchWords,
  memory,
  markets,
  poker,
  keyProposals,
  hosted,
  rails,
  x402,
  models,
  ledgerPause,
  searchDocuments,
  lendingShares,
  claimTokens,
  work,
  events,
  x402Upstream,
  listingReports,
  eventSubjects,
  fewerTrips,
  desk,
  keptEvents,
  accountLinks,
  noteDeletions,
  custody,
  pastNumbers,
  fromBalance,
  analyser,
  hostedTakenDown,
  mcpServers,
  crawlFeeds,
  quotedAccepts,
];
