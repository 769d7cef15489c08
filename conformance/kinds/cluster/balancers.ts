import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { give, startDaemon, subfolder, until, type Daemon } from './daemons.ts';

/** A balancer with the block that docs/operate/scaling.md shows for it. */
export interface Balancer {
  readonly name: string;
  start(folder: string, port: number, hubs: readonly [number, number]): Promise<Daemon>;
}

const PAGE = readFileSync(new URL('../../../docs/operate/scaling.md', import.meta.url), 'utf8');

const nginx: Balancer = {
  name: 'nginx',
  async start(folder, port, hubs) {
    const own = await subfolder(folder, 'nginx');
    const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
      (each) => `${each}_temp_path ${join(own, each)};`,
    );
    const block = documented('upstream hub {', [
      ['listen 80;', `listen 127.0.0.1:${port};`],
      ...addresses(hubs),
    ]);
    const config = `daemon off; pid ${join(own, 'pid')}; error_log ${join(own, 'errors')};
      events {} http { access_log off; ${temporary.join(' ')}\n${block}\n}\n`;
    const path = await configured(own, config);
    return startDaemon({ name: 'nginx', command: ['nginx', '-p', own, '-c', path], folder: own });
  },
};

const haproxy: Balancer = {
  name: 'HAProxy',
  async start(folder, port, hubs) {
    const own = await subfolder(folder, 'haproxy');
    const bind: Place = ['bind :80', `bind 127.0.0.1:${port}`];
    const path = await configured(own, documented('defaults\n', [bind, ...addresses(hubs)]));
    return startDaemon({ name: 'haproxy', command: ['haproxy', '-db', '-f', path], folder: own });
  },
};

export const BALANCERS: readonly Balancer[] = [nginx, haproxy];

type Place = readonly [there: string, here: string];

const addresses = ([first, second]: readonly [number, number]): readonly Place[] => [
  ['10.0.0.11:4020', `127.0.0.1:${first}`],
  ['10.0.0.12:4020', `127.0.0.1:${second}`],
];

/** A block of the page, with the ports of this run in the places of its own. */
function documented(opening: string, places: readonly Place[]): string {
  const start = PAGE.indexOf(`\`\`\`\n${opening}`);
  if (start < 0) throw new Error(`docs/operate/scaling.md has no block that begins: ${opening}`);
  const block = PAGE.slice(start + 4, PAGE.indexOf('\n```', start + 4));
  return `${places.reduce((text, [there, here]) => {
    if (!text.includes(there)) throw new Error(`docs/operate/scaling.md does not have: ${there}`);
    return text.replace(there, here);
  }, block)}\n`;
}

async function configured(folder: string, text: string): Promise<string> {
  const path = join(folder, 'config');
  await writeFile(path, text);
  await give(path);
  return path;
}

/** Waits until a balancer passes requests to a hub. */
export async function passes(url: string): Promise<void> {
  await until(`an answer through ${url}`, async () => (await fetch(`${url}/readyz`)).ok);
}
