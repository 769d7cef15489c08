// Packs a package as published and as the hub serves it: built now, with the licence and, for a
// release, the repository's address. Equal sources give equal bytes, so hashes can be compared.
import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';
import { parseArgs, promisify } from 'node:util';

const run = promisify(execFile);
const root = resolve(import.meta.dirname, '..');
const PACKAGES = {
  client: { folder: 'clients/typescript', build: 'tools/buildClient.mjs' },
  conformance: { folder: 'conformance/kinds/kit', build: 'tools/buildConformance.mjs' },
};

/** Writes the package `name` to `file`; `repository` is a release's https address. */
export async function pack(name, file, { repository, isBuilt = false } = {}) {
  const { folder, build } = PACKAGES[name];
  if (!isBuilt) await run(process.execPath, [join(root, build)]);
  const stage = mkdtempSync(join(tmpdir(), 'hub-pack-'));
  try {
    const { scripts: _, ...manifest } = JSON.parse(
      readFileSync(join(root, folder, 'package.json'), 'utf8'),
    );
    const whole = { ...manifest, ...linksTo(repository, folder) };
    writeFileSync(join(stage, 'package.json'), `${JSON.stringify(whole, null, 2)}\n`);
    for (const each of ['dist', 'README.md']) {
      cpSync(join(root, folder, each), join(stage, each), { recursive: true });
    }
    cpSync(join(root, 'LICENSE'), join(stage, 'LICENSE'));
    const [packed] = JSON.parse(await npm(['pack', '--json', '--ignore-scripts'], stage));
    mkdirSync(dirname(file), { recursive: true });
    cpSync(join(stage, packed.filename), file);
    return packed.integrity;
  } finally {
    rmSync(stage, { recursive: true, force: true });
  }
}

/** Returns the links that npm shows beside a package and checks provenance against. */
function linksTo(repository, directory) {
  if (repository === undefined) return {};
  const { href, protocol } = new URL(repository);
  if (protocol !== 'https:') throw new Error('--repository takes an https address');
  const address = href.replace(/(?:\.git)?\/*$/, '');
  return {
    homepage: `${address}#readme`,
    repository: { type: 'git', url: `git+${address}.git`, directory },
  };
}

/** The npm that runs this build, else the one of the path. */
export async function npm(words, cwd) {
  const running = process.env.npm_execpath ?? '';
  const [program, ...before] = running.endsWith('npm-cli.js')
    ? [process.execPath, running]
    : ['npm'];
  return (await run(program, [...before, ...words], { cwd })).stdout;
}

if (process.argv[1] !== undefined && resolve(process.argv[1]) === import.meta.filename) {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: { repository: { type: 'string' } },
  });
  const [name = '', out] = positionals;
  if (!Object.hasOwn(PACKAGES, name) || out === undefined) {
    process.stderr.write(
      'node tools/pack.mjs client|conformance FILE.tgz [--repository https://…]\n',
    );
    process.exit(2);
  }
  const file = resolve(out);
  const integrity = await pack(name, file, values);
  process.stdout.write(`${relative(process.cwd(), file)} ${integrity}\n`);
}
