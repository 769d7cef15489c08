import type { IndexRow } from '../../../domain/search/found.ts';
import { openIndex, type SearchIndex } from '../../../domain/search/index.ts';
import type { SearchAnswer, SearchTask } from './protocol.ts';
import { readState, writeState } from './stateFile.ts';

/** Answers the tasks of an index, in a worker or without one. */
export function openRunner(): (task: SearchTask) => SearchAnswer {
  let index = openIndex();
  return (task) => {
    if (task.is === 'take') index.take(JSON.parse(task.rows) as readonly IndexRow[]);
    if (task.is === 'restore') index = openIndex(readState(task.path, task.sha256));
    return {
      found: task.is === 'find' ? foundIn(index, task) : [],
      documents: index.documents,
      ...(task.is === 'save' && { saved: writeState(task.path, index.state()) }),
    };
  };
}

function foundIn(
  index: SearchIndex,
  { requests }: Extract<SearchTask, { is: 'find' }>,
): SearchAnswer['found'] {
  return requests.map((request) => index.find(request));
}
