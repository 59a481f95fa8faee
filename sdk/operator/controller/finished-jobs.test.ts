import t from 'tap'
import { jobs } from '../../engine/kube/builtin-workloads.js'
import { placeId } from '../apply/apply-request.js'
import { FinishedJobs } from './finished-jobs.js'

const kind = { cluster: { name: 'main' }, resource: jobs } as unknown as Parameters<
  FinishedJobs['observe']
>[0]
const idOf = (name: string) => placeId(kind, { namespace: 'default', name })

function endedJob(name: string) {
  const key = { namespace: 'default', name }
  const status = { conditions: [{ type: 'Complete', status: 'True' }] }
  return { key, object: { metadata: key, spec: { ttlSecondsAfterFinished: 1 }, status } }
}

void t.test('many ended Jobs of one owner do not displace those of another one', (t) => {
  const finished = new FinishedJobs()
  finished.observe(kind, endedJob('backup'), 'quiet')
  for (let number = 0; number < 2000; number++) finished.observe(kind, endedJob(`job-${number}`), 'busy')
  t.ok(finished.take(idOf('backup'), 'quiet'))
  t.notOk(finished.take(idOf('backup'), 'quiet'), 'only once')
  t.ok(finished.take(idOf('job-1999'), 'busy'))
  t.notOk(finished.take(idOf('job-0'), 'busy'), 'the oldest Jobs of an owner are forgotten')
  t.end()
})
