// `npm run proxy:nginx`: the hub behind nginx as docs/operate/tls.md has it; installs it on Debian.
import { execFileSync, spawnSync } from 'node:child_process';

const isThere = () => spawnSync('nginx', ['-v']).status === 0;

if (!isThere()) {
  if (process.getuid?.() !== 0 || spawnSync('apt-get', ['--version']).status !== 0) {
    console.error('proxy:nginx needs nginx; install it (Debian: apt-get install nginx-light).');
    process.exit(1);
  }
  console.log('installing nginx-light from Debian');
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const options = { env, stdio: 'inherit' };
  execFileSync('apt-get', ['update', '-qq'], options);
  const install = ['install', '-y', '-qq', '--no-install-recommends', 'nginx-light'];
  execFileSync('apt-get', install, options);
}
const run = ['node_modules/mocha/bin/mocha.js', 'conformance/proxies/checks.ts'];
process.exitCode = spawnSync(process.execPath, run, { stdio: 'inherit' }).status ?? 1;
