/**
 * `npm test` has all but the long files, and suites for both databases on SQLite.
 * `npm run test:long` has the long files, the PostgreSQL runs and the suites "(in full)", so that
 * each test runs once. The layer `db`, where the databases differ, has both in `npm test`.
 */
const LONG = [
  // Kill hubs over and over; conformance/kinds/kill/kill.test.ts stays.
  'conformance/files/kill.test.ts',
  'conformance/hosted/kill.test.ts',
  'conformance/hosted/killProcesses.test.ts',
  'conformance/kinds/kill/claims.test.ts',
  'conformance/kinds/kill/lives.test.ts',
  'conformance/kinds/kill/shares.test.ts',
  'conformance/models/kill.test.ts',
  'conformance/operator/outage.test.ts',
  'conformance/poker/kill.test.ts',
  'conformance/rails/withdrawalKills.test.ts',
  'conformance/router/kill.test.ts',
  'conformance/time/kill.test.ts',
  'conformance/x402/kills.test.ts',
  'conformance/x402/upstreamKills.test.ts',
  // Start chains and facilitators that fail; conformance/x402/pay.test.ts and others stay.
  'conformance/rails/leases.test.ts',
  'conformance/x402/facilitator.test.ts',
  'conformance/x402/hosted.test.ts',
  'conformance/x402/leftOver.test.ts',
  'conformance/x402/stops.test.ts',
  'conformance/x402/takeover.test.ts',
  // Fill limits with thousands of bodies and names; the other attackers stay.
  'conformance/pipeline/storage.test.ts',
  'conformance/pipeline/unread.test.ts',
  'conformance/registry/crawlFeedsHold.test.ts',
  // Compare with a model, or with an index of all documents, for long; conformance/kinds/simulate stays.
  'conformance/games/simulation',
  'conformance/memory/simulation',
  'conformance/poker/leaks.test.ts',
  'conformance/rails/simulation',
  'workflows/kernel/search/snapshots.test.ts',
  // Open a browser; the pages themselves are read in conformance/web/pages.test.ts.
  'conformance/web/browser.test.ts',
  // Pack, install, compile or start whole programs.
  'clients/typescript/pack.test.ts',
  'conformance/discovery/followed.test.ts',
  'conformance/kinds/kit/pack.test.ts',
  'conformance/operator/followedPages.test.ts',
  'conformance/pipeline/startRefusals.test.ts',
  'conformance/kinds/sdk/commands.test.ts',
  'conformance/kinds/sdk/demo.test.ts',
  'conformance/kinds/sdk/generate.test.ts',
  'conformance/kinds/verify/pair.test.ts',
  'tools/newOperation.test.ts',
  'conformance/kinds/coverage/sentTwice.test.ts',
  'tools/docs/samples/samples.test.ts',
  'tools/test/runner.test.ts',
];
/** The second run of a suite for both databases (harness/databases.ts), and the rest of a sample. */
const SECOND = String.raw`\((PostgreSQL|in full)\)`;

const isLong = (file) => LONG.some((path) => file === path || file.startsWith(`${path}/`));

/** Returns the titles that each file of a form runs, or leaves out; undefined for all of them. */
export function choose(form, files) {
  if (form === 'whole') return files.map((file) => ({ file }));
  return files.flatMap((file) => {
    if (isLong(file)) return form === 'long' ? [{ file }] : [];
    if (file.startsWith('db/')) return form === 'long' ? [] : [{ file }];
    return [{ file, titles: { pattern: SECOND, isLeftOut: form === 'short' } }];
  });
}
