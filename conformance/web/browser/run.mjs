import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { root } from '../../kinds/dredd/hub.mjs';
import '../../../tools/test/loader.mjs';
import { install, NoBrowser } from './install.mjs';

/** Scenarios in a browser, all or named. Exit codes: 0 held, 1 did not, 2 it could not run. */
async function main() {
  await install((line) => process.stdout.write(`${line}\n`));
  const { buildWeb } = await import(join(root, 'tools/buildWeb.mjs'));
  await buildWeb();
  const { startWorld } = await import('./world.mjs');
  const { openBrowser } = await import('./browser.mjs');
  const { measureVisited } = await import('./measure.mjs');
  const { picture } = await import('./people.mjs');
  const { scenariosOf } = await import('./scenarios.mjs');
  const words = process.argv.slice(2);
  const accept = words.includes('--accept');
  const scenarios = scenariosOf(words.filter((word) => word !== '--accept'));
  if (scenarios === undefined) throw new NoBrowser('There is no scenario of that name.');
  if (scenarios.some(([name]) => name === 'site')) {
    execFileSync(process.execPath, [join(root, 'tools/buildDocs.mjs')], { stdio: 'inherit' });
  }
  const done = new Set();
  const begun = performance.now();
  const seconds = () => `${((performance.now() - begun) / 1000).toFixed(1)} s`;
  const report = (line) => process.stdout.write(`${seconds()}  ${line}\n`);
  const world = await startWorld();
  let browser;
  try {
    browser = await openBrowser(world.url);
    for (const [name, run] of scenarios) {
      report(`${name}:`);
      await run({ ...browser, world, url: world.url, accept, report });
      const { faults, refusals, visited } = browser;
      if (faults.length > 0) throw new Error([...faults, 'Refused:', ...refusals].join('\n'));
      const moved = await measureVisited({ visited, done, url: world.url, report });
      if (moved.length > 0) throw new Error(moved.join('\n'));
    }
    report('no error on the console, no report of the policy, no request to another place');
    for (const line of world.errors()) process.stdout.write(`The hub logged: ${line}\n`);
    return world.errors().length === 0 ? 0 : 1;
  } catch (error) {
    for (const page of browser?.pages ?? []) {
      if (!page.isClosed()) await picture(page, '-failed');
    }
    throw error;
  } finally {
    await browser?.close();
    await world.close();
  }
}

process.exitCode = await main().catch((error) => {
  process.stderr.write(`${error instanceof NoBrowser ? error.message : error.stack}\n`);
  return error instanceof NoBrowser ? 2 : 1;
});
