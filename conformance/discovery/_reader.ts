import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pack } from '../../tools/pack.mjs';
import { freePort } from '../../clients/examples/freePort.ts';
import type { Fixture } from '../harness/fixture.ts';
import { program } from '../harness/program.ts';
import type { Reader } from './_follow.ts';
import { openRegistry } from './_registry.ts';

/** Where pages are followed: packages come from the hub and from a registry on the loopback. */
export interface Desk {
  /** With the package of the client, for the hub of a page. */
  readonly webFolder: string;
  /** A shell with the programs of the pages, none of which reaches another machine. */
  readerOf(world: Fixture, minutes: Server): Promise<Reader>;
  close(): Promise<void>;
}

const ADDRESS = 'http://127.0.0.1:4020';

export async function openDesk(): Promise<Desk> {
  const folder = mkdtempSync(join(tmpdir(), 'hub-reader-'));
  const registry = await openRegistry();
  const webFolder = join(folder, 'web');
  mkdirSync(webFolder);
  writeFileSync(join(webFolder, 'index.html'), '<!doctype html>');
  await pack('client', join(webFolder, 'client.tgz'));
  return {
    webFolder,
    readerOf,
    async close() {
      await registry.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };

  async function readerOf(world: Fixture, minutes: Server): Promise<Reader> {
    const own = mkdtempSync(join(folder, 'page-'));
    const [bin, clone] = [join(own, 'bin'), join(own, 'clone')];
    mkdirSync(bin);
    mkdirSync(clone);
    for (const name of ['package.json', 'clients']) symlinkSync(resolve(name), join(clone, name));
    writeFileSync(join(clone, 'contract.pdf'), 'a contract');
    const node = process.execPath;
    const { port } = minutes.address() as AddressInfo;
    script('sleep', `exec curl -sf "http://127.0.0.1:${port}/$1"`);
    script('hubctl', `exec '${node}' '${await program('server/cli.ts')}' "$@"`);
    script('hub', `exec '${node}' '${await program('clients/typescript/cli/main.ts')}' "$@"`);
    return {
      folder: own,
      clone,
      env: {
        PATH: [bin, resolve(node, '..'), process.env['PATH']].join(':'),
        HOME: own,
        NO_COLOR: '1',
        npm_config_registry: registry.url,
        npm_config_cache: join(folder, 'npm'),
        npm_config_fund: 'false',
        npm_config_audit: 'false',
        npm_config_update_notifier: 'false',
        // `npm run hub` is of a clone, which no hub has served.
        AGENT_HUB: world.hub.url,
      },
      replaced: { [ADDRESS]: world.hub.url, '8080': String(await freePort()) },
    };

    function script(name: string, line: string): void {
      writeFileSync(join(bin, name), `#!/bin/sh\n${line}\n`);
      chmodSync(join(bin, name), 0o755);
    }
  }
}

/** `sleep 60` of a page calls this: it moves the hub's clock and does the jobs of that time. */
export async function listenForSleep({ hub }: Fixture): Promise<Server> {
  const server = createServer((request, response) => {
    hub.clock.advance(Number(request.url?.slice(1)));
    // A run of the job in which a minute ends issues no pulse, so there are two.
    const work = async (): Promise<void> => {
      for (const job of ['autoAccept', 'pulse', 'pulse'] as const) await hub.runJob(job);
    };
    void work().then(() => response.end());
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  return server;
}
