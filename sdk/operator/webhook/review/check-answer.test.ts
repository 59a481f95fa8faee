import t from 'tap'
import { caches } from '../caches.fixture.js'
import { checkDefaulted, checkProblems } from './check-answer.js'

const metadata = { name: 'a', namespace: 'default', uid: 'u' }
const cache = { apiVersion: 'cache.my.domain/v1', kind: 'Cache', metadata, spec: { replicas: 1 } }

void t.test('default may change neither the status nor the identity of an object', async (t) => {
  t.doesNotThrow(() => checkDefaulted(caches, cache, { ...cache, spec: { replicas: 2 } }))
  const changes: [change: object, field: string][] = [
    [{ status: { nodes: ['a'] } }, 'status'],
    [{ metadata: { ...metadata, name: 'b' } }, 'metadata.name'],
    [{ metadata: { ...metadata, namespace: 'b' } }, 'metadata.namespace'],
    [{ metadata: { ...metadata, uid: 'b' } }, 'metadata.uid'],
    [{ kind: 'Other' }, 'kind'],
  ]
  for (const [change, field] of changes)
    t.throws(() => checkDefaulted(caches, cache, { ...cache, ...change }), {
      status: 500,
      message: `default of caches.cache.my.domain changed ${field}; return the object with the one that it had`,
    })
})

void t.test('default returns the object, at once', async (t) => {
  const cure = 'return the object that it was given, with the defaults'
  const answers: [answer: unknown, reason: string][] = [
    [undefined, `returned undefined; ${cure}`],
    [null, `returned null; ${cure}`],
    [[], `returned a list; ${cure}`],
    ['secret', `returned a value of the type string; ${cure}`],
    [Promise.resolve(cache), `returned a promise; make it a function without async, and ${cure}`],
  ]
  for (const [answer, reason] of answers)
    t.throws(() => checkDefaulted(caches, cache, answer), {
      status: 500,
      message: `default of caches.cache.my.domain ${reason}`,
    })
})

void t.test('validate returns a list, at once', async (t) => {
  t.doesNotThrow(() => checkProblems(caches, []))
  const cure = 'return a list of problems, which is empty if there are none'
  const answers: [answer: unknown, reason: string][] = [
    [undefined, `returned undefined; ${cure}`],
    [true, `returned a value of the type boolean; ${cure}`],
    [Promise.resolve([]), `returned a promise; make it a function without async, and ${cure}`],
  ]
  for (const [answer, reason] of answers)
    t.throws(() => checkProblems(caches, answer), {
      status: 500,
      message: `validate of caches.cache.my.domain ${reason}`,
    })
})
