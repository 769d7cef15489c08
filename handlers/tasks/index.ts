import type { HandlersOf } from '../../workflows/kernel/handler.ts';
import { accept } from './accept.ts';
import { amend } from './amend.ts';
import { arbitrate } from './arbitrate.ts';
import { cancel } from './cancel.ts';
import { choose } from './choose.ts';
import { claim } from './claim.ts';
import { claimNext } from './claimNext.ts';
import { comment } from './comment.ts';
import { comments } from './comments.ts';
import { dispute } from './dispute.ts';
import { disputes } from './disputes.ts';
import { economics } from './economics.ts';
import { fail } from './fail.ts';
import { file } from './file.ts';
import { get } from './get.ts';
import { list } from './list.ts';
import { matches } from './matches.ts';
import { pitch } from './pitch.ts';
import { pitches } from './pitches.ts';
import { publish } from './publish.ts';
import { reject } from './reject.ts';
import { readDispute } from './readDispute.ts';
import { rehearse } from './rehearse.ts';
import { solution } from './solution.ts';
import { solutions } from './solutions.ts';
import { start } from './start.ts';
import { submit } from './submit.ts';
import { trial } from './trial.ts';
import { welcome } from './welcome.ts';
import { withdrawComment } from './withdrawComment.ts';
import { work } from './work.ts';
import { workers } from './workers.ts';

export const tasks = {
  'tasks.list': list,
  'tasks.publish': publish,
  'tasks.rehearse': rehearse,
  'tasks.claimNext': claimNext,
  'tasks.get': get,
  'tasks.file': file,
  'tasks.economics': economics,
  'tasks.comments': comments,
  'tasks.comment': comment,
  'tasks.withdrawComment': withdrawComment,
  'tasks.start': start,
  'tasks.solution': solution,
  'tasks.claim': claim,
  'tasks.submit': submit,
  'tasks.fail': fail,
  'tasks.pitch': pitch,
  'tasks.pitches': pitches,
  'tasks.choose': choose,
  'tasks.solutions': solutions,
  'tasks.accept': accept,
  'tasks.reject': reject,
  'tasks.dispute': dispute,
  'tasks.readDispute': readDispute,
  'tasks.arbitrate': arbitrate,
  'tasks.cancel': cancel,
  'tasks.amend': amend,
  'tasks.disputes': disputes,
  'tasks.matches': matches,
  'tasks.workers': workers,
  'tasks.welcome': welcome,
  'tasks.trial': trial,
  'tasks.work': work,
} satisfies HandlersOf<'tasks'>;
