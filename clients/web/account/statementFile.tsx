import { unwrap, type Hub } from '../../typescript/index.ts';
import { useAction } from '../load.ts';
import { saveFile } from '../parts/files.ts';
import { Failure } from '../parts/states.tsx';
import { T } from '../texts.ts';

interface DownloadProps {
  readonly hub: Hub;
  readonly account: string;
  readonly network: string;
}

/** Every entry as the hub writes it for spreadsheets (choices pipeline.exports). */
export function Download({ hub, account, network }: DownloadProps) {
  const action = useAction();
  const save = (): void =>
    action.run(async () => {
      const name = `statement-${account.slice(4, 12)}.csv`;
      saveFile(name, await allPages({ hub, account, network }), 'text/csv');
    });
  return (
    <>
      <button type="button" class="small" onClick={save} aria-busy={action.isRunning}>
        {T.statement.download}
      </button>
      {action.error !== undefined && <Failure error={action.error} />}
    </>
  );
}

const PAGE = 200;
/** More entries are a matter for the API: 200,000 are 40 MB. */
const PAGES_MAX = 1_000;

/** The pages of the list joined, with the names of the columns once. */
async function allPages({ hub, account, network }: DownloadProps): Promise<string> {
  const texts: string[] = [];
  let after: string | undefined;
  do {
    const query = { limit: PAGE, network, ...(after !== undefined && { after }) };
    const reply = await hub.GET('/api/v1/wallet/{owner}/statement', {
      params: { path: { owner: account }, query },
      headers: { accept: 'text/csv' },
      parseAs: 'text',
    });
    const text = unwrap(reply);
    texts.push(texts.length === 0 ? text : text.slice(text.indexOf('\n') + 1));
    after = nextOf(reply.response.headers.get('link'));
  } while (after !== undefined && texts.length < PAGES_MAX);
  return texts.join('');
}

/** The cursor in `<…?after=…>; rel="next"`. */
function nextOf(link: string | null): string | undefined {
  const [, address] = /<([^>]*)>; rel="next"/.exec(link ?? '') ?? [];
  if (address === undefined) return undefined;
  return new URL(address, location.origin).searchParams.get('after') ?? undefined;
}
