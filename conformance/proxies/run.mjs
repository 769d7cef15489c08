// `npm run proxy:nginx`: the hub behind nginx with the configuration of docs/operate/tls.md. Where nginx
// is missing and this is a Debian as root, it is installed from there; elsewhere the script says so.
import { spawnSync } from 'node:child_process';
import { installDebian } from '../../tools/installDebian.mjs';

installDebian('proxy:nginx', [['/usr/sbin/nginx', 'nginx-light']]);
const run = ['node_modules/mocha/bin/mocha.js', 'conformance/proxies/checks.ts'];
process.exitCode = spawnSync(process.execPath, run, { stdio: 'inherit' }).status ?? 1;
