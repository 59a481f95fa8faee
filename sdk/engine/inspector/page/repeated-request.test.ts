import t from 'tap'
import { RepeatedRequest } from './repeated-request.js'

/** A request whose answers a test gives. */
function answered() {
  const pending: { resolve(answer: string): void; reject(error: Error): void }[] = []
  const shown: string[] = []
  const request = new RepeatedRequest<string>({
    send: () => new Promise((resolve, reject) => pending.push({ resolve, reject })),
    onAnswer: (answer) => shown.push(answer),
    onProblem: ({ message }) => shown.push(`problem: ${message}`),
  })
  return { request, pending, shown }
}

const turn = () => new Promise((resolve) => setImmediate(resolve))

void t.test('an answer is shown though changes come faster, and one more request follows it', async (t) => {
  const { request, pending, shown } = answered()
  for (let change = 0; change < 3; change++) request.refresh()
  t.equal(pending.length, 1)
  pending[0]?.resolve('first')
  await turn()
  t.strictSame(shown, ['first'])
  t.equal(pending.length, 2)
  pending[1]?.reject(new Error('ended'))
  await turn()
  t.strictSame(shown, ['first', 'problem: ended'])
  t.equal(pending.length, 2, 'no request without a change')
  request.refresh()
  t.equal(pending.length, 3)
})

void t.test('a request that was stopped shows no answer and is not sent again', async (t) => {
  const { request, pending, shown } = answered()
  request.refresh()
  request.refresh()
  request.stop()
  pending[0]?.resolve('late')
  await turn()
  t.strictSame(shown, [])
  t.equal(pending.length, 1)
})
