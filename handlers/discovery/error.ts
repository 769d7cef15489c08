import { refuse } from '../../workflows/kernel/errors.ts';
import type { Handler } from '../../workflows/kernel/handler.ts';
import { explain, isCode } from './content/errors.ts';

export const error: Handler<'discovery.error'> = async (call, hub) => {
  const { code } = call.path;
  if (!isCode(code)) {
    return refuse('not-found', {
      error: `No refusal carries the code ${JSON.stringify(code)}.`,
      hint: 'GET /errors lists every code.',
    });
  }
  const body = explain(code, hub.settings.baseUrl);
  return { status: 200, headers: { vary: 'accept' }, body };
};
