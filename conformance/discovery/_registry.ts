import { execFile } from 'node:child_process';
import { createServer } from 'node:http';
import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import type { AddressInfo } from 'node:net';

/** A registry of npm on the loopback, whose packages are those that this project has installed. */
interface Locked {
  readonly name?: string;
  readonly version: string;
}

const TAR_BYTES_MAX = 128 * 1024 * 1024;
const run = promisify(execFile);

export interface Registry {
  readonly url: string;
  close(): Promise<void>;
}

export async function openRegistry(): Promise<Registry> {
  const lock = JSON.parse(readFileSync('package-lock.json', 'utf8')) as {
    readonly packages: Readonly<Record<string, Locked>>;
  };
  const places = Object.entries(lock.packages).filter(
    ([place, { name }]) => place !== '' && name === undefined,
  );
  const server = createServer((request, response) => {
    void answer(decodeURIComponent(request.url ?? '').slice(1)).then((body) => {
      response.writeHead(body === undefined ? 404 : 200).end(body);
    });
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;

  async function answer(path: string): Promise<string | Buffer | undefined> {
    if (path.endsWith('.tgz')) return packed(path.slice(0, -'.tgz'.length));
    const own = places.filter(([place]) => place.endsWith(`node_modules/${path}`));
    const [first] = own;
    if (first === undefined) return undefined;
    const versions = own.map(([place, { version, ...rest }]) => {
      const dist = { tarball: `${url}${encodeURIComponent(place)}.tgz` };
      return [version, { ...rest, name: path, version, dist, integrity: undefined }] as const;
    });
    const latest = lock.packages[`node_modules/${path}`] ?? first[1];
    return JSON.stringify({
      name: path,
      'dist-tags': { latest: latest.version },
      versions: Object.fromEntries(versions),
    });
  }
  return { url, close: () => new Promise((closed) => server.close(() => closed())) };
}

/** The package of a folder below node_modules, without the packages that lie within it. */
async function packed(place: string): Promise<Buffer | undefined> {
  const folder = resolve(place);
  if (!place.startsWith('node_modules/') || !existsSync(join(folder, 'package.json'))) {
    return undefined;
  }
  const own = basename(folder);
  const words = ['-cz', '-C', dirname(folder), `--exclude=${own}/node_modules`];
  const renamed = `--transform=s,^${own},package,`;
  const options = { encoding: 'buffer', maxBuffer: TAR_BYTES_MAX } as const;
  return (await run('tar', [...words, renamed, own], options)).stdout;
}
