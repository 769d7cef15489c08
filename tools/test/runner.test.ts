import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { sources } from '../tree.ts';

/** The runner of `npm test` on the files of `cases/`: a fault is named, and never passes. */
const RUN_MS_MAX = 60_000;
const CASES = 'tools/test/cases';

interface Run {
  readonly code: number | null;
  readonly text: string;
  readonly last: string;
}

function run(...words: readonly string[]): Promise<Run> {
  // Two workers, so that good files run beside the bad ones.
  const child = spawn(process.execPath, ['tools/test.mjs', '-w', '2', ...words]);
  const output: string[] = [];
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (bytes: Buffer) => output.push(String(bytes)));
  return new Promise((resolve) => {
    child.once('close', (code) => {
      const text = output.join('');
      resolve({ code, text, last: text.trimEnd().split('\n').at(-1) ?? '' });
    });
  });
}

const testFiles = sources.filter((path) => path.endsWith('.test.ts'));

describe('the runner of the tests', function suite() {
  this.timeout(RUN_MS_MAX);

  it('passes what passes', async () => {
    const { code, last } = await run(`${CASES}/passes.ts`);
    assert.deepEqual([code, last], [0, '1 passed, 0 failed']);
  });

  const bad: readonly (readonly [name: string, message: RegExp, last: string])[] = [
    ['crash', /a process that ends ends it:\n.*ended with code 0/, '2 passed, 1 failed'],
    [
      'unseen',
      /fails the test that made it:\n\s+Uncaught Error: not looked at/,
      '1 passed, 1 failed',
    ],
    ['fails', /fails\.ts:10:12/, '2 passed, 1 failed'],
    ['throws', /throws\.ts\n\s+cannot be loaded:\n\s+Error: not loaded/, '1 passed, 1 failed'],
    ['empty', /the file:\n\s+holds no test/, '1 passed, 1 failed'],
    ['hollow', /with none inside:\n\s+holds no test/, '2 passed, 1 failed'],
  ];
  for (const [name, message, last] of bad) {
    it(`names what is wrong: ${name}`, async () => {
      const seen = await run(`${CASES}/${name}.ts`, `${CASES}/passes.ts`);
      assert.deepEqual([seen.code, seen.last], [1, last], seen.text);
      assert.match(seen.text.slice(seen.text.indexOf(' failing')), message);
      assert.match(seen.text, new RegExp(`1\\) ${CASES}/${name}\\.ts`));
    });
  }

  it('passes and reports a file that fails beside others and passes alone', async () => {
    const words = [`${CASES}/unsteady.ts`, `${CASES}/passes.ts`, '--again', '1'];
    const { code, last, text } = await run(...words);
    assert.deepEqual([code, last], [0, '2 passed, 0 failed, 1 unsteady'], text);
    assert.match(text, /Unsteady: .*\n\n.*1\) tools\/test\/cases\/unsteady\.ts/);
  });

  it('fails what fails again, what fails in many files, and a file given by name', async () => {
    const again = await run(`${CASES}/fails.ts`, '--again', '1');
    assert.deepEqual([again.code, again.last], [1, '1 passed, 1 failed'], again.text);
    const many = await run(`${CASES}/fails.ts`, `${CASES}/unsteady.ts`, '--again', '1');
    assert.deepEqual([many.code, many.last], [1, '1 passed, 2 failed'], many.text);
    const named = await run(`${CASES}/unsteady.ts`);
    assert.deepEqual([named.code, named.last], [1, '0 passed, 1 failed'], named.text);
  });

  it('has no case that nothing runs', () => {
    const good = ['passes', 'both', 'unsteady', 'open', 'failsOpen'];
    const names = [...good, ...bad.map(([name]) => name)];
    const files = names.map((name) => `${name}.ts`);
    assert.deepEqual(readdirSync(CASES).sort(), files.sort());
  });

  it('runs the second run of a suite for both databases as a long test', async () => {
    const whole = await run(`${CASES}/both.ts`);
    assert.equal(whole.last, '2 passed, 0 failed', whole.text);
    const long = await run(`${CASES}/both.ts`, `${CASES}/passes.ts`, '--long');
    assert.equal(long.last, '1 passed, 0 failed', long.text);
    assert.match(long.text, /each has its own run \(PostgreSQL\)/);
    const empty = await run(`${CASES}/empty.ts`, `${CASES}/both.ts`, '--long');
    assert.equal(empty.last, '1 passed, 1 failed', empty.text);
  });

  it('leaves no file out of both forms', async () => {
    const [short, long] = await Promise.all([run('--list'), run('--long', '--list')]);
    const listed = `${short.text}${long.text}`.trimEnd().split('\n');
    assert.deepEqual([...new Set(listed)].sort(), [...testFiles].sort());
  });

  it('fails what is left open, but for what a failed file left open', async () => {
    const [open, failed] = await Promise.all([
      run(`${CASES}/open.ts`),
      run(`${CASES}/failsOpen.ts`),
    ]);
    assert.deepEqual([open.code, open.last], [1, '1 passed, 1 failed'], open.text);
    assert.match(open.text, /the end of the worker:\n\s+something is left open/);
    assert.deepEqual([failed.code, failed.last], [1, '0 passed, 1 failed'], failed.text);
  });

  it('fails what plain mocha passes, which is why it exists', async () => {
    const bad = ['empty', 'hollow', 'open'];
    const codes = bad.map(async (name) => {
      const mocha = ['--import', './tools/test/loader.mjs', 'node_modules/mocha/bin/mocha.js'];
      const files = [`${CASES}/${name}.ts`, `${CASES}/passes.ts`];
      const child = spawn(process.execPath, [...mocha, '--parallel', ...files]);
      child.stdout.resume();
      child.stderr.resume();
      return new Promise((resolve) => child.once('close', resolve));
    });
    assert.deepEqual(await Promise.all(codes), [0, 0, 0]);
  });

  it('fails when no test was run', async () => {
    const { code, last } = await run(`${CASES}/passes.ts`, '-g', 'no such title');
    assert.deepEqual([code, last], [1, '0 passed, 1 failed']);
  });

  it('refuses a word that means nothing, and names the areas', async () => {
    const { code, text } = await run('taskz');
    assert.equal(code, 2);
    assert.match(text, /no test file is meant by taskz: .*tasks/);
  });

  it('takes of an area what all layers have, and of a layer all', async () => {
    const { text: area } = await run('tasks', '--list');
    for (const path of ['domain/tasks/', 'conformance/tasks/']) assert.match(area, RegExp(path));
    assert.doesNotMatch(area, /wallet/);
    const { text: layer } = await run('domain', '--list');
    assert.match(layer, /^(domain\/.*\n)+$/);
  });

  it('notes the durations of files that exist', () => {
    const noted = JSON.parse(readFileSync('tools/test/durations.json', 'utf8')) as object;
    const all = new Set(testFiles);
    assert.deepEqual(
      Object.keys(noted).filter((path) => !all.has(path)),
      [],
    );
  });
});
