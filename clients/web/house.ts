import { unwrap } from '../typescript/refusal.ts';
import { useLoad } from './load.ts';
import { reader } from './session.ts';

/** Whether this hub has the scripted agents of the sandbox: their judge has a seat. */
export function useHouse(): boolean {
  const judges = useLoad('house', async (signal) => {
    const params = { query: { network: 'sandbox' } };
    return unwrap(await reader.GET('/api/v1/validators', { params, signal })).validators;
  });
  return judges.value?.some(({ sandboxAgent }) => sandboxAgent === true) ?? false;
}
