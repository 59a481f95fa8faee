import fc from 'fast-check'
import t from 'tap'
import { jsonEqual } from '../json.js'
import { applyPatch } from './apply-patch.js'
import { createPatch } from './create-patch.js'
import { differences } from './differences.js'
import { FailedTestError } from './json-patch-error.js'

const json = fc.jsonValue({ maxDepth: 4 })
const object = fc.dictionary(fc.oneof(fc.constantFrom('a', 'b/c', '~d', '__proto__'), fc.string()), json)

void t.test('the patch between any two objects gives the second one', async (t) => {
  fc.assert(
    fc.property(object, object, (from, to) => jsonEqual(applyPatch(from, createPatch(from, to)), to)),
    { numRuns: 2000 },
  )
  t.pass('2,000 pairs')
})

void t.test('lists are changed by index, and only where they differ', async (t) => {
  const [a, b, c] = [{ name: 'a', image: '1' }, { name: 'b' }, { name: 'c' }]
  t.same(createPatch([a, b, c], [{ ...a, image: '2' }, b, c]), [
    { op: 'replace', path: '/0/image', value: '2' },
  ])
  t.same(createPatch([a, b, c], [a, c]), [{ op: 'remove', path: '/1' }])
  t.same(createPatch([a, c], [a, b, c]), [{ op: 'add', path: '/1', value: b }])
  t.same(createPatch([a], []), [{ op: 'remove', path: '/0' }])
})

void t.test('keys are escaped, parents come first, and absent is not null', async (t) => {
  t.same(createPatch({}, { metadata: { labels: { 'cnpg.io/role': 'x' } } }), [
    { op: 'add', path: '/metadata', value: { labels: { 'cnpg.io/role': 'x' } } },
  ])
  t.same(createPatch({ 'a/b~c': 1 }, { 'a/b~c': 2 }), [{ op: 'replace', path: '/a~1b~0c', value: 2 }])
  t.same(createPatch({ a: null }, { a: undefined }), [{ op: 'remove', path: '/a' }])
})

void t.test('a member that is undefined is absent, and is added once', (t) => {
  t.same(createPatch({ a: undefined }, { a: 1 }), [{ op: 'add', path: '/a', value: 1 }])
  t.end()
})

void t.test('a patch that does not apply says which operation, and why', async (t) => {
  const add = (path: string) => () => applyPatch({ list: [] }, [{ op: 'add', path, value: 1 }])
  t.throws(add('/metadata/labels'), {
    message: 'add of /metadata/labels does not apply: there is nothing at its path',
  })
  t.throws(add('/list/1'), { message: 'add of /list/1 does not apply: the list has no such index' })
  t.throws(() => applyPatch({}, [{ op: 'remove', path: '/a' }]), { message: /there is nothing at its path/ })
})

const add = (path: string, value: unknown) => ({ op: 'add', path, value })
const replace = (path: string, value: unknown) => ({ op: 'replace', path, value })
const remove = (path: string) => ({ op: 'remove', path })
const holds = (path: string, value: unknown) => ({ op: 'test', path, value })
const move = (from: string, path: string) => ({ op: 'move', from, path })
const copy = (from: string, path: string) => ({ op: 'copy', from, path })

/** The situations of RFC 6902, sections 4 and 5 and appendix A, and of RFC 6901. */
const applied: readonly [what: string, document: unknown, operations: object[], result: unknown][] = [
  ['a member is added', { a: 1 }, [add('/b', 2)], { a: 1, b: 2 }],
  ['a member that exists is replaced by add', { a: 1 }, [add('/a', null)], { a: null }],
  ['an item is inserted', [1, 3], [add('/1', 2)], [1, 2, 3]],
  ['an item is added at the end by its index', [1], [add('/1', 2)], [1, 2]],
  ['an item is added at the end by a dash', [1], [add('/-', [2, 3])], [1, [2, 3]]],
  [
    'an object is added with what is in it',
    { a: 1 },
    [add('/b', { c: {} }), add('/b/c/d', 2)],
    { a: 1, b: { c: { d: 2 } } },
  ],
  ['a member is removed', { a: 1, b: 2 }, [remove('/a')], { b: 2 }],
  ['an item is removed', [1, 2, 3], [remove('/1')], [1, 3]],
  ['a value is replaced', { a: [1, 2] }, [replace('/a/1', 'b')], { a: [1, 'b'] }],
  ['the document is replaced', { a: 1 }, [replace('', [1])], [1]],
  ['a value is moved', { a: { b: 1 }, c: {} }, [move('/a/b', '/c/d')], { a: {}, c: { d: 1 } }],
  ['an item is moved', [1, 2, 3, 4], [move('/1', '/3')], [1, 3, 4, 2]],
  [
    'a value is copied, and the copy is its own',
    { a: { b: 1 } },
    [copy('/a', '/c'), replace('/c/b', 2)],
    { a: { b: 1 }, c: { b: 2 } },
  ],
  [
    'values are compared as JSON',
    { a: { b: 1, c: [1.0, 'd'] } },
    [holds('/a', { c: [1, 'd'], b: 1 })],
    { a: { b: 1, c: [1, 'd'] } },
  ],
  ['members of an operation that are not known are ignored', {}, [{ ...add('/a', 1), other: 2 }], { a: 1 }],
  ['a member without a name has a path', { '': 1 }, [replace('/', 2)], { '': 2 }],
  [
    'names are unescaped once',
    { '~1': 1, '/': 2 },
    [replace('/~01', 3), replace('/~1', 4)],
    { '~1': 3, '/': 4 },
  ],
  ['a dash is a name in an object', {}, [add('/-', 1)], { '-': 1 }],
  ['an integer beyond 2^53 stays', { a: 2n ** 60n }, [copy('/a', '/b')], { a: 2n ** 60n, b: 2n ** 60n }],
]

for (const [what, document, operations, result] of applied)
  void t.test(what, async (t) => {
    const before = structuredClone(document)
    t.strictSame(applyPatch(document, operations), result)
    t.strictSame(document, before, 'the document stays')
  })

/** Operations that are errors by RFC 6902, and whether the library of a kube-apiserver has another opinion. */
const refused: readonly [what: string, document: unknown, operation: object, asServer?: unknown][] = [
  ['add below a parent that is missing', {}, add('/a/b', 1)],
  ['add below a value', { a: 'text' }, add('/a/b', 1)],
  ['add beyond the end', [1], add('/2', 1)],
  ['an index with a zero in front', [1, 2], add('/01', 1)],
  ['an index with a sign', [1, 2], add('/+1', 1)],
  ['an index without digits', [1, 2], add('/', 1)],
  ['the length of a list', [1], replace('/length', 0)],
  ['add without a value', {}, { op: 'add', path: '/a' }, { a: null }],
  ['replace without a value', { a: 1 }, { op: 'replace', path: '/a' }],
  ['remove of a missing member', {}, remove('/a')],
  ['remove of what every object has', {}, remove('/constructor')],
  ['remove of the end', [1], remove('/-')],
  ['replace of a missing member', {}, replace('/a', 1), { a: 1 }],
  ['replace of a missing item', [], replace('/0', 1)],
  ['move of a missing member', {}, move('/a', '/b')],
  ['move into itself', { a: { b: 1 } }, move('/a', '/a/b')],
  ['copy of a missing member', {}, copy('/a', '/b'), { b: null }],
  ['copy of a missing item', { a: [] }, copy('/a/0', '/b')],
  ['copy from no pointer', { a: 1 }, copy('a', '/b')],
  ['test of another value', { a: 1 }, holds('/a', 2)],
  ['test of a text that looks like a number', { a: '10' }, holds('/a', 10)],
  ['test of a missing member against null', {}, holds('/a', null), {}],
  ['a path that does not begin with a slash', { a: 1 }, remove('a')],
  ['an operation without a path', {}, { op: 'add', value: 1 }],
  ['an unknown operation', { a: 1 }, { op: 'increment', path: '/a' }],
]

for (const [what, document, operation, asServer] of refused)
  void t.test(`refused: ${what}`, async (t) => {
    t.throws(() => applyPatch(document, [operation]), { message: / does not apply: / })
    const lenient = () => applyPatch(document, [operation], { missingIsNull: true })
    if (asServer === undefined) t.throws(lenient, { message: / does not apply: / })
    else t.strictSame(lenient(), asServer, 'a kube-apiserver accepts it')
  })

void t.test('a test that does not hold has an error of its own', async (t) => {
  t.throws(() => applyPatch({ a: 1 }, [holds('/a', 2)]), FailedTestError)
  t.throws(() => applyPatch({ a: 's3cr3t' }, [holds('/a', 'other')]), {
    message: 'test of /a does not apply: another value is there',
  })
})

void t.test('copies of copies have a limit', async (t) => {
  const double = Array.from({ length: 30 }, (_, at) => copy('/a', `/a/${at}`))
  t.throws(() => applyPatch({ a: {} }, double, { maxCopiedCharacters: 10_000 }), /the copies are too large/)
})

void t.test('a comparison can end early, take lists as a whole, and not go deep', async (t) => {
  const [from, to] = [
    { a: { b: { c: 1 } }, d: [1], e: null },
    { a: { b: { c: 2 } }, d: [2] },
  ]
  t.same(
    differences(from, to).map(({ path }) => path.join('.')),
    ['a.b.c', 'd', 'e'],
  )
  t.same(
    differences(from, to, { lists: 'sameLength', maxCount: 2 }).map(({ path }) => path.join('.')),
    ['a.b.c', 'd.0'],
  )
  t.same(differences(from, to, { maxDepth: 1, nullIsAbsent: true }), [
    { path: ['a'], was: { b: { c: 1 } }, value: { b: { c: 2 } } },
    { path: ['d'], was: [1], value: [2] },
  ])
  t.same(differences({ list: [1, 2] }, { list: [2] }, { lists: 'sameLength' }), [
    { path: ['list'], was: [1, 2], value: [2] },
  ])
})
