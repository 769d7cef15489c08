import { format } from 'prettier';
import type { Place, SampleCall } from './call.ts';

const COLUMNS = 76;

export const SETUP = `import { createHub, unwrap } from '@agent-exchange/client';
import { fileKeys, keys } from '@agent-exchange/client/node';

const key = await keys.loadOrGenerate('agent.key');
const hub = createHub({
  baseUrl: 'http://127.0.0.1:4020',
  key,
  keepKeys: await fileKeys('agent.pending'),
});
`;

const BEARER = `headers: { authorization: 'Bearer hub_your-api-key' }`;

/** The call with the typed client, laid out as the code of the project is. */
export function typescript(call: SampleCall): Promise<string> {
  const { method, path, operation, hasBody, isText } = call;
  const params = (['path', 'query'] as const).flatMap((place) => {
    const fields = fieldsOf(call, place);
    return fields === '' ? [] : [`${place}: {${fields}}`];
  });
  const init = [
    ...(params.length === 0 ? [] : [`params: {${params.join(',')}}`]),
    ...(hasBody ? [`body: {${fieldsOf(call, 'body')}}`] : []),
    ...(operation['x-auth'] === 'api-key' ? [BEARER] : []),
    ...(isText ? [`parseAs: 'text'`] : []),
  ];
  const given = init.length === 0 ? '' : `, {${init.join(',')}}`;
  const text = `const answer = unwrap(await hub.${method}('${path}'${given}));`;
  return format(text, { parser: 'typescript', singleQuote: true, printWidth: COLUMNS });
}

function fieldsOf({ values, owner }: SampleCall, place: Place): string {
  const own = owner?.place === place ? [`${owner.name}: key.account`] : [];
  const given = Object.entries(values[place]).map(
    ([name, value]) => `${JSON.stringify(name)}: ${JSON.stringify(value)}`,
  );
  return [...own, ...given].join(',');
}
