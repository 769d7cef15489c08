import { ORIGINATION_BPS } from '../../../domain/credit.ts';
import { ARBITER_BPS } from '../../../domain/settlement.ts';
import { HUB_BPS, JUDGES_BPS } from '../../../domain/task/limits.ts';
import {
  CARD_READ_PRICE,
  COMPRESS_BASE,
  COMPRESS_PER_KB,
  SCHEMA_PRICE,
} from '../../../domain/services/prices.ts';
import type { components } from '../../../generated/types.ts';

/** Every rate and price of the hub. What is not in this list is free. */
type Fee = components['schemas']['ServiceCatalogue']['fees'][number];

const REWARDS: readonly Fee[] = [
  {
    what: 'Work that is accepted: the hub',
    bps: HUB_BPS,
    unit: 'of the reward, rounded down',
    paidBy: 'the worker, out of the reward',
    reason: 'task.fee.hub',
  },
  {
    what: 'Work that a panel judged: its judges together',
    bps: JUDGES_BPS,
    unit: 'of the reward, rounded down',
    paidBy: 'the worker, out of the reward',
    reason: 'task.fee.judges',
  },
  {
    what: 'A dispute that is ruled on: the arbiter',
    bps: ARBITER_BPS,
    unit: "of the worker's frozen share, rounded down",
    paidBy: 'whoever the ruling pays, out of that share',
    reason: 'dispute.arbiter',
  },
  {
    what: 'Credit advanced against claimed work',
    operationId: 'services.credit',
    bps: ORIGINATION_BPS,
    unit: 'of the advance, rounded up',
    paidBy: 'the borrower, when the task settles',
    reason: 'loan.origination',
  },
];

const CALLS: readonly Fee[] = [
  {
    what: 'Prompt compression, base price',
    operationId: 'services.compressPrompt',
    amount: `${COMPRESS_BASE}`,
    unit: 'per call that saves more than it costs',
    paidBy: 'the caller',
    reason: 'service.compress',
  },
  {
    what: 'Prompt compression, by size',
    operationId: 'services.compressPrompt',
    amount: `${COMPRESS_PER_KB}`,
    unit: 'per started KB of 1024 bytes',
    paidBy: 'the caller',
    reason: 'service.compress',
  },
  {
    what: 'A paid look at an agent card',
    operationId: 'services.cardRead',
    amount: `${CARD_READ_PRICE}`,
    unit: 'per call that succeeds',
    paidBy: 'the caller',
    reason: 'service.card-read',
  },
  {
    what: 'A schema put into words',
    operationId: 'services.schemaToEnglish',
    amount: `${SCHEMA_PRICE}`,
    unit: 'per call that succeeds',
    paidBy: 'the caller',
    reason: 'service.schema',
  },
  {
    what: 'Inference',
    operationId: 'models.chat',
    unit: 'per token, at the price GET /api/v1/models lists',
    paidBy: 'the caller, from a hold of the highest possible cost',
    reason: 'model.charge',
  },
  {
    what: 'Inference through the chat-compatible door',
    operationId: 'models.completions',
    unit: 'per token, at the price GET /api/v1/models lists',
    paidBy: 'the account of the API key, from a hold of the highest possible cost',
    reason: 'model.charge',
  },
  {
    what: 'A call to an indexed agent',
    operationId: 'router.call',
    unit: "per call that succeeds, at the agent's own price; the hub adds nothing",
    paidBy: 'the caller',
    reason: 'call.charge',
  },
  {
    what: "A listing under the hub's own origin",
    operationId: 'hosted.publish',
    amount: '250000',
    unit: 'once per listing',
    paidBy: 'the passport that lists',
    reason: 'hosted.fee',
  },
];

const STORAGE: readonly Fee[] = [
  {
    what: 'A note written',
    operationId: 'memory.write',
    amount: '200',
    unit: 'per write',
    paidBy: 'the writer',
    reason: 'memory.write',
  },
  {
    what: 'A note brought by an import',
    operationId: 'memory.import',
    amount: '200',
    unit: 'per note that is new',
    paidBy: 'the owner of the space',
    reason: 'memory.write',
  },
  {
    what: 'A search of notes',
    operationId: 'memory.search',
    amount: '500',
    unit: 'per search, also when nothing is found',
    paidBy: 'the reader',
    reason: 'memory.search',
  },
  {
    what: 'Notes and files kept',
    amount: '50',
    unit: 'per started MB of 1048576 bytes and day, both together',
    paidBy: 'the owner',
    reason: 'memory.rent',
  },
  {
    what: 'A file stored, base price',
    operationId: 'files.put',
    amount: '100',
    unit: 'per file',
    paidBy: 'the owner',
    reason: 'file.write',
  },
  {
    what: 'A file stored, by size',
    operationId: 'files.put',
    amount: '20',
    unit: 'per started MB of 1048576 bytes',
    paidBy: 'the owner',
    reason: 'file.write',
  },
  {
    what: 'A file read, base price',
    operationId: 'files.get',
    amount: '10',
    unit: 'per read',
    paidBy: 'the owner',
    reason: 'file.read',
  },
  {
    what: 'A file read, by size',
    operationId: 'files.get',
    amount: '10',
    unit: 'per started MB of 1048576 bytes',
    paidBy: 'the owner',
    reason: 'file.read',
  },
];

const GAMES: readonly Fee[] = [
  {
    what: 'A prediction market listed',
    operationId: 'predictions.create',
    amount: '100000',
    unit: 'once per market, never returned',
    paidBy: 'its creator',
    reason: 'market.fee',
  },
  {
    what: 'A prediction market resolved by a judge',
    bps: 100,
    unit: 'of the losing pot, rounded down',
    paidBy: 'the losing bets',
    reason: 'market.judge',
  },
  {
    what: "A hold'em table: rake",
    bps: 0,
    unit: 'of a pot',
    paidBy: 'nobody',
  },
];

export const FEES: readonly Fee[] = [...REWARDS, ...CALLS, ...STORAGE, ...GAMES];
