import { connect } from 'node:net'
import t from 'tap'
import { FailedAttempt } from './attempt.js'
import { networkProblem } from './network-problem.js'

const system = (code: string, address?: string) =>
  Object.assign(new Error(`connect ${code} ${address}:6443`), {
    code,
    syscall: 'connect',
    ...(address !== undefined && { address, port: 6443 }),
  })

const problemOf = (cause: unknown, server = '10.0.0.1:6443') =>
  networkProblem(new FailedAttempt(cause, { sent: false }), server)

void t.test('a connection that cannot be opened is described in words, with the code', (t) => {
  t.equal(problemOf(system('ECONNREFUSED', '10.0.0.1')), 'connection refused (ECONNREFUSED)')
  t.equal(problemOf(system('ENOTFOUND')), 'the name of the server is unknown (ENOTFOUND)')
  t.equal(problemOf(system('EHOSTUNREACH', '10.0.0.1')), 'no route to the server (EHOSTUNREACH)')
  t.end()
})

void t.test('the addresses of a name are added, but not the one that the message names already', (t) => {
  const refused = ['10.0.0.1', '10.0.0.2'].map((address) => system('ECONNREFUSED', address))
  const all = Object.assign(new AggregateError(refused), { code: 'ECONNREFUSED' })
  t.equal(problemOf(all), 'connection refused (ECONNREFUSED 10.0.0.2:6443)')
  t.equal(
    problemOf(all, 'api.example.org:6443'),
    'connection refused (ECONNREFUSED 10.0.0.1:6443 10.0.0.2:6443)',
  )
  t.end()
})

void t.test('other failures keep their message', (t) => {
  t.equal(problemOf(new Error('self-signed certificate')), 'self-signed certificate')
  const reset = Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET', syscall: 'read' })
  t.equal(problemOf(reset), 'read ECONNRESET')
  const several = Object.assign(new AggregateError([system('EACCES', '10.0.0.2')]), { code: 'EACCES' })
  t.equal(problemOf(several), 'connect EACCES 10.0.0.2:6443', 'Node leaves the message of several empty')
  t.end()
})

void t.test('the system reports a refused connection like that', async (t) => {
  const error = await new Promise((resolve) => connect(1, '127.0.0.1').once('error', resolve))
  t.equal(problemOf(error, '127.0.0.1:1'), 'connection refused (ECONNREFUSED)')
})
