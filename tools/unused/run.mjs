import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { installPackages } from '../installPackages.mjs';

// `npm run unused`: knip over the repository, installed into this folder at the first run.
const here = import.meta.dirname;
installPackages(here, 'knip, which finds what nothing uses');
const words = [join(here, 'node_modules/knip/bin/knip.js'), '-c', 'tools/unused/knip.json'];
process.exitCode = spawnSync(process.execPath, words, { stdio: 'inherit' }).status ?? 1;
