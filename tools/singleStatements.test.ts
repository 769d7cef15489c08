import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { dirname, basename } from 'node:path';
import { sources } from './tree.ts';

/**
 * Units of single statements that are left, by folder and file, with their number where it is more
 * than one (choices store.transactions). A change may shorten this list; what is new is a
 * transaction, which decides without waiting.
 */
const LEFT: Readonly<Record<string, string>> = {
  'db/search': 'run',
  'handlers/files': 'delete, get, put, rename',
  'handlers/hosted': 'connection, delete, publish 2',
  'handlers/memory': 'createSpace, deleteSpace, grant, import, renameSpace, search',
  'handlers/passport': 'claim, claimEndpoint, create, verify',
  'handlers/predictions': 'resolve',
  'handlers/registry': 'changeReport, refunds, review',
  'handlers/services': 'compressPrompt, credit',
  'handlers/tasks': 'trial',
  'handlers/validators': 'register, resign',
  'handlers/wallet':
    'appeal, bindKey, credit, decide, payoutAddress, recall, revokeKey, ' + 'setPolicy, withdraw',
  'handlers/webhooks': 'create, delete, update',
  'server/commands': 'board, feed 3, freeze, moderation, plant, pulses, withdrawals',
  'server/dispatch': 'answerOnce, keyRefusals',
  'server/doors/a2a': 'taskStore 3',
  'server/jobs': 'housekeeping 2',
  'server/operator': 'admin, traces',
  'workflows/cases': 'record',
  'workflows/credit': 'refill',
  'workflows/files': 'put 2, sweep 2',
  'workflows/hosted': 'jobs 4, look, tunnel 3',
  'workflows/karma': 'measure 2',
  'workflows/kernel': 'addressAllowances',
  'workflows/kernel/keys': 'keys 2',
  'workflows/kernel/search': 'snapshots 3',
  'workflows/log': 'begin, cosign, sequence',
  'workflows/memory': 'delete, reindex',
  'workflows/models': 'jobs, lease',
  'workflows/moderation': 'jobs 2',
  'workflows/panels': 'judgeCalls',
  'workflows/passport': 'jobs 2',
  'workflows/personal': 'erase 3',
  'workflows/predictions': 'jobs, settle',
  'workflows/rails': 'depositAddress 2, endWithdrawal 2, leases 3, reconcile, sweep',
  'workflows/registry':
    'copies, crawlFeeds 5, jobs 4, probeNow 3, quota, report, submission, texts',
  'workflows/router': 'conclude 2, jobs',
  'workflows/search': 'makeVectors 7',
  'workflows/services': 'rewrite 2',
  'workflows/tasks': 'board 2, bonusThreads 2, files, houseDemand 2, starterStock, turns, welcome',
  'workflows/time': 'begin, issuePulse 2, jobs, sealJournal 2',
  'workflows/validators': 'measure, seatProbe 2',
  'workflows/wallet': 'houseMoney, jobs',
  'workflows/webhooks': 'deliver 4, endOfKey, sendNow',
  'workflows/x402': 'jobs 4, reserve, settle 3, upstreamFate 2',
};

const UNIT = /\bstore\.write\(|\bhub\.(?:act|once)\(/g;
const LAYERS = /^(db|workflows|handlers|server)\//;

describe('units of single statements', () => {
  it('are those of the list, which only grows shorter', () => {
    const found: Record<string, string[]> = {};
    for (const path of sources) {
      if (!LAYERS.test(path) || path.endsWith('.test.ts')) continue;
      const { length } = readFileSync(path, 'utf8').match(UNIT) ?? [];
      if (length === 0) continue;
      const name = basename(path, '.ts');
      (found[dirname(path)] ??= []).push(length === 1 ? name : `${name} ${length}`);
    }
    const texts = Object.entries(found).map(([folder, names]) => [folder, names.sort().join(', ')]);
    assert.deepEqual(Object.fromEntries(texts), LEFT);
  });
});
