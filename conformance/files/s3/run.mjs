// `npm run files:s3` tests the file store against versitygw, a real S3 server (by `go install`).
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';

const VERSION = 'v1.8.0';
const ACCESS = 'hub-test-access';
const SECRET = 'hub-test-secret-key';
const START_TRIES = 100;

const server = findServer();
const folder = mkdtempSync(join(tmpdir(), 'hub-s3-'));
const port = await freePort();
mkdirSync(join(folder, 'data'));
const options = ['--access', ACCESS, '--secret', SECRET, '--port', `127.0.0.1:${port}`];
const child = spawn(server, [...options, 'posix', join(folder, 'data')], { stdio: 'ignore' });
let status = 1;
try {
  await listening(port, child);
  const env = {
    ...process.env,
    S3_ENDPOINT: `http://127.0.0.1:${port}`,
    S3_ACCESS: ACCESS,
    S3_SECRET: SECRET,
    S3_FOLDER: join(folder, 'data'),
  };
  const run = ['node_modules/mocha/bin/mocha.js', 'conformance/files/s3/checks.ts'];
  status = spawnSync(process.execPath, run, { env, stdio: 'inherit' }).status ?? 1;
} finally {
  child.kill('SIGTERM');
  rmSync(folder, { recursive: true, force: true });
}
process.exitCode = status;

function findServer() {
  const go = ['go', '/usr/local/go/bin/go'].find(
    (each) => spawnSync(each, ['version']).status === 0,
  );
  const bin = join(process.env['GOPATH'] ?? join(homedir(), 'go'), 'bin', 'versitygw');
  if (existsSync(bin)) return bin;
  if (go === undefined) {
    console.error('files:s3 needs Go (https://go.dev) to install versitygw, an S3 server.');
    process.exit(1);
  }
  console.log(`installing versitygw ${VERSION}`);
  execFileSync(go, ['install', `github.com/versity/versitygw/cmd/versitygw@${VERSION}`], {
    stdio: 'inherit',
  });
  return bin;
}

function freePort() {
  return new Promise((resolve) => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const { port: free } = probe.address();
      probe.close(() => resolve(free));
    });
  });
}

async function listening(at, process_) {
  for (let tries = 0; tries < START_TRIES && process_.exitCode === null; tries += 1) {
    const answered = await fetch(`http://127.0.0.1:${at}/`).then(
      () => true,
      () => false,
    );
    if (answered) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error('the S3 server did not start');
}
