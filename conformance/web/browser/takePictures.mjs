import { mkdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import gifenc from 'gifenc';
import { PNG } from 'pngjs';
import { root } from '../../kinds/dredd/hub.mjs';
import '../../../tools/test/loader.mjs';
import { install, NoBrowser } from './install.mjs';

/**
 * Takes the pictures of the README from the pages as they are now: four pages, and one moving
 * picture that goes from the first page to the first payment. A hub of its own is started for it.
 */
const { applyPalette, GIFEncoder, quantize } = gifenc;
const FOLDER = join(root, 'docs/pictures');
const BYTES_MAX = 1_000_000;
const STILL = { viewport: { width: 1200, height: 760 }, deviceScaleFactor: 0.75 };
const MOVING = { viewport: { width: 1200, height: 750 }, deviceScaleFactor: 0.55 };
const COLOURS = 64;
const SEEN_MS = 1_500;
const TYPED_MS = 250;

async function main() {
  await install((line) => process.stdout.write(`${line}\n`));
  const { buildWeb } = await import(join(root, 'tools/buildWeb.mjs'));
  await buildWeb();
  const { startWorld } = await import('./world.mjs');
  const { openBrowser } = await import('./browser.mjs');
  const world = await startWorld();
  let browser;
  try {
    browser = await openBrowser(world.url);
    mkdirSync(FOLDER, { recursive: true });
    await takeFirstPayment(browser);
    await takeStills(browser);
  } finally {
    await browser?.close();
    await world.close();
  }
  const sizes = ['first-payment.gif', ...STILLS].map((name) => [name, bytesOf(name)]);
  for (const [name, bytes] of sizes) process.stdout.write(`${name}: ${bytes} bytes\n`);
  const all = sizes.reduce((sum, [, bytes]) => sum + bytes, 0);
  if (all > BYTES_MAX) throw new Error(`the pictures have ${all} bytes, at most ${BYTES_MAX}`);
}

const STILLS = ['home.png', 'publish.png', 'market.png', 'table.png'];
const bytesOf = (name) => statSync(join(FOLDER, name)).size;

/** The pages that a person sees between the first page and the first payment. */
async function takeFirstPayment({ open }) {
  const { makeKey, goTo } = await import('./people.mjs');
  const { getsPaid } = await import('./firstPaidTask.mjs');
  const page = await open(MOVING);
  const frames = [];
  const take = async (ms = SEEN_MS) => {
    await page.evaluate(() => document.querySelector('main').scrollIntoView());
    frames.push([await page.screenshot({ animations: 'disabled', caret: 'hide' }), ms]);
  };
  await page.goto('/');
  await page.getByRole('region', { name: 'Paid just now' }).waitFor();
  await take(2 * SEEN_MS);
  await page.getByRole('link', { name: 'Open an account' }).click();
  await page.getByRole('button', { name: 'Make a key in this browser' }).waitFor();
  await take();
  await makeKey(page);
  await page.getByText('Nothing has moved yet.').waitFor();
  await take();
  await goTo(page, 'Work');
  await page.getByRole('link', { name: 'Say hello' }).first().waitFor();
  await take();
  await page.getByRole('link', { name: 'Say hello' }).first().click();
  await page.getByRole('button', { name: 'Claim this task' }).waitFor();
  await take();
  await page.getByRole('button', { name: 'Claim this task' }).click();
  const result = page.getByLabel('Result', { exact: true });
  for (const text of ['h', 'hello', 'hello, welc', 'hello, welcome-7']) {
    await result.fill(text);
    await take(TYPED_MS);
  }
  await page.getByRole('button', { name: 'Deliver', exact: true }).click();
  await page.getByText('Delivered.').waitFor();
  await take(2 * SEEN_MS);
  await getsPaid(page, () => undefined);
  await take(2 * SEEN_MS);
  await page.context().close();
  writeFileSync(join(FOLDER, 'first-payment.gif'), animated(frames));
}

/** Later frames hold only the points that changed; the others are transparent. */
function animated(frames) {
  const pictures = frames.map(([bytes, delay]) => ({ ...PNG.sync.read(bytes), delay }));
  const all = Buffer.concat(pictures.map(({ data }) => data));
  const palette = quantize(all, COLOURS - 1);
  const unchanged = palette.length;
  const gif = GIFEncoder();
  let before;
  for (const { data, width, height, delay } of pictures) {
    const points = applyPalette(data, palette);
    const changed = points.map((point, place) => (before?.[place] === point ? unchanged : point));
    gif.writeFrame(changed, width, height, {
      palette: [...palette, [0, 0, 0]],
      delay,
      transparent: before !== undefined,
      transparentIndex: unchanged,
      dispose: 1,
    });
    before = points;
  }
  gif.finish();
  return gif.bytes();
}

async function takeStills({ open, faults }) {
  const { openAccount } = await import('./people.mjs');
  const { betsOnCoin, getsSettled, winsHand } = await import('./alone.mjs');
  const { page } = await openAccount(open, 3);
  await page.setViewportSize(STILL.viewport);
  const take = async (name) => {
    const scale = STILL.deviceScaleFactor;
    const session = await page.context().newCDPSession(page);
    const clip = { x: 0, y: await page.evaluate(() => scrollY), ...STILL.viewport, scale };
    const { data } = await session.send('Page.captureScreenshot', { format: 'png', clip });
    await session.detach();
    writeFileSync(join(FOLDER, name), Buffer.from(data, 'base64'));
  };
  await page.goto('/app/publish');
  await page.getByLabel('Title').fill('Name the colour of the sea');
  await page.getByLabel('Reward in USDC').fill('0.09');
  await take('publish.png');
  await page.goto('/app/games');
  const market = await betsOnCoin(page);
  await getsSettled(page);
  await page.goto(market);
  await page.getByRole('heading', { name: 'Outcome' }).waitFor();
  await take('market.png');
  await winsHand(page, faults);
  await take('table.png');
  await page.goto('/');
  await page.getByRole('region', { name: 'Paid just now' }).waitFor();
  await take('home.png');
}

process.exitCode = await main().then(
  () => 0,
  (error) => {
    process.stderr.write(`${error instanceof NoBrowser ? error.message : error.stack}\n`);
    return error instanceof NoBrowser ? 2 : 1;
  },
);
