// Runs on `npm ci`: generates and builds if the tools are there, unlike in production installs.
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';

const hasTools = existsSync('node_modules/typescript') && existsSync('node_modules/tsx');
if (hasTools) {
  const run = (...words) => execFileSync(process.execPath, words, { stdio: 'inherit' });
  run('node_modules/tsx/dist/cli.mjs', 'tools/generate.ts');
  run('node_modules/tsx/dist/cli.mjs', 'tools/docs.ts');
  run('tools/build.mjs');
} else if (!existsSync('dist/server/main.js')) {
  process.stderr.write(
    'No dist/ here and no tools to build it: install with development dependencies.\n',
  );
  process.exit(1);
}
