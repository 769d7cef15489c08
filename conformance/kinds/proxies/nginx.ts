import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../../../clients/examples/freePort.ts';
import type { SecureSite } from '../../harness/https.ts';
import { authority } from '../../outbound/_certificates.ts';

/** nginx in front of a hub, with what docs/operate/tls.md says and nothing else that matters. */
export interface Nginx extends SecureSite {
  close(): Promise<void>;
}

const NAME = 'hub.example.org';
const START_TRIES_MAX = 200;

/** The block of the page, with ports and files of this test in the places of its own. */
function documented(ports: { readonly tls: number; readonly hub: number }, folder: string): string {
  const page = readFileSync(new URL('../../../docs/operate/tls.md', import.meta.url), 'utf8');
  const block = /```\n(server \{[\s\S]*?\n\})\n```/.exec(page)?.[1];
  if (block === undefined) throw new Error('docs/operate/tls.md shows no server of nginx');
  const own: readonly (readonly [there: string, here: string])[] = [
    ['listen 443 ssl', `listen 127.0.0.1:${ports.tls} ssl`],
    ['/etc/ssl/hub.pem', join(folder, 'hub.pem')],
    ['/etc/ssl/hub.key', join(folder, 'hub.key')],
    ['http://127.0.0.1:4020', `http://127.0.0.1:${ports.hub}`],
  ];
  return own.reduce((text, [there, here]) => {
    if (!text.includes(there)) throw new Error(`docs/operate/tls.md does not say ${there}`);
    return text.replace(there, here);
  }, block);
}

export async function startNginx(hubPort: number): Promise<Nginx> {
  const folder = mkdtempSync(join(tmpdir(), 'hub-nginx-'));
  const ca = authority('An authority of this test');
  const { cert, key } = ca.issue([NAME]);
  writeFileSync(join(folder, 'hub.pem'), cert);
  writeFileSync(join(folder, 'hub.key'), key);
  mkdirSync(join(folder, 'tmp'));
  const port = await freePort();
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (each) => `${each}_temp_path ${join(folder, 'tmp', each)};`,
  );
  const text = `
    daemon off; pid ${join(folder, 'pid')}; error_log ${join(folder, 'log')};
    ${process.getuid?.() === 0 ? 'user root;' : ''} events {}
    http { access_log off; ${temporary.join(' ')}
    ${documented({ tls: port, hub: hubPort }, folder)}
    }`;
  writeFileSync(join(folder, 'nginx.conf'), text);
  const child = spawn('nginx', ['-p', folder, '-c', join(folder, 'nginx.conf')], {
    stdio: 'inherit',
  });
  for (let tries = 0; !(await answers(port)); tries += 1) {
    if (child.exitCode !== null || tries === START_TRIES_MAX) throw new Error('no nginx');
    await sleep(25);
  }
  return {
    name: NAME,
    port,
    ca: ca.cert,
    async close() {
      const gone = once(child, 'exit');
      child.kill('SIGTERM');
      await gone;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function answers(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}
