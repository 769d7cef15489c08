import type { FeedKind } from '../../../domain/registry/crawlFeed.ts';
import type { FeedFault, FeedPage } from '../../../domain/registry/feedEntry.ts';
import type { BodyStream, Failed } from '../outbound/outcome.ts';
import { openThread, type Thread } from '../threads/thread.ts';

/** Parses feed pages in a worker, piece by piece: 16 MB take longer than a request may wait. */
export interface FeedReader {
  read(asked: AskedPage, body: BodyStream): Promise<FeedPage | FeedFault | Failed>;
  close(): Promise<void>;
}

interface AskedPage {
  readonly kind: FeedKind;
  readonly url: string;
  readonly cursor?: string;
}

export type FeedTask =
  | { readonly is: 'piece'; readonly page: number; readonly bytes: Uint8Array }
  | { readonly is: 'drop'; readonly page: number }
  | { readonly is: 'read'; readonly page: number; readonly asked: AskedPage };
export type FeedAnswer = FeedPage | FeedFault | undefined;

export function openFeedReader(): FeedReader {
  let thread: Thread<FeedTask, FeedAnswer> | undefined;
  let pages = 0;
  return {
    async read(asked, { parts }) {
      if (thread?.alive !== true) thread = openThread(import.meta.url, 'feed');
      const { ask } = thread;
      pages += 1;
      const page = pages;
      for await (const part of parts) {
        if (part.kind === 'failed') {
          await ask({ is: 'drop', page });
          return part;
        }
        // A copy: a message takes along the whole buffer that its bytes are a part of.
        await ask({ is: 'piece', page, bytes: new Uint8Array(part.bytes) });
      }
      const answer = await ask({ is: 'read', page, asked });
      if (answer === undefined) throw new Error('the feed worker answered nothing');
      return answer;
    },
    async close() {
      await thread?.close();
    },
  };
}
