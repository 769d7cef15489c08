import type { SqlObject } from './writeObject.ts';
import { CHAIN_STEPS, CHAINS, STEPS_OF_CHAIN } from '../chains/chains.ts';
import { CREDIT_LINES } from '../credit/lines.ts';
import { LOAN_PAYMENTS, LOANS, UNPAID_LOANS } from '../credit/loans.ts';
import { HOSTED_SERVED } from '../hosted/agents.ts';
import { HOSTED_CALLS } from '../hosted/calls.ts';
import { IDEMPOTENCY } from '../idempotency.ts';
import {
  KARMA_EARLIER,
  KARMA_ENTRIES,
  KARMA_GIVEN,
  KARMA_SHOWN,
  KARMA_SUMS,
  KARMA_TOTALS,
} from '../karma/karmaTables.ts';
import { ACCOUNTS } from '../ledger/accountsTable.ts';
import { COMMITMENTS, ENTRIES, LEDGER_NEXT, TRANSFERS } from '../ledger/ledgerTables.ts';
import {
  MEMORY_ACCOUNTS,
  MEMORY_GRANTS,
  MEMORY_SPACES,
  FORMER_WORDS,
  KEYED_NOTES,
  NOTE_WORDS,
  NOTES,
  OVERWRITES,
  RENTS,
} from '../memory/memoryTables.ts';
import { MODEL_ATTEMPTS } from '../models/attempts.ts';
import { MODEL_CALLS } from '../models/calls.ts';
import { MODEL_SPEND } from '../models/spend.ts';
import { NONCES } from '../nonces.ts';
import { POKER_SEATS } from '../poker/seats.ts';
import { POKER_EVENTS, POKER_HANDS, POKER_TABLES, UNFINISHED_TABLES } from '../poker/tables.ts';
import { MARKETS } from '../predictions/markets.ts';
import { BETS, POSITIONS } from '../predictions/positions.ts';
import { CALL_ATTEMPTS } from '../router/attempts.ts';
import { BREAKERS, CALLS } from '../router/calls.ts';
import { CALL_QUOTES } from '../router/quotes.ts';
import {
  ATTEMPT_NAMED,
  ATTEMPT_OF_TOKEN,
  ATTEMPTS,
  CLAIMABLE,
  RESULTS,
  TASK_TABLES,
  TASKS,
} from '../tasks/taskTables.ts';
import { DISPUTES } from '../tasks/disputes.ts';
import { LINKED, LINKS, OF_REQUESTER } from '../tasks/linkLookups.ts';
import { PITCH_NAMED, PITCHES } from '../tasks/pitches.ts';
import { STARTER_GRANTS } from '../tasks/starterGrants.ts';
import { TRIALS } from '../tasks/trials.ts';
import { BEFORE_WELCOME, OTHER_JOBS, WELCOME_GRANTS } from '../tasks/welcomeGrants.ts';
import {
  CLAIMANTS,
  HISTORIES,
  HISTORIES_ON_CLAIMABLE,
  STARTER_USE,
} from '../tasks/workerLookups.ts';
import { GOOD_API_KEYS } from '../wallet/apiKeys.ts';
import { SEALED_RANDOM } from '../time/pulses.ts';
import { CASES_OF_TASK, PANEL_CASES } from '../validators/cases.ts';
import { LARGEST_STAKE } from '../validators/largestStake.ts';
import { PANELISTS, PANELISTS_OF_ROUND } from '../validators/panelists.ts';
import { PANEL_POOLS } from '../validators/pool.ts';
import { ROUNDS, ROUNDS_IN_FORCE } from '../validators/rounds.ts';
import { SEATS } from '../validators/seats.ts';
import { KEY_HOMES } from '../wallet/homes.ts';
import { KEY_APPROVALS } from '../wallet/approvals.ts';
import { NETWORK_KINDS } from '../wallet/networks.ts';
import { KEY_POLICIES } from '../wallet/policies.ts';
import { guardObjects } from './guards.ts';
import { NOTED_OBJECTS } from './noted.ts';
import type { AnyTable } from './need.ts';
import { UNCHANGED } from './versions.ts';

/** In the order in which a batch locks what it reads: a call or task goes before the money of it. */
export const readOrder: readonly AnyTable[] = [
  NONCES,
  KEY_HOMES,
  GOOD_API_KEYS,
  TASKS,
  CLAIMABLE,
  CHAINS,
  SEATS,
  CLAIMANTS,
  KARMA_TOTALS,
  CREDIT_LINES,
  CALLS,
  BREAKERS,
  CALL_QUOTES,
  MARKETS,
  POSITIONS,
  POKER_TABLES,
  POKER_SEATS,
  UNFINISHED_TABLES,
  MODEL_CALLS,
  MODEL_SPEND,
  MEMORY_SPACES,
  MEMORY_GRANTS,
  MEMORY_ACCOUNTS,
  NOTES,
  KEYED_NOTES,
  LEDGER_NEXT,
  ACCOUNTS,
  COMMITMENTS,
  KEY_POLICIES,
  KEY_APPROVALS,
  HOSTED_SERVED,
  IDEMPOTENCY,
  KARMA_GIVEN,
  KARMA_EARLIER,
  KARMA_SUMS,
  LINKED,
  LINKS,
  OF_REQUESTER,
  HISTORIES,
  HISTORIES_ON_CLAIMABLE,
  ATTEMPTS,
  ATTEMPT_NAMED,
  ATTEMPT_OF_TOKEN,
  RESULTS,
  DISPUTES,
  PITCHES,
  PITCH_NAMED,
  CHAIN_STEPS,
  STEPS_OF_CHAIN,
  PANEL_CASES,
  CASES_OF_TASK,
  ROUNDS,
  ROUNDS_IN_FORCE,
  PANELISTS,
  PANELISTS_OF_ROUND,
  PANEL_POOLS,
  SEALED_RANDOM,
  UNPAID_LOANS,
  LOANS,
  NETWORK_KINDS,
  STARTER_USE,
  TRIALS,
  WELCOME_GRANTS,
  BEFORE_WELCOME,
  OTHER_JOBS,
  LARGEST_STAKE,
].map((table) => table as AnyTable);

/** In the order in which a batch writes: what is named goes before what names it. */
export const writeOrder: readonly AnyTable[] = [
  NONCES,
  KEY_HOMES,
  MEMORY_SPACES,
  MEMORY_ACCOUNTS,
  NOTES,
  OVERWRITES,
  FORMER_WORDS,
  NOTE_WORDS,
  ACCOUNTS,
  TRANSFERS,
  ENTRIES,
  RENTS,
  COMMITMENTS,
  KEY_POLICIES,
  KEY_APPROVALS,
  KARMA_ENTRIES,
  KARMA_TOTALS,
  KARMA_SHOWN,
  CREDIT_LINES,
  LOANS,
  LOAN_PAYMENTS,
  SEATS,
  CHAINS,
  ...TASK_TABLES,
  CHAIN_STEPS,
  DISPUTES,
  PITCHES,
  PANEL_CASES,
  ROUNDS,
  PANELISTS,
  STARTER_GRANTS,
  TRIALS,
  WELCOME_GRANTS,
  MARKETS,
  POSITIONS,
  BETS,
  POKER_TABLES,
  POKER_SEATS,
  POKER_EVENTS,
  POKER_HANDS,
  MODEL_SPEND,
  MODEL_CALLS,
  MODEL_ATTEMPTS,
  CALLS,
  CALL_ATTEMPTS,
  BREAKERS,
  CALL_QUOTES,
  HOSTED_SERVED,
  HOSTED_CALLS,
  IDEMPOTENCY,
].map((table) => table as AnyTable);

/** Everything that batches call in the database. */
export const sqlObjects: readonly SqlObject[] = [
  ...[...new Set([...readOrder, ...writeOrder])].flatMap((table) => [
    ...(table.calls ?? []),
    ...[table.insert, table.update, table.remove, table.unmake].filter(
      (object) => object !== undefined,
    ),
  ]),
  ...guardObjects(readOrder),
  UNCHANGED,
  ...NOTED_OBJECTS,
];
