import t from 'tap'
import { formatFaults, type InjectedFault, parseFaults } from './injected-fault.js'

void t.test('a schedule is parsed as it was formatted', async (t) => {
  const faults: InjectedFault[] = [
    { type: 'crash', write: 3, when: 'unanswered' },
    { type: 'restart', step: 1 },
    { type: 'down', step: 2 },
    { type: 'drop', write: 4 },
    { type: 'refuse', call: 5, code: 429 },
    { type: 'late', cluster: 'host', step: 1 },
    { type: 'lost', cluster: 'virtual', step: 2 },
    { type: 'repeated', cluster: 'host', step: 3 },
    { type: 'late', cluster: 'main/deployments', step: 1 },
    { type: 'cut', write: 2 },
    { type: 'handover', write: 3, when: 'held' },
    { type: 'recreate', write: 1 },
    { type: 'flip', write: 2, when: 'soon' },
    { type: 'upgrade', write: 3, when: 'before' },
    { type: 'downgrade', write: 4, when: 'after' },
    { type: 'rollback', step: 2 },
  ]
  const text = formatFaults(faults)
  t.equal(
    text,
    'crash:3:unanswered,restart:1,down:2,drop:4,refuse:5:429,late:host:1,lost:virtual:2,repeated:host:3,' +
      'late:main/deployments:1,cut:2,handover:3:held,recreate:1,' +
      'flip:2:soon,upgrade:3:before,downgrade:4:after,rollback:2',
  )
  t.same(parseFaults(text), faults)
  for (const wrong of [
    '',
    'crash:0:before',
    'crash:1',
    'late:1',
    'handover:1:before',
    'upgrade:1:soon',
    'flip:1:after',
    'refuse:1:200',
    'boom',
  ])
    t.throws(() => parseFaults(wrong), {
      message: /is not a fault; pass the schedule of a failure/,
    })
})
