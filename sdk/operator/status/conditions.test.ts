import t from 'tap'
import { type Condition, mergeConditions, reasonProblem } from './conditions.js'

const now = new Date('2030-01-02T03:04:05.678Z')
const ready: Condition = {
  type: 'Ready',
  status: 'True',
  reason: 'DeploymentReady',
  message: '',
  observedGeneration: 1,
  lastTransitionTime: '2029-01-01T00:00:00Z',
}

void t.test('the time of the last transition changes only with the status', async (t) => {
  const update = (status: 'True' | 'False') =>
    mergeConditions([ready], new Map([['Ready', { status, reason: 'Other', message: 'm' }]]), {
      types: ['Ready'],
      generation: 2,
      now,
    })
  t.same(update('True'), [{ ...ready, reason: 'Other', message: 'm', observedGeneration: 2 }])
  t.match(update('False'), [{ status: 'False', lastTransitionTime: '2030-01-02T03:04:05Z' }])
})

void t.test(
  'a declared type that the object lacks is Unknown, one that the run left alone stays',
  async (t) => {
    const merged = mergeConditions([ready], new Map(), { types: ['Ready', 'Available'], generation: 3, now })
    t.same(merged[0], ready)
    t.match(merged[1], {
      type: 'Available',
      status: 'Unknown',
      reason: 'NotYetReconciled',
      observedGeneration: 3,
    })
  },
)

void t.test('types of other controllers are not among those that are written', async (t) => {
  t.same(mergeConditions([ready], new Map(), { types: [], generation: 1, now }), [])
})

void t.test('a reason is one word', async (t) => {
  t.equal(reasonProblem('DeploymentReady'), undefined)
  t.match(reasonProblem('not ready'), /CamelCase/)
  t.match(reasonProblem(''), /CamelCase/)
})
