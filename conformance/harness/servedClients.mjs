import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { buildWeb } from '../../tools/buildWeb.mjs';
import { pack } from '../../tools/pack.mjs';
import { packWheel } from '../../tools/sdk/packWheel.mjs';
import { root } from '../kinds/dredd/hub.mjs';

/** Builds the clients that a hub serves beside its pages, and the pages if there are none. */
export async function serveClients(python) {
  const pages = join(root, 'dist/web');
  if (!existsSync(join(pages, 'index.html'))) await buildWeb();
  await pack('client', join(pages, 'client.tgz'));
  process.stdout.write(`built ${packWheel(pages, python)}\n`);
}
