import t from 'tap'
import { HookError } from '../calls/hook-error.js'
import { checkedPatch, firstPath } from './checked-patch.js'

const pod = () => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { namespace: 'default', name: 'db-1', labels: { a: '1' } },
  spec: { containers: [{ name: 'postgres' }] },
})

void t.test('a hook gets the patch to what it made', async (t) => {
  const changed = { ...pod(), spec: { containers: [{ name: 'postgres' }, { name: 'sidecar' }] } }
  t.same(checkedPatch(pod(), changed), [
    { op: 'add', path: '/spec/containers/1', value: { name: 'sidecar' } },
  ])
  t.same(checkedPatch(pod(), pod()), [], 'nothing to change')
})

void t.test('a hook must not change which object it is', async (t) => {
  const { metadata } = pod()
  const table = [
    ['kind', { ...pod(), kind: 'Job' }],
    ['metadata.name', { ...pod(), metadata: { ...metadata, name: 'db-2' } }],
    ['metadata.uid', { ...pod(), metadata: { ...metadata, uid: 'other' } }],
  ] as const
  for (const [field, changed] of table) {
    const message = `Pod default/db-1: the hook must not change ${field}; leave it as the hook was given it`
    t.throws(() => checkedPatch<ReturnType<typeof pod>>(pod(), changed), { message, code: 'INTERNAL' }, field)
  }
  t.throws(() => checkedPatch<ReturnType<typeof pod>>(pod(), { ...pod(), apiVersion: 'v2' }), HookError)
})

void t.test('labels and annotations are strings', async (t) => {
  const { metadata } = pod()
  const table: [labels: unknown, what: string][] = [
    [5, 'metadata.labels to a number; set it to an object of strings'],
    [[], 'metadata.labels to a list; set it to an object of strings'],
    [{ a: 5 }, 'metadata.labels["a"] to a number; set it to a string, for example with String(value)'],
    [
      { a: '1', b: {} },
      'metadata.labels["b"] to an object; set it to a string, for example with String(value)',
    ],
    [{ a: null }, 'metadata.labels["a"] to null; set it to a string, for example with String(value)'],
  ]
  for (const [labels, what] of table) {
    const message = `Pod default/db-1: the hook set ${what}`
    const changed = { ...pod(), metadata: { ...metadata, labels: labels as never } }
    t.throws(() => checkedPatch(pod(), changed), { message, code: 'INTERNAL' })
  }
})

void t.test('a hook that returns anything but an object is an error', (t) => {
  const message = (what: string) =>
    `Pod default/db-1: the hook returned ${what}, not the object; return the whole`
  for (const [value, what] of [
    [5, 'a number'],
    ['x', 'a string'],
    [[], 'a list'],
  ] as const)
    t.throws(() => checkedPatch<object & ReturnType<typeof pod>>(pod(), value as never), {
      message: new RegExp(`^${message(what)}`),
      code: 'INTERNAL',
    })
  t.end()
})

void t.test('the first place where two objects differ is named by its pointer', async (t) => {
  t.equal(
    firstPath(pod(), { ...pod(), spec: { containers: [{ name: 'other' }] } }),
    '/spec/containers/0/name',
  )
  t.equal(firstPath(pod(), pod()), '')
})
