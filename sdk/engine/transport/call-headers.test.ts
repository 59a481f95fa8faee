import t from 'tap'
import { CallHeaders } from './call-headers.js'
import type { Credential } from './credential.js'

const credential = (token: string): Credential => ({
  headers: { authorization: `Bearer ${token}`, 'impersonate-user': 'kubeconfig' },
  tls: {},
})
const json = { accept: 'application/json' }

void t.test('calls of one kind share their headers, until the credentials change', async (t) => {
  const headers = new CallHeaders('agent')
  const [first, second] = [credential('one'), credential('two')]
  const made = headers.of({ headers: json }, first)
  t.same(made, { ...json, ...first.headers, 'user-agent': 'agent' })
  t.equal(headers.of({ headers: { ...json } }, first), made)
  t.same(headers.of({ headers: { ...json, 'content-type': 'text/plain' } }, first), {
    ...made,
    'content-type': 'text/plain',
  })
  t.match(headers.of({ headers: json }, second), { authorization: 'Bearer two' })
  t.match(headers.of({ headers: json }, first), { authorization: 'Bearer one' })
  t.match(new CallHeaders().of({}, first)['user-agent'], /^vcluster-plugin-sdk\//)
})

void t.test('headers that are not those of every call are made for each call', async (t) => {
  const headers = new CallHeaders('agent')
  const one = credential('one')
  const upgrade = { headers: { upgrade: 'websocket' } }
  t.match(headers.of(upgrade, one), { upgrade: 'websocket', 'user-agent': 'agent' })
  t.same(headers.of({}, one), { ...one.headers, 'user-agent': 'agent' })
  const as = { user: 'jane', groups: [], extra: {} }
  t.same(headers.of({ headers: json, as }, one), {
    ...json,
    authorization: 'Bearer one',
    'impersonate-user': 'jane',
    'user-agent': 'agent',
  })
  t.match(headers.of({ headers: json }, one), { 'impersonate-user': 'kubeconfig' })
})
