// `npm run mutate -- [--quick] PATH …`: changes the code of a folder or a file, one place at a time,
// and counts the changes that its tests notice. The score of each area (`domain/tasks`) is kept in
// docs/testing.md, and what no test noticed is printed.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { availableParallelism, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { installPackages } from '../installPackages.mjs';
import { keepRow } from '../outcomes.mjs';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const COLUMNS = ['code', 'score', 'changes', 'date'];
/** The code is copied for each run, without what no test of the layer reads. */
const NOT_COPIED = ['clients/web', 'deploy', 'dist', 'docs'];
const ABOVE_DOMAIN = ['handlers', 'workflows'];
/**
 * A change that is a mistake on one database is one on the other, and a server is slow to start. The
 * code counts what runs in it, so limits of time are not met.
 */
const TESTS = String.raw`^(?!.*(\(PostgreSQL\)|takes time|within \d+ ms))`;
const FOUND = ['Killed', 'Timeout'];
const MISSED = ['Survived', 'NoCoverage'];
const require = createRequire(import.meta.url);

const isQuick = process.argv.includes('--quick');
const paths = process.argv.slice(2).filter((word) => word !== '--quick');
if (paths.length === 0) throw new Error('name a folder or a file, such as domain/tasks');
installPackages(import.meta.dirname, 'Stryker');
for (const together of withSameTests(paths)) {
  const mutants = mutate(together);
  for (const path of together)
    record(
      path,
      mutants.filter(({ file }) => isBelow(file, path)),
    );
}

function record(path, mutants) {
  const noticed = mutants.filter(({ status }) => FOUND.includes(status)).length;
  const missed = mutants.filter(({ status }) => MISSED.includes(status));
  for (const { file, line, replacement, status } of missed) {
    console.log(`${file}:${line}: ${replacement.replaceAll(/\s+/g, ' ')} (${status})`);
  }
  const changes = noticed + missed.length;
  const score = `${((100 * noticed) / changes).toFixed(1)} %`;
  const date = new Date().toISOString().slice(0, 10);
  const isArea = path.split('/').length === 2;
  if (isArea) keepRow(COLUMNS, path, [score, String(changes), date]);
  console.log(`${path}: ${noticed} of ${changes} changes were noticed, ${score}`);
}

/** Files of one folder have the same tests, so they share a run. */
function withSameTests(all) {
  const groups = new Map();
  for (const path of all) {
    const tests = specsFor(path).join();
    groups.set(tests, [...(groups.get(tests) ?? []), path]);
  }
  return groups.values();
}

function isBelow(file, path) {
  return file === path || file.startsWith(`${path}/`);
}

/** Every change that was tried, with its outcome. */
function mutate(together) {
  const folder = mkdtempSync(join(tmpdir(), 'mutation-'));
  try {
    const report = join(folder, 'report.json');
    const config = join(folder, 'config.json');
    writeFileSync(config, JSON.stringify(configOf(together, report, folder)));
    const stryker = join(
      dirname(require.resolve('@stryker-mutator/core/package.json')),
      'bin/stryker.js',
    );
    const { status } = spawnSync(process.execPath, [stryker, 'run', config], {
      cwd: ROOT,
      stdio: ['ignore', 2, 2],
    });
    if (status !== 0) throw new Error(`${together.join(' ')} was not measured`);
    const { files } = JSON.parse(readFileSync(report, 'utf8'));
    return Object.entries(files).flatMap(([file, { mutants }]) =>
      mutants.map(({ status: end, replacement = '', location }) => ({
        file,
        line: location.start.line,
        replacement,
        status: end,
      })),
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function configOf(together, report, folder) {
  const [path] = together;
  return {
    mutate: together.flatMap((each) =>
      isFolder(each) ? [`${each}/**/*.ts`, `!${each}/**/{*.test,fixture}.ts`] : [each],
    ),
    testRunner: 'mocha',
    plugins: [require.resolve('@stryker-mutator/mocha-runner')],
    mochaOptions: {
      'no-config': true,
      spec: specsFor(path),
      grep: TESTS,
    },
    testRunnerNodeArgs: ['--import', './tools/test/loader.mjs'],
    coverageAnalysis: 'perTest',
    // Code that runs when a module is loaded needs all tests again for each change.
    ignoreStatic: isQuick,
    concurrency: availableParallelism(),
    ignorePatterns: path.startsWith('domain/') ? [...NOT_COPIED, ...ABOVE_DOMAIN] : NOT_COPIED,
    tsconfigFile: 'none',
    reporters: ['json', 'progress-append-only'],
    jsonReporter: { fileName: report },
    tempDirName: join(folder, 'copy'),
    timeoutMS: 10_000,
    allowConsoleColors: false,
  };
}

/** The tests beside the code, and those directly in `domain`; those directly in `db` start servers. */
function specsFor(path) {
  const folder = isFolder(path) ? path : dirname(path);
  const layer = folder.split('/', 1)[0];
  const inLayer =
    layer === 'db' ? [] : readdirSync(join(ROOT, layer)).map((name) => `${layer}/${name}`);
  const below = readdirSync(join(ROOT, folder), { recursive: folder !== layer }).map(
    (name) => `${folder}/${name}`,
  );
  return [...new Set([...below, ...inLayer])].filter((name) => name.endsWith('.test.ts'));
}

function isFolder(path) {
  return statSync(join(ROOT, path)).isDirectory();
}
