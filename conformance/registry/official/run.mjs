// `npm run registry:official [-- --names 60000]`: the hub beside the official MCP registry (Go).
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const MODULE = 'github.com/modelcontextprotocol/registry';
const VERSION = 'v1.8.8';

const { values } = parseArgs({ options: { names: { type: 'string', default: '300' } } });
const go = ['go', '/usr/local/go/bin/go'].find((each) => spawnSync(each, ['version']).status === 0);
if (go === undefined) {
  console.error('registry:official needs Go (https://go.dev) to build the official MCP registry.');
  process.exit(1);
}
const bin = join(process.env['GOPATH'] ?? join(homedir(), 'go'), 'bin');
mkdirSync(bin, { recursive: true });
console.log(`building ${MODULE} ${VERSION} and a reader with its types`);
execFileSync(go, ['install', `${MODULE}/cmd/registry@${VERSION}`], { stdio: 'inherit' });
const reader = join(bin, 'official-reader');
execFileSync(go, ['build', '-o', reader, '.'], {
  cwd: fileURLToPath(new URL('./reader', import.meta.url)),
  stdio: 'inherit',
});
const env = {
  ...process.env,
  OFFICIAL_NAMES: values.names,
  OFFICIAL_PROGRAM: join(bin, 'registry'),
  OFFICIAL_READER: reader,
};
const run = ['node_modules/mocha/bin/mocha.js', 'conformance/registry/official/checks.ts'];
process.exitCode = spawnSync(process.execPath, run, { env, stdio: 'inherit' }).status ?? 1;
