import assert from 'node:assert/strict';
import { DATABASES } from '../harness/databases.ts';
import { at, mustOk, mustRefuse } from '../harness/must.ts';
import { openFixture, type Fixture } from '../harness/fixture.ts';
import { fill, index, listing, skill } from '../registry/_index.ts';
import { act, publish } from '../tasks/_work.ts';

type Body = Record<string, unknown>;

const SUITE_MS_MAX = 60_000;
for (const [name, url] of DATABASES) {
  describe(`discovery.search (${name})`, function suite() {
    this.timeout(SUITE_MS_MAX);
    let world: Fixture;
    let taskId = '';
    let commentId = '';
    const desk = listing('invoices.example', { name: 'Invoice desk' }, [
      skill('read_invoice', { description: 'Reads an invoice and gives its lines as JSON.' }),
      skill('send_reminder', { description: 'Reminds a customer.' }),
    ]);
    before(async () => {
      world = await openFixture({ databaseUrl: await url() });
      await fill(world, [desk]);
      const { alice, bob } = world;
      await world.fund(alice, '1000000');
      const text = { title: 'Extract invoice totals', description: 'Twelve scanned invoices.' };
      taskId = (await publish(alice, { ...text, rewardAmount: '20000' })).id;
      const comment = { author: bob.account, body: 'Are the invoices in Portuguese?' };
      commentId = String(mustOk(await act(bob, taskId, 'comments', comment))['id']);
      await index(world);
    });
    after(() => world.close());

    const search = async (query: string): Promise<readonly Body[]> =>
      mustOk(await world.anyone.get(`/api/v1/search?${query}`))['results'] as Body[];

    it('ranks agents, skills, tasks and comments together, each with the call that reads it', async () => {
      const results = await search('q=invoice');
      const kinds = results.map(({ kind }) => kind);
      assert.deepEqual([...new Set(kinds)].sort(), ['agent', 'comment', 'skill', 'task']);
      const scores = results.map(({ score }) => Number(score));
      assert.deepEqual(
        scores,
        [...scores].sort((a, b) => b - a),
      );
      for (const { call } of results) {
        const { method, path } = call as Body;
        assert.equal(method, 'GET');
        mustOk(await world.anyone.get(String(path)));
      }
      const task = results.find(({ kind }) => kind === 'task');
      assert.deepEqual([task?.['taskId'], at(task, 'reward', 'amount')], [taskId, '20000']);
      const comment = results.find(({ kind }) => kind === 'comment');
      assert.equal(comment?.['commentId'], commentId);
    });

    it('goes on behind a page, without losing or repeating a find', async () => {
      const whole = await search('q=invoice&limit=50');
      const paged: Body[] = [];
      for (let place = ''; ;) {
        const page = mustOk(await world.anyone.get(`/api/v1/search?q=invoice&limit=1${place}`));
        paged.push(...(page['results'] as Body[]));
        assert.equal(page['hasMore'], page['next'] !== undefined);
        if (page['next'] === undefined) break;
        place = `&after=${String(page['next'])}`;
      }
      assert.ok(whole.length >= 4);
      assert.deepEqual(paged, whole);
    });

    it('puts an exact tool name first, however it is spelled', async () => {
      for (const query of ['read_invoice', 'readInvoice', 'Read%20Invoice']) {
        const [first] = await search(`q=${query}`);
        assert.deepEqual([first?.['kind'], first?.['skill']], ['skill', 'read_invoice'], query);
        assert.ok(Number(first?.['score']) >= 800);
      }
    });

    it('forgives a slip of the finger and takes the beginning of a word', async () => {
      assert.equal((await search('q=invoce'))[0]?.['agentId'], desk.listing.id);
      assert.equal((await search('q=remin'))[0]?.['skill'], 'send_reminder');
    });

    it('gives one kind, and work in one state', async () => {
      const skills = await search('q=invoice&kind=skill');
      assert.deepEqual(
        skills.map((each) => each['skill']),
        ['read_invoice', 'send_reminder'],
        'a skill is found by its agent, too',
      );
      assert.deepEqual((await search('q=invoice&state=open')).map(({ kind }) => kind).sort(), [
        'comment',
        'task',
      ]);
      assert.deepEqual(await search('q=invoice&state=paid'), []);
      assert.deepEqual(await search('q=invoice&kind=agent&state=open'), []);
    });

    it('shows of one agent and its tools at most three, with the protocol and the endpoint', async () => {
      const names = Array.from({ length: 9 }, (_, n) => skill(`lantern_${n}`));
      const many = listing('lamps.example', { name: 'Lantern works' }, names);
      const other = listing('other.example', { name: 'Other', kind: 'a2a' }, [
        skill('lantern_hire', { tags: ['rent'] }),
      ]);
      await fill(world, [many, other]);
      const results = await search('q=lantern');
      const of = (id: string): number => results.filter(({ agentId }) => agentId === id).length;
      assert.deepEqual([of(many.listing.id), of(other.listing.id)], [3, 2]);
      const [first] = results;
      assert.deepEqual(
        [first?.['title'], first?.['protocol'], first?.['endpoint']],
        ['Lantern works', 'mcp', 'https://lamps.example/mcp'],
      );
      const rented = await search('q=lantern&tag=rent&minUptimePercent=50&maxPrice=1');
      assert.deepEqual([...new Set(rented.map(({ agentId }) => agentId))], [other.listing.id]);
      assert.deepEqual(await search('q=lantern&network=base'), []);
    });

    it('shows at most three tasks and comments of one account, however many repeat a name', async () => {
      const [spammer, other] = [await world.agent(), await world.agent()];
      const text = { title: 'Chandelier', rewardAmount: undefined };
      const own = (await publish(other, text)).id;
      for (let nth = 0; nth < 30; nth += 1) await publish(spammer, text);
      for (let nth = 0; nth < 10; nth += 1) {
        const comment = { author: spammer.account, body: `Chandelier ${nth}` };
        mustOk(await act(spammer, own, 'comments', comment));
      }
      for (const query of ['q=chandelier&limit=50', 'q=chandelier&kind=task&limit=50']) {
        const results = await search(query);
        assert.ok(results.some(({ taskId }) => taskId === own));
        assert.equal(results.length, 4, 'three of the one, one of the other');
      }
      const pages = [await search('q=chandelier&limit=2'), await search('q=chandelier&limit=50')];
      assert.deepEqual(pages[0], pages[1]?.slice(0, 2));
      const all = await world.anyone.get(
        `/api/v1/tasks?requester=${spammer.account}&q=chandelier&limit=50`,
      );
      assert.equal(mustOk(all)['count'], 30);
    });

    it('finds what was published before it was asked, before any job ran', async () => {
      const text = { title: 'Polish the telescope', description: 'Once.' };
      const { id } = await publish(world.alice, { ...text, rewardAmount: '20000' });
      assert.equal((await search('q=telescope'))[0]?.['taskId'], id);
    });

    it('forgets a comment that was withdrawn', async () => {
      assert.equal((await search('q=portuguese')).length, 1);
      mustOk(await act(world.bob, taskId, `comments/${commentId}/withdraw`));
      await index(world);
      assert.deepEqual(await search('q=portuguese'), []);
    });

    it('finds nothing in what has no words, and refuses a kind that is none', async () => {
      assert.deepEqual(await search('q=%E2%80%A6%21'), []);
      assert.deepEqual(await search('q=the'), []);
      const answer = await world.anyone.get('/api/v1/search?q=invoice&kind=person');
      const { allowed } = mustRefuse(answer, 400, 'unknown-filter');
      assert.deepEqual(allowed, ['agent', 'skill', 'task', 'comment', 'package']);
    });
  });
}
