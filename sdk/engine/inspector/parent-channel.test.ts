import { EventEmitter } from 'node:events'
import t from 'tap'
import { ParentChannel, parentVariable } from './parent-channel.js'

class FakeProcess extends EventEmitter {
  connected = true
  readonly sent: object[] = []
  readonly answers: ((error: Error | null) => void)[] = []

  send(message: object, done: (error: Error | null) => void): void {
    this.sent.push(message)
    this.answers.push(done)
  }
}

const turn = () => new Promise((resolve) => setImmediate(resolve))
const numbers = (message: object | undefined) =>
  (message as { records: { n: number }[] }).records.map(({ n }) => n)

void t.test('records are sent together, one message at a time, and only to dev', async (t) => {
  const own = new FakeProcess()
  t.equal(ParentChannel.open({}, own), undefined)
  const channel = ParentChannel.open({ [parentVariable]: '1' }, own)
  const report = (n: number) => channel?.report({ what: 'run', n } as { what: string })
  report(1)
  report(2)
  await turn()
  report(3)
  await turn()
  t.equal(own.sent.length, 1, 'the parent has not read yet')
  t.same(numbers(own.sent[0]), [1, 2])
  own.answers[0]?.(null)
  t.same(numbers(own.sent[1]), [3])
})

void t.test('only messages that ask for a run are heard', async (t) => {
  const own = new FakeProcess()
  const asked: string[] = []
  ParentChannel.open({ [parentVariable]: '1' }, own)?.onRun(({ syncer, name }) =>
    asked.push(`${syncer} ${name}`),
  )
  own.emit('message', { of: 'another program' })
  own.emit('message', null)
  own.emit('message', { inspector: 'run', syncer: 'backups', namespace: 'default', name: 'daily' })
  t.same(asked, ['backups daily'])
})
