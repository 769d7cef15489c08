import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../kinds/dredd/hub.mjs';
import { settled } from './browser.mjs';
import { openAccount } from './people.mjs';

/**
 * A page says the same as the API: one number for each figure, and for each state of the
 * contract one word, the same on the list, on the page of the item and among one's own.
 */
export async function truth({ open, url, report }) {
  const { page } = await openAccount(open, 1);
  const figures = await sameFigures(page, url);
  report(`${figures} tasks are open on the first page, on the board, and in the API`);
  await page.goto('/app/games');
  await page.getByRole('button', { name: 'Play against the house' }).click();
  await page.waitForURL(/.app.tables./);
  const contract = readFileSync(join(root, 'generated/openapi.json'), 'utf8');
  for (const kind of kindsOf(JSON.parse(contract).components.schemas)) {
    const words = await sameWords(page, url, kind);
    report(`${kind.name}: ${words.join(', ')}`);
  }
}

async function sameFigures(page, url) {
  let after = '';
  let counted = 0;
  do {
    const { tasks, next } = await (
      await fetch(`${url}/api/v1/tasks?state=open&limit=100${after}`)
    ).json();
    counted += tasks.length;
    after = next === undefined ? undefined : `&after=${encodeURIComponent(next)}`;
  } while (after !== undefined);
  const shown = async (path, place) => {
    await page.goto(path);
    await place.waitFor();
    return Number((await place.innerText()).replace(/\D/g, ''));
  };
  const tile = page
    .getByRole('list', { name: 'Figures of the exchange, now' })
    .getByRole('listitem')
    .filter({ hasText: 'tasks open' });
  assert.equal(await shown('/', tile), counted);
  const head = page
    .getByRole('main')
    .locator('p')
    .filter({ hasText: /^\d+ tasks open$/ });
  assert.equal(await shown('/app/work', head), counted);
  return counted;
}

const badges = (page) => page.getByRole('main').locator('.badge').first();
const rowOf = (page, name) =>
  page.getByRole('main').getByRole('listitem').filter({ hasText: name }).locator('.badge').first();

/** Each kind: its states, where it is listed with the field of its state, and its own page. */
function kindsOf(schemas) {
  const name = 'Looked at by a test';
  const work = (item, state) => ({
    id: item.id,
    role: 'requester',
    state: 'closed',
    taskId: item.id,
    requester: 'hub:test',
    title: name,
    taskState: state,
    since: item.createdAt,
    next: [],
  });
  return [
    {
      name: 'tasks',
      states: schemas.TaskState.enum,
      api: '/api/v1/tasks',
      list: 'tasks',
      change: (item, state) => ({ ...item, title: name, requester: 'hub:test', state }),
      pages: (id) => [
        '/app/work?state=any',
        `/app/work/${id}`,
        '/app/account/work',
        '/app/account',
      ],
      rows: name,
      more: (item, state) => ({
        '**/api/v1/me/work?*': (body) => ({ ...body, count: 1, work: [work(item, state)] }),
        '**/api/v1/me': (body) => ({
          ...body,
          claims: [{ taskId: item.id, title: name, taskState: state, next: [] }],
        }),
      }),
    },
    {
      name: 'agents',
      states: schemas.Availability.enum,
      api: '/api/v1/agents',
      list: 'agents',
      change: (item, state) => ({ ...item, name, availability: state }),
      pages: (id) => ['/app/agents?all=1', `/app/agents/${id}`],
      rows: name,
    },
    {
      name: 'markets',
      states: schemas.PredictionMarket.properties.state.enum.filter((state) => state !== 'open'),
      api: '/api/v1/games/predictions/markets',
      list: 'markets',
      change: (item, state) => ({ ...item, question: name, state }),
      pages: (id) => ['/app/games', `/app/markets/${id}`],
      rows: name,
    },
    {
      name: 'tables',
      states: schemas.PokerTable.properties.state.enum,
      api: '/api/v1/games/poker/tables',
      list: 'tables',
      change: (item, state) => ({ ...item, name, state }),
      pages: (id) => ['/app/games', `/app/tables/${id}`],
      rows: name,
    },
  ];
}

async function sameWords(page, url, { states, api, list, change, pages, rows, more }) {
  const [item] = (await (await fetch(`${url}${api}?limit=1`)).json())[list];
  assert.ok(item !== undefined, `there is an item at ${api}`);
  const words = [];
  for (const state of states) {
    const seen = [];
    await rewrite(page, {
      [`**${api}?*`]: (body) => ({ ...body, [list]: [change(body[list][0] ?? item, state)] }),
      [`**${api}/${item.id}`]: (body) => change(body, state),
      ...more?.(item, state),
    });
    for (const path of pages(item.id)) {
      await page.goto(path);
      await settled(page);
      const fold = page.getByRole('main').locator('details > summary').first();
      const row = rowOf(page, rows);
      if (path.includes(item.id)) seen.push(await badges(page).innerText());
      else {
        if (!(await row.isVisible()) && (await fold.isVisible())) await fold.click();
        await row.waitFor();
        seen.push(await row.innerText());
      }
    }
    await page.unrouteAll({ behavior: 'wait' });
    assert.equal(new Set(seen).size, 1, `${api} ${state}: ${seen.join(', ')}`);
    words.push(seen[0]);
  }
  assert.equal(new Set(words).size, words.length, 'each state has a word of its own');
  return words;
}

/** The page sees the answers of the hub with a change that a test needs. */
async function rewrite(page, changes) {
  for (const [pattern, change] of Object.entries(changes)) {
    await page.route(pattern, async (route) => {
      if (route.request().method() !== 'GET') return route.continue();
      const response = await route.fetch();
      return route.fulfill({ response, json: change(await response.json()) });
    });
  }
}
