import type { Hub } from '../../typescript/hub.ts';
import { unwrap } from '../../typescript/refusal.ts';
import { saveFile } from '../parts/files.ts';
import { LongWorkButton, useLongWork } from '../parts/longWork.tsx';
import { Section } from '../parts/shown.tsx';
import { progressTexts as P } from '../texts/progress.ts';
import { defined } from '../../../domain/defined.ts';

const LIMIT = 200;

/** Saves every row that the hub has about the account, page by page, and resumes where it failed. */
export function ExportAll({ hub, account }: { readonly hub: Hub; readonly account: string }) {
  const work = useLongWork(
    async (cursor, signal) => {
      const query = { limit: LIMIT, ...defined({ cursor }) };
      const params = { path: { owner: account }, query };
      const page = unwrap(await hub.GET('/api/v1/wallet/{owner}/export', { params, signal }));
      const part = page.rows.map((row) => `${JSON.stringify(row)}\n`).join('');
      return { part, done: page.count, next: page.hasMore ? page.nextCursor : undefined };
    },
    (parts) =>
      saveFile(`account-${account.slice(4, 12)}.jsonl`, parts.join(''), 'application/jsonl'),
  );
  return (
    <Section title={P.export.title} lead={P.export.lead}>
      <LongWorkButton of={work} label={P.export.save} format={P.export.rows} />
    </Section>
  );
}
