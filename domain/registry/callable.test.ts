import assert from 'node:assert/strict';
import { isObject } from '../jsonObject.ts';
import { whyNotCalled } from './callable.ts';

const EMPTY = { type: 'object', properties: {} };

describe('which tools the hub calls by itself (interface, verify)', () => {
  const why = (name: string, annotations: unknown = {}, schema: unknown = EMPTY) =>
    whyNotCalled(name, { name, annotations }, isObject(schema) ? schema : undefined);

  it('calls no tool because no forbidden word is in its name', () => {
    const names = (
      'shutdown format-disk truncate eval migrate vote follow mute rebase empty-trash ' +
      'call-phone sms fire hire detonate nuke selfDestruct unlike ring-bell dim_lights ' +
      'water_plants toggle arm disarm weather currencies balance disk gettysburg statusquo ' +
      'reader lister users_list my_get fetch_and_checkout help_wire_money version_bump ' +
      'get_and_forget status_toggle info_blast find_nemo_then_eat list_nuke health_potion_drink ' +
      'get_access_token get_next_job fetch_cash read_receipt_ack search_destroy about_face ping_pong'
    ).split(' ');
    for (const name of names) assert.notEqual(why(name), undefined, name);
    assert.equal(
      why('detonate'),
      'No reading verb leads its name, and it does not declare readOnlyHint: true.',
    );
  });

  it('calls a tool whose name has nothing but words that are known to read', () => {
    const names = (
      'get_weather list-users readFile search findAll fetch describe_table count showStatus ' +
      'status ping health info version about help lookup get_block list_orders GETUser ' +
      'health_check get_stock_prices_by_symbol list_all_countries fetch_latest_news find_cities'
    ).split(' ');
    for (const name of names) assert.equal(why(name), undefined, name);
  });

  it('calls what declares that it only reads', () => {
    assert.equal(why('weather', { readOnlyHint: true }), undefined);
    assert.equal(why('погода', { readOnlyHint: true }), undefined);
    for (const hint of ['true', 1, {}, [true], null]) {
      assert.notEqual(why('weather', { readOnlyHint: hint }), undefined);
    }
  });

  it('never calls what writes, whatever else speaks for it', () => {
    assert.match(why('get_user', { destructiveHint: true }) ?? '', /destructive/);
    const both = { readOnlyHint: true, destructiveHint: true };
    assert.match(why('weather', both) ?? '', /destructive/);
    assert.match(why('get_user', { readOnlyHint: false }) ?? '', /changes something/);
    const contradicted = ['get_or_create', 'find_and_replace', 'shutdown', 'listAndVote'];
    for (const name of [...contradicted, 'fetch_and_checkout', 'withdraw_all']) {
      assert.match(why(name, { readOnlyHint: true }) ?? '', /write verb/, name);
    }
    assert.match(why('get_удалить') ?? '', /cannot read/);
    assert.match(why('get', { readOnlyHint: true }, { required: ['id'] }) ?? '', /requires 1/);
    assert.match(why('get', { readOnlyHint: true }, null) ?? '', /no input schema/);
  });

  it('says which rule kept it from the call', () => {
    const noHint = 'and it does not declare readOnlyHint: true.';
    const more = 'Its schema may require arguments in more than one way.';
    const cases: readonly (readonly [why: string | undefined, says: string])[] = [
      [why('get_or_create'), 'Its name has the write verb "create".'],
      [why('order'), 'Its name has the write verb "order".'],
      [why('get_and_run_order'), 'Its name has the write verb "run".'],
      [why('get', {}, null), 'It publishes no input schema, so its arguments are unknown.'],
      [why('get', {}, { required: ['a', 'b', 7] }), 'It requires 2 argument(s).'],
      ...['anyOf', 'oneOf', 'allOf', '$ref', 'not', 'if'].map(
        (word) => [why('get', {}, { [word]: [] }), more] as const,
      ),
      [why('get', { destructiveHint: true }), 'It says that it is destructive.'],
      [
        whyNotCalled('get', { execution: { taskSupport: 'required' } }, EMPTY),
        'It runs as a task only.',
      ],
      [why('get', { readOnlyHint: false }), 'It says that it changes something.'],
      [why('get_zebra'), `The hub does not know the word "zebra" of its name, ${noHint}`],
      [why('zebra'), `No reading verb leads its name, ${noHint}`],
      [why(''), `No reading verb leads its name, ${noHint}`],
      [why('get_новости'), 'Its name has letters that the rule for verbs cannot read.'],
    ];
    for (const [found, says] of cases) assert.equal(found, says);
    assert.equal(whyNotCalled('get', { execution: { taskSupport: 'optional' } }, EMPTY), undefined);
    assert.equal(why('get', 'x', { required: 'a' }), undefined);
  });

  it('takes a noun that is also a verb for a deed only where it leads or follows a conjunction', () => {
    assert.equal(why('get_order', { readOnlyHint: true }), undefined);
    assert.equal(why('get_like_order', { readOnlyHint: true }), undefined);
    for (const conjunction of ['and', 'or', 'then', 'to', 'n']) {
      const name = `get_news_${conjunction}_order`;
      assert.equal(why(name, { readOnlyHint: true }), 'Its name has the write verb "order".');
    }
    const leading = why('news_order', { readOnlyHint: true });
    assert.equal(leading, 'Its name has the write verb "order".');
  });

  it('reads names about the server and plurals of things', () => {
    for (const name of ['server_status', 'status_of', 'ping_news']) {
      assert.notEqual(why(name), undefined, name);
    }
    for (const name of ['status_check', 'api_', 'list_countries', 'get_boxes', 'get_cars']) {
      assert.equal(why(name) === undefined, name !== 'api_', name);
    }
    assert.equal(why('getHTTPStatus') === undefined, false);
    assert.equal(why('getURLList'), undefined);
  });
});
