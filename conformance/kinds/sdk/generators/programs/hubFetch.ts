import { signRequest } from 'hub-sign';
import { key, url } from './key';

/** The fetch that orval's functions call: everything but the index is signed. */
export async function hubFetch<Answer>(path: string, init: RequestInit): Promise<Answer> {
  const request = new Request(url + path, init);
  const answer = await fetch(path === '/api/v1' ? request : await signRequest(request, key));
  return { data: await answer.json(), status: answer.status, headers: answer.headers } as Answer;
}
