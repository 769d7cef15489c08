// npm test: all tests, in worker processes. `docs/testing.md` says how to call it.
import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statfsSync,
  writeFileSync,
} from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { choose } from './test/forms.mjs';
import { runAll } from './test/pool.mjs';
import { createReport } from './test/report.mjs';
import { filesBelow, LAYERS, select } from './test/select.mjs';
import { ROOT, translateAll } from './test/typescript.mjs';

const TIMEOUT_MS = 60_000;
const DURATIONS = join(ROOT, 'tools/test/durations.json');
/** Shorter files need no place of their own in the order. */
const NOTED_MS_MIN = 1_000;
/** With more bad files than these it is no matter of the machine's pace. */
const AGAIN_FILES_MAX = 3;
const MEMORY = '/dev/shm';
const MEMORY_BYTES_MIN = 3 * 2 ** 30;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    grep: { type: 'string', short: 'g' },
    workers: { type: 'string', short: 'w' },
    soak: { type: 'boolean', default: false },
    long: { type: 'boolean', default: false },
    list: { type: 'boolean', default: false },
    record: { type: 'boolean', default: false },
    again: { type: 'string' },
  },
});
const began = performance.now();
const known = JSON.parse(readFileSync(DURATIONS, 'utf8'));

let chosen;
try {
  chosen = choose(formOf(), byLength(select(positionals)));
} catch (error) {
  process.stderr.write(`${error.message}\n`);
  process.exit(2);
}
if (values.list) {
  process.stdout.write(chosen.map(({ file }) => `${file}\n`).join(''));
  process.exit();
}
// One more than there are cores: a file often waits for its database, a child or a timer.
const workers = Number(values.workers ?? availableParallelism() + 1);
const sources = [...LAYERS, 'generated'].flatMap((layer) => filesBelow(layer, '.ts'));
const tree = await translateAll(sources.map((path) => join(ROOT, path)));

const folder = shelf();
process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
process.env.TMPDIR = folder;
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(130));

const report = createReport(chosen.length);
const durations = {};
const run = (files, lanes) =>
  runAll(files, {
    workers: lanes,
    env: { ...process.env, TMPDIR: folder, TESTS_TREE: tree, ...(values.soak && { SOAK: '1' }) },
    options: { grep: values.grep, timeoutMs: TIMEOUT_MS, isWhole: values.grep === undefined },
    report,
    durations,
  });
await run(chosen, workers);
// A whole run retries failed files alone, to separate timing faults. Named files are not retried.
const againMax = Number(values.again ?? (positionals.length === 0 ? AGAIN_FILES_MAX : 0));
const doubtful = report.badFiles();
if (doubtful.length <= againMax) {
  for (const file of doubtful) {
    report.setAside(file);
    await run(
      chosen.filter((each) => each.file === file),
      1,
    );
  }
}
if (values.record) record();
const isGood = report.close(performance.now() - began, workers);
process.exitCode = isGood ? 0 : 1;

/** Titles and files that are named run whole. */
function formOf() {
  if (values.grep !== undefined) return 'whole';
  if (values.long) return 'long';
  return positionals.length > 0 ? 'whole' : 'short';
}

/** The longest first; files that one worker is given by name keep the order in which they stand. */
function byLength(paths) {
  if (positionals.length > 0 && values.workers === '1') return paths;
  return paths.sort((one, other) => (known[other] ?? 0) - (known[one] ?? 0));
}

/** Notes how long the long files took, which the next run reads for its order. */
function record() {
  const noted = Object.entries({ ...known, ...durations })
    .filter(([path, ms]) => ms >= NOTED_MS_MIN && existsSync(join(ROOT, path)))
    .map(([path, ms]) => [path, Math.round(ms / 100) * 100])
    .sort(([, one], [, other]) => other - one);
  writeFileSync(DURATIONS, `${JSON.stringify(Object.fromEntries(noted), null, 2)}\n`);
}

/** Where all that a run writes lies: in memory where there is enough, since nothing of it stays. */
function shelf() {
  const isRoomy = existsSync(MEMORY) && room(MEMORY) > MEMORY_BYTES_MIN;
  const made = mkdtempSync(join(isRoomy ? MEMORY : tmpdir(), 'hub-tests-'));
  // PostgreSQL may run as another user, and finds its folder in this one.
  chmodSync(made, 0o711);
  return made;
}

function room(path) {
  const { bavail, bsize } = statfsSync(path);
  return bavail * bsize;
}
