import t from 'tap'
import { isStoredAs } from './is-stored-as.js'
import { isApplied } from './managed-leaves.js'

void t.test('values are compared as API servers store them', (t) => {
  const stored: [intent: unknown, live: unknown][] = [
    ['', undefined],
    [0, undefined],
    [false, null],
    [{ a: [], b: { c: '' } }, undefined],
    ['1000m', '1'],
    ['2026-01-01T00:00:00Z', '2026-01-01T00:00:00.000000Z'],
    [[{ port: 80 }], [{ port: 80, protocol: 'TCP' }]],
    [{ path: 'a' }, { path: 'a', expirationSeconds: 3600 }],
    [
      { spec: {}, status: {} },
      { spec: {}, status: { phase: 'Pending' } },
    ],
  ]
  for (const [intent, live] of stored) t.ok(isStoredAs(intent, live, true), JSON.stringify([intent, live]))
  const changed: [intent: unknown, live: unknown][] = [
    ['a', undefined],
    [1, undefined],
    [true, undefined],
    [{ a: ['x'] }, undefined],
    [[{ port: 80 }], [{ port: 80, protocol: 'UDP' }]],
    [[{ port: 80 }], [{ port: 80, endPort: 90 }]],
    [{}, { a: 'b' }],
    [[1], [1, 2]],
    [{ status: {} }, { status: { phase: 'Bound' } }],
  ]
  for (const [intent, live] of changed)
    t.notOk(isStoredAs(intent, live, true), JSON.stringify([intent, live]))
  t.end()
})

void t.test('API servers store objects of custom kinds as they are', (t) => {
  t.notOk(isStoredAs('', undefined, false))
  t.notOk(isStoredAs({ a: 0 }, undefined, false))
  t.notOk(isStoredAs([{ port: 80 }], [{ port: 80, protocol: 'TCP' }], false))
  t.ok(isStoredAs({}, undefined, false))
  t.end()
})

void t.test('an empty value that the manager does not have is applied', (t) => {
  const intent = { spec: { size: 1, text: '' } }
  const live = { spec: { size: 1 } }
  const fields = { 'f:spec': { 'f:size': {} } }
  t.notOk(isApplied(fields, { intent, live, isBuiltIn: true }))
  t.notOk(isApplied(fields, { intent: { spec: { size: 1 }, status: { a: 1 } }, live, isBuiltIn: true }))
  t.ok(isApplied(fields, { intent: { spec: { size: 1 }, status: { a: {} } }, live, isBuiltIn: true }))
  t.end()
})
