// `npm run proxy:nginx`: the hub behind nginx as docs/operate/tls.md has it; installs it on Debian.
import { spawnSync } from 'node:child_process';
import { installDebian } from '../../../tools/installDebian.mjs';

installDebian('proxy:nginx', [['nginx', 'nginx-light']]);
const run = ['node_modules/mocha/bin/mocha.js', 'conformance/kinds/proxies/checks.ts'];
process.exitCode = spawnSync(process.execPath, run, { stdio: 'inherit' }).status ?? 1;
