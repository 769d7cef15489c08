// Compiles to dist/ and lays the run-time data beside the code: the contract and its validators.
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, rmSync } from 'node:fs';
import { resolve } from 'node:path';
import { bundle } from './bundle.mjs';
import { buildWeb } from './buildWeb.mjs';
import { pack } from './pack.mjs';
import { DATA, PROGRAMS } from './programs.mjs';

rmSync('dist', { recursive: true, force: true });
execFileSync(process.execPath, ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.build.json'], {
  stdio: 'inherit',
});
mkdirSync('dist/generated', { recursive: true });
for (const name of DATA) cpSync(`generated/${name}`, `dist/generated/${name}`);
// Each takes the place of its own file.
await bundle({
  root: resolve('dist'),
  entries: PROGRAMS,
  folder: resolve('dist'),
});
// A tree for production without the pages still builds: the hub says at /app that it has none.
if (existsSync('clients/web')) {
  await buildWeb();
  // The pages and the index advertise it by its address at this hub (choices clients.package).
  await pack('client', resolve('dist/web/client.tgz'));
}
