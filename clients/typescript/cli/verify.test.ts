import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import time from '../../../spec/vectors/time.json' with { type: 'json' };
import type { ExitCode } from './command.ts';
import { runHub } from './hub.ts';

const pulse = time.pulses[0]?.object;
const good = JSON.stringify(pulse);
const changed = good.replace('"leaves":3', '"leaves":4');

describe('hub verify', () => {
  let folder: string;
  let keys: string;
  const put = async (name: string, text: string): Promise<string> => {
    const path = join(folder, name);
    await writeFile(path, text);
    return path;
  };

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'hub-verify-'));
    keys = await put('keys.json', JSON.stringify(time.keys));
  });
  after(() => rm(folder, { recursive: true, force: true }));

  async function run(...words: readonly string[]): Promise<readonly [number, string]> {
    return runWith(Readable.from([]), words);
  }

  async function runWith(
    stdin: Readable,
    words: readonly string[],
  ): Promise<readonly [ExitCode, string]> {
    let printed = '';
    const print = (text: string): void => {
      printed += text;
    };
    const code = await runHub(['verify', ...words], {
      out: print,
      err: print,
      env: { AGENT_HOME: folder },
      stdin,
      isTerminal: { out: false, err: false },
      signal: new AbortController().signal,
    });
    return [code, printed];
  }

  it('says what a good file is and answers 0, in either order of the words', async () => {
    const file = await put('pulse.json', good);
    for (const words of [
      [file, '--keys', keys],
      ['--keys', keys, file],
    ]) {
      const [code, printed] = await run(...words);
      assert.equal(code, 0, printed);
      assert.equal(
        printed,
        `verified pulse
  chain: hub-time-1
  seq: 0
  minute: 2026-01-01T00:00:00Z
  issuedAt: 2026-01-01T00:01:00.120Z
  leaves: 3
  digest: ac595bc371d1584cf5f800529d8dc32a0c44ad982b98679524c4dbd3b61ec571
  keyId: GmaDrppBC7P5ARKV8g3djiwP89vz1jLK23V2GBjuAEGB
`,
      );
    }
  });

  it('names the reason and the place of a refused one and answers 1', async () => {
    const [code, printed] = await run(await put('changed.json', changed), '--keys', keys);
    assert.equal(code, 1);
    assert.equal(
      printed,
      'refused: bytes at body.leaves\n  body.leaves is not what the signed bytes say.\n',
    );
    const [whole, output] = await run(await put('list.json', '[]'), '--keys', keys);
    assert.deepEqual([whole, output.split('\n')[0]], [1, 'refused: shape at the whole value']);
  });

  it('reads standard input for -', async () => {
    const stdin = Readable.from([Buffer.from(good.slice(0, 100)), Buffer.from(good.slice(100))]);
    const [code, printed] = await runWith(stdin, ['-', '--keys', keys]);
    assert.equal(code, 0, printed);
  });

  it('answers 2 and says why when it cannot be done', async () => {
    const file = await put('pulse.json', good);
    const cases: readonly (readonly [readonly string[], RegExp])[] = [
      [[file], /GET \/keys/],
      [[file, '--keys'], /argument missing/],
      [[join(folder, 'nowhere.json'), '--keys', keys], /nowhere\.json cannot be read: ENOENT/],
      [[folder, '--keys', keys], /cannot be read: EISDIR/],
      [[file, '--keys', join(folder, 'nowhere.json')], /nowhere\.json cannot be read: ENOENT/],
      [[await put('half.json', good.slice(1)), '--keys', keys], /is not JSON with one meaning/],
      [[await put('twice.json', '{"a":1,"a":2}'), '--keys', keys], /appears twice/],
      [[file, '--keys', file], /list of keys cannot be used/],
    ];
    for (const [words, says] of cases) {
      const [code, printed] = await run(...words);
      assert.equal(code, 2, printed);
      assert.match(printed, says);
    }
  });

  it('says which word is missing or too many', async () => {
    const cases: readonly (readonly [readonly string[], RegExp])[] = [
      [[], /lacks FILE/],
      [['--keys', keys], /lacks FILE/],
      [['a', 'b', '--keys', keys], /"b" is one word too many/],
    ];
    for (const [words, says] of cases) {
      const [code, printed] = await run(...words);
      assert.equal(code, 2);
      assert.match(printed, says);
    }
  });
});
