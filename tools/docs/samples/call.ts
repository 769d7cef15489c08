import {
  parametersOf,
  resolve,
  type Document,
  type Operation,
  type Placed,
  type Response,
} from '../../generate/document.ts';

/** An operation with the values of its examples, before it is written in one language. */
export interface SampleCall {
  readonly operation: Operation;
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly values: Readonly<Record<Place, Values>>;
  readonly hasBody: boolean;
  /** The field that names the signer's own account; it is not among the values. */
  readonly owner: { readonly place: Place; readonly name: string } | undefined;
  readonly isText: boolean;
}
export type Place = 'path' | 'query' | 'body';
export type Values = Readonly<Record<string, unknown>>;

/** Returns the request of a sample. Clients generate the idempotency key, so no sample has one. */
export function sampleCall(document: Document, { path, method, operation }: Placed): SampleCall {
  const [place, name = ''] = (operation['x-owner'] ?? '').split('.');
  const owner = isPlace(place) ? { place, name } : undefined;
  const media = operation.requestBody?.content['application/json'];
  const parameters = parametersOf(document, operation).filter(({ required }) => required === true);
  const inPlace = (wanted: string): Values =>
    Object.fromEntries(
      parameters.filter((each) => each.in === wanted).map((each) => [each.name, each.example]),
    );
  const all = {
    path: inPlace('path'),
    query: inPlace('query'),
    body: isValues(media?.example) ? media.example : {},
  };
  const key = operation['x-idempotency']?.replace(/^body\./, '');
  const given = (from: Place): Values =>
    Object.fromEntries(
      Object.entries(all[from]).filter(
        ([each]) =>
          !(from === 'body' && each === key) && !(owner?.place === from && owner.name === each),
      ),
    );
  return {
    operation,
    method: method === 'get' ? 'GET' : 'POST',
    path,
    values: { path: given('path'), query: given('query'), body: given('body') },
    hasBody: media !== undefined,
    owner,
    isText: !answerTypes(document, operation).includes('application/json'),
  };
}

function answerTypes(document: Document, { responses }: Operation): readonly string[] {
  const success = responses['200'] ?? responses['202'] ?? { description: '' };
  return Object.keys(resolve<Response>(document, success).content ?? {});
}

/** Routes under /v1 take API keys; Python and the command line sign, so they call these instead. */
const SIGNED_TWIN: Readonly<Record<string, string>> = {
  'models.completions': 'models.chat',
  'models.embeddings': 'models.chat',
  'models.responses': 'models.chat',
  'models.messages': 'models.chat',
  'models.generate': 'models.chat',
  'models.compatList': 'models.list',
  'models.compatGet': 'models.list',
};

/** The call that a client makes which signs and holds no API key. */
export function signedTwin(all: readonly SampleCall[], call: SampleCall): SampleCall {
  const id = SIGNED_TWIN[call.operation.operationId];
  if (id === undefined) return call;
  const twin = all.find(({ operation }) => operation.operationId === id);
  if (twin === undefined) throw new Error(`there is no ${id} beside ${call.operation.operationId}`);
  return twin;
}

function isPlace(text: string | undefined): text is Place {
  return text === 'path' || text === 'query' || text === 'body';
}

function isValues(value: unknown): value is Values {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
