// Compiles to dist/ and lays the run-time data beside the code: the contract and its validators.
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, rmSync } from 'node:fs';
import { resolve } from 'node:path';
import { bundle } from './bundle.mjs';
import { buildWeb } from './buildWeb.mjs';
import { pack } from './pack.mjs';

rmSync('dist', { recursive: true, force: true });
execFileSync(process.execPath, ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.build.json'], {
  stdio: 'inherit',
});
mkdirSync('dist/generated', { recursive: true });
const DATA = [
  'openapi.json',
  'openapi-3.0.json',
  'validators.js',
  'docs.html',
  'docs.html.br',
  'mcpTools.json',
];
for (const name of DATA) cpSync(`generated/${name}`, `dist/generated/${name}`);
// What `npm start` and `hub` run, and the threads of the hub, take the place of their own files.
const THREADS = ['checks', 'crawlFeeds', 'models', 'search', 'vectors', 'x402'].map(
  (name) => `server/hub/${name}/worker.js`,
);
await bundle({
  root: resolve('dist'),
  entries: ['server/main.js', 'server/cli.js', ...THREADS],
  folder: resolve('dist'),
});
// A tree for production without the pages still builds: the hub says at /app that it has none.
if (existsSync('clients/web')) {
  await buildWeb();
  // The pages and the index advertise it by its address at this hub (choices clients.package).
  await pack('client', resolve('dist/web/client.tgz'));
}
