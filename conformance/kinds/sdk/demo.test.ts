import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';

/** The demo starts a hub and six agents, prints its story and asserts every number of it. */
const DEMO_MS_MAX = 300_000;

describe('npm run demo', () => {
  it('runs to its end, from the sources', async function run() {
    this.timeout(DEMO_MS_MAX);
    const words = ['--import=tsx', 'clients/examples/demo.ts', '--source'];
    const demo = spawn(process.execPath, words, { stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    demo.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
    demo.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
    const code = await new Promise<number | null>((done) => demo.once('close', done));
    assert.equal(code, 0, output);
    for (const tool of ['get-sum', 'convert', 'count-words', 'Pirate speech', 'Roman numerals']) {
      assert.match(output, new RegExp(`${tool}\\s+served`));
    }
    assert.match(output, /plan-prices\s+priced\s+0\.00 USDC/);
    assert.match(output, /plan-prices\s+served\s+0\.0025 USDC/);
    assert.match(output, /Everything was as expected/);
  });
});
