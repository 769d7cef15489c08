import { addFeed, listFeeds, removeFeed, runFeed } from '../../db/registry/crawlFeeds.ts';
import type { Store } from '../../db/store.ts';
import { iso } from '../../domain/instant.ts';
import { feedKindOf, type CrawlFeed } from '../../domain/registry/crawlFeed.ts';
import { readSettings } from '../boot/config.ts';
import { systemClock } from '../../workflows/kernel/systemClock.ts';
import { inDatabase, type Command, type ExitCode, type Print } from './command.ts';

/** `hubctl feed add|list|run|remove`, beside a running hub, which reads a feed when it is due. */
export const feed: Command = async ([verb = '', address, ...more], env, print) => {
  const run = VERBS[verb];
  if (run === undefined || more.length > 0 || (verb === 'list') !== (address === undefined)) {
    return undefined;
  }
  if (address !== undefined && !(/^https?:\/\//.test(address) && URL.canParse(address))) {
    print('A feed is the address of a list, such as https://registry.example/v0.1/servers.\n');
    return 2;
  }
  return inDatabase(readSettings(env), print, async (store) => {
    return await run(store, address === undefined ? '' : new URL(address).toString(), print);
  });
};

type Verb = (store: Store, url: string, print: Print) => Promise<ExitCode>;

const VERBS: Readonly<Record<string, Verb>> = {
  async add(store, url, print) {
    const kind = feedKindOf(url);
    const isNew = await store.write((tx) => addFeed(tx, url, kind, systemClock.now()));
    print(isNew ? `Added as ${kind}; it is read within a minute.\n` : 'It is a feed already.\n');
    return isNew ? 0 : 1;
  },
  async run(store, url, print) {
    const isKnown = await store.write((tx) => runFeed(tx, url, systemClock.now()));
    print(
      isKnown ? 'It is read within a minute.\n' : `${url} is no feed; hubctl feed add adds it.\n`,
    );
    return isKnown ? 0 : 1;
  },
  async remove(store, url, print) {
    const isKnown = await store.write((tx) => removeFeed(tx, url, systemClock.now()));
    print(isKnown ? 'Removed with what it proposed; listings stay.\n' : `${url} is no feed.\n`);
    return isKnown ? 0 : 1;
  },
  async list(store, _, print) {
    const feeds = await store.read(listFeeds);
    for (const each of feeds) print(line(each));
    if (feeds.length === 0) print('There is no feed; hubctl feed add URL adds one.\n');
    return 0;
  },
};

function line({ url, kind, names, nextPageAt, fault, pass }: CrawlFeed): string {
  const { pages, proposed, skipped, refused, packages = 0 } = pass;
  const counts = `${pages} pages, ${proposed} proposed, ${packages} packages, ${skipped} skipped, ${refused} refused`;
  const why = fault === undefined ? '' : `  ${JSON.stringify(fault)}\n`;
  return `${url}  ${kind}  ${names} names  next ${iso(nextPageAt)}\n  ${counts}\n${why}`;
}
