import { execFile, execFileSync, spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';

/** The Python client as `pip install` gives it, in an environment under node_modules. */
const CACHE = resolve('node_modules/.cache/python');
const CLIENT = resolve('clients/python');
const ANSWER = resolve('conformance/kinds/verify/answer.py');
const PROBE = 'import sys, venv, ensurepip; sys.exit(0 if sys.version_info >= (3, 10) else 3)';
const LONGEST_MS = 300_000;
const REASON_MAX = 2_000;
const OUTPUT_MAX = 64 * 1024 * 1024;

/** The interpreter of the environment; undefined, and said, where there is no Python with pip. */
export async function preparePython(say: (text: string) => void): Promise<string | undefined> {
  const python = ['python3', 'python'].find((name) => spawnSync(name, ['-c', PROBE]).status === 0);
  if (python === undefined) {
    say('Python 3.10 with venv and pip was not found: the Python verifier is not checked.');
    return undefined;
  }
  const venv = join(CACHE, 'venv');
  const inside = join(venv, process.platform === 'win32' ? 'Scripts/python.exe' : 'bin/python');
  const made = join(venv, 'made-of');
  const needs = digestOfNeeds(python);
  if (existsSync(made) && readFileSync(made, 'utf8') === needs) return inside;
  try {
    await install(python, venv, inside);
  } catch (error) {
    // The output of a command; everything else is a mistake of this file.
    if (!(error instanceof Error) || !('stderr' in error)) throw error;
    say(`The Python verifier is not checked: ${error.message.slice(0, REASON_MAX)}`);
    return undefined;
  }
  writeFileSync(made, needs);
  return inside;
}

async function install(python: string, venv: string, inside: string): Promise<void> {
  // Code that makes calls is made with tools that are not here (npm run client:python).
  const env = { ...process.env, AGENT_EXCHANGE_ONLY: 'verify' };
  const run = (command: string, ...words: readonly string[]): Promise<unknown> =>
    promisify(execFile)(command, words, { timeout: LONGEST_MS, env });
  const pip = (...words: readonly string[]): Promise<unknown> =>
    run(inside, '-m', 'pip', 'install', '--quiet', '--no-input', ...words);
  // Building writes beside the source, which is the checkout's; so a copy is built.
  const copy = join(CACHE, 'source');
  for (const folder of [venv, copy]) rmSync(folder, { recursive: true, force: true });
  mkdirSync(CACHE, { recursive: true });
  cpSync(CLIENT, copy, { recursive: true });
  await run(python, '-m', 'venv', venv);
  await pip('cryptography', 'setuptools>=77', 'wheel');
  await pip('--no-build-isolation', '--no-deps', copy);
}

/** Runs the Python client's own tests against what was installed; throws with what they said. */
export async function runPythonTests(python: string): Promise<void> {
  const words = ['-B', '-m', 'unittest', 'discover', '-s', join(CLIENT, 'tests')];
  await promisify(execFile)(python, words, { timeout: LONGEST_MS });
}

/** Another version of Python or another source of the client gets another environment. */
function digestOfNeeds(python: string): string {
  const version = execFileSync(python, ['-VV'], { encoding: 'utf8' });
  const files = execFileSync('git', ['ls-files', '-co', '--exclude-standard', CLIENT], {
    encoding: 'utf8',
  });
  const hash = createHash('sha256').update(version);
  for (const name of files.split('\n').filter((each) => each !== '' && existsSync(each))) {
    hash.update(name).update(readFileSync(name));
  }
  return hash.digest('hex');
}

/** The answers of one process to all cases, in their order. */
export async function askPython(
  python: string,
  keyLists: readonly unknown[],
  cases: readonly object[],
): Promise<readonly unknown[]> {
  const child = spawn(python, ['-B', ANSWER], {
    stdio: ['pipe', 'pipe', 'inherit'],
    timeout: LONGEST_MS,
  });
  // Lone surrogates are written as escapes, so that the lines themselves are UTF-8.
  child.stdin.end([keyLists, ...cases].map((each) => `${JSON.stringify(each)}\n`).join(''));
  let output = '';
  child.stdout.setEncoding('utf8');
  child.stdout.on('data', (text: string) => {
    output += text;
    if (output.length > OUTPUT_MAX) child.kill();
  });
  const code = await new Promise((done) => child.once('close', done));
  if (code !== 0) throw new Error(`the Python process ended with ${String(code)}`);
  const lines = output.split('\n').filter((line) => line !== '');
  return lines.map((line): unknown => JSON.parse(line));
}
