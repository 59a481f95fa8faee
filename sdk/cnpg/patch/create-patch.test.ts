import fc from 'fast-check'
import t from 'tap'
import { jsonEqual } from '../../engine/kube/json.js'
import { applyPatch } from './apply-patch.js'
import { createPatch } from './create-patch.js'

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

void t.test('a patch is applied as strictly as the operator does', async (t) => {
  const add = (path: string) => () => applyPatch({ list: [] }, [{ op: 'add', path, value: 1 }])
  t.throws(add('/metadata/labels'), {
    message: 'add of /metadata/labels does not apply: there is nothing at its path',
  })
  t.throws(add('/list/1'), { message: 'add of /list/1 does not apply: the list has no such index' })
  t.throws(() => applyPatch({}, [{ op: 'remove', path: '/a' }]), { message: /there is nothing at its path/ })
})
