// Builds the wheel of the Python client into the folder of the pages, where the hub serves it.
// Equal sources give equal bytes. It installs what builds it from PyPI, so no build of the hub
// needs it: without the file the hub advertises no wheel.
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { asCommand, CannotRun, environment } from '../python.mjs';

const root = resolve(import.meta.dirname, '../..');
const cache = join(root, 'node_modules/.cache/wheel');
/** The first moment that a zip can hold. */
const EPOCH = '315532800';

/** Writes the wheel into `folder` and returns its name. */
export function packWheel(folder, python = join(builders(), 'python')) {
  const stage = mkdtempSync(join(tmpdir(), 'hub-wheel-'));
  try {
    const words = ['-m', 'build', '--wheel', '--outdir', stage, join(root, 'clients/python')];
    const env = { ...process.env, SOURCE_DATE_EPOCH: EPOCH };
    const { status } = spawnSync(python, words, { env, stdio: ['ignore', 'ignore', 'inherit'] });
    if (status !== 0) throw new CannotRun('the wheel was not built');
    const name = readdirSync(stage).find((each) => each.endsWith('.whl'));
    mkdirSync(folder, { recursive: true });
    for (const old of readdirSync(folder).filter((each) => each.endsWith('.whl'))) {
      rmSync(join(folder, old));
    }
    copyFileSync(join(stage, name), join(folder, name));
    return name;
  } finally {
    rmSync(stage, { recursive: true, force: true });
  }
}

const builders = () =>
  environment(join(root, 'conformance/kinds/sdk/python/requirements.txt'), cache);

if (process.argv[1] !== undefined && resolve(process.argv[1]) === import.meta.filename) {
  await asCommand(() => {
    const folder = resolve(process.argv[2] ?? join(root, 'dist/web'));
    process.stdout.write(`${join(folder, packWheel(folder))}\n`);
    return Promise.resolve(0);
  });
}
