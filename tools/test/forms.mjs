/**
 * What `npm test` runs and what it leaves to `npm run test:long`. Together they run everything, and
 * no test twice: `npm test` has all files but the long ones, and of a suite for both databases the
 * run on SQLite; the other one has the long files whole and the runs on PostgreSQL. Tests of the
 * layer `db`, where the databases differ, are for both in `npm test`.
 */
const LONG = [
  // Kill hubs over and over; conformance/kill/kill.test.ts stays.
  'conformance/files/kill.test.ts',
  'conformance/hosted/kill.test.ts',
  'conformance/hosted/killProcesses.test.ts',
  'conformance/kill/claims.test.ts',
  'conformance/kill/lives.test.ts',
  'conformance/kill/shares.test.ts',
  'conformance/models/kill.test.ts',
  'conformance/poker/kill.test.ts',
  'conformance/rails/withdrawalKills.test.ts',
  'conformance/router/kill.test.ts',
  'conformance/time/kill.test.ts',
  'conformance/x402/kills.test.ts',
  'conformance/x402/upstreamKills.test.ts',
  // Simulate beside a model for long; conformance/simulate stays.
  'conformance/games/simulation',
  'conformance/memory/simulation',
  'conformance/rails/simulation',
  // Open a browser; the pages themselves are read in conformance/web/pages.test.ts.
  'conformance/web/browser.test.ts',
  // Pack and install packages.
  'clients/typescript/pack.test.ts',
  'conformance/kit/pack.test.ts',
];
/** How the titles of the second run of a suite for both databases end (harness/databases.ts). */
const SECOND = String.raw`\(PostgreSQL\)`;

const isLong = (file) => LONG.some((path) => file === path || file.startsWith(`${path}/`));

/** Of each file of a form the titles that it runs, or leaves out; undefined for all of them. */
export function choose(form, files) {
  if (form === 'whole') return files.map((file) => ({ file }));
  return files.flatMap((file) => {
    if (isLong(file)) return form === 'long' ? [{ file }] : [];
    if (file.startsWith('db/')) return form === 'long' ? [] : [{ file }];
    return [{ file, titles: { pattern: SECOND, isLeftOut: form === 'short' } }];
  });
}
