// `npm run serial`: see main.ts. It installs Go where that is missing and this is a Debian as root.
import { spawnSync } from 'node:child_process';
import { installDebian } from '../../../tools/installDebian.mjs';

installDebian('serial', [['go', 'golang-go']]);
const words = ['--import=tsx', 'conformance/kinds/serial/main.ts', ...process.argv.slice(2)];
process.exitCode = spawnSync(process.execPath, words, { stdio: 'inherit' }).status ?? 1;
