import { readCrawlFeed } from '../../../domain/registry/readCrawlFeed.ts';
import { serve } from '../threads/serve.ts';
import type { FeedAnswer, FeedTask } from './reader.ts';

const pages = new Map<number, Uint8Array[]>();

serve((task: FeedTask): FeedAnswer => {
  const pieces = pages.get(task.page) ?? [];
  if (task.is === 'piece') {
    pages.set(task.page, pieces);
    pieces.push(task.bytes);
    return undefined;
  }
  pages.delete(task.page);
  if (task.is === 'drop') return undefined;
  const text = Buffer.concat(pieces).toString('utf8').replaceAll('\u0000', '');
  return readCrawlFeed(task.asked.kind, text, task.asked);
});
