// Tests field ownership and the result of an apply: examples for single rules, and random inputs for
// invariants.
import fc from 'fast-check'
import t from 'tap'
import { Registry } from '../server/registry.js'
import { type ApplyResult, applyFields } from './apply-fields.js'
import { compare } from './compare.js'
import { applyConflictError } from './conflicts.js'
import { FieldSet, type PathElement, readFieldsV1 } from './field-set.js'
import { fieldsOf } from './fields-of.js'
import { type ManagedFields, type Manager, readManagedFields, writeManagedFields } from './managed-fields.js'
import { mergeByType } from './merge.js'
import { showPath } from './path-element.js'
import { resourceType } from './resource-type.js'
import { trackUpdate } from './track-update.js'
import { trackedType } from './tracked-type.js'

const nowTime = '2026-01-01T00:00:00Z'
const later = '2026-01-01T00:00:01Z'
const noManagers: ManagedFields = new Map()

function typesOf(plural: string) {
  const resource = new Registry().find('', 'v1', plural)
  if (resource === undefined) throw new Error(`there are no ${plural}`)
  return { type: trackedType(resource), whole: resourceType(resource) }
}

const configMaps = typesOf('configmaps')
const services = typesOf('services')

const managerNamed = (manager: string, operation: Manager['operation'] = 'Apply'): Manager => ({
  manager,
  operation,
  apiVersion: 'v1',
  subresource: '',
})

interface State {
  readonly object: object
  readonly managed: ManagedFields
}

const empty: State = { object: { metadata: {} }, managed: noManagers }

interface As {
  readonly by: string
  readonly types?: typeof configMaps
  readonly now?: string
}

function applied(
  { object: live, managed }: State,
  desired: object,
  { by, types = configMaps, now = nowTime }: As,
): ApplyResult & State {
  const manager = managerNamed(by)
  const ignored = new FieldSet()
  const found = applyFields({ ...types, live, desired, managed, manager, now, ignored })
  return { ...found, object: found.object as object }
}

function updated(
  { object: live, managed }: State,
  next: object,
  { by, types = configMaps, now = nowTime }: As,
): State {
  const manager = managerNamed(by, 'Update')
  return { object: next, managed: trackUpdate({ type: types.type, live, next, managed, manager, now }) }
}

/** The paths that each manager owns. */
const ownersOf = ({ managed }: State) =>
  Object.fromEntries(
    [...managed.values()].map(({ manager, set }) => [manager, [...set.paths()].map(showPath).sort()]),
  )

const named = (labels?: object, data?: object) => ({
  metadata: { name: 'a', ...(labels === undefined ? {} : { labels }) },
  ...(data === undefined ? {} : { data }),
})

void t.test('a field that a manager no longer applies is removed, and the object is kept', async (t) => {
  const before = applied(empty, named({ team: 'a' }, { k: 'v' }), { by: 'one' })
  const after = applied(before, named(), { by: 'one' })
  t.match(after.object, { metadata: { name: 'a' } })
  t.notMatch(after.object, { metadata: { labels: {} } })
  t.same(ownersOf(after), {})
})

void t.test('a field that two managers apply is kept until both give it up', async (t) => {
  const both = applied(applied(empty, named({}, { k: 'v' }), { by: 'one' }), named({}, { k: 'v' }), {
    by: 'two',
  })
  const one = applied(both, named(), { by: 'one' })
  t.match(one.object, { data: { k: 'v' } })
  const none = applied(one, named(), { by: 'two' })
  t.notMatch(none.object, { data: { k: 'v' } })
})

void t.test('a new value for a field of another manager conflicts, with its path', async (t) => {
  const before = updated(empty, named(undefined, { k: 'v', l: 'm' }), { by: 'one' })
  const { overlaps } = applied(before, named(undefined, { k: 'w', l: 'm' }), { by: 'two' })
  t.equal(
    applyConflictError(overlaps).message,
    'Apply failed with 1 conflict: conflict with "one" using v1: .data.k',
  )
  t.same(
    applied(before, named(undefined, { k: 'v' }), { by: 'two' }).overlaps,
    [],
    'an equal value is not a conflict',
  )
})

void t.test('a null in place of a map or list removes nothing', async (t) => {
  const before = updated(empty, named({ team: 'a' }, { k: 'v' }), { by: 'one' })
  const { object } = applied(before, { ...named(), data: null }, { by: 'two' })
  t.match(object, { data: { k: 'v' } })
})

void t.test('elements with keys are merged in place', async (t) => {
  const ports = (...numbers: number[]) => ({
    spec: { ports: numbers.map((port) => ({ port, protocol: 'TCP', name: `p${port}` })) },
  })
  const shown = (object: unknown) =>
    (object as ReturnType<typeof ports>).spec.ports.map(({ port }) => port).join(' ')
  const merged = (live: number[], desired: number[]) =>
    shown(mergeByType(ports(...live), ports(...desired), services.type))
  t.equal(merged([1, 2, 3], [3, 1]), '2 3 1')
  t.equal(merged([1, 2, 3], [4, 2]), '1 4 2 3')
  t.equal(merged([1], [2]), '1 2')
  t.equal(merged([1, 2], []), '1 2')
})

void t.test('an element is owned by its keys, including defaults', async (t) => {
  const spec = { ports: [{ port: 80, name: 'web' }] }
  const state = applied(empty, { metadata: { name: 'a' }, spec }, { by: 'one', types: services })
  t.same(ownersOf(state).one, [
    '.spec.ports[port=80,protocol="TCP"]',
    '.spec.ports[port=80,protocol="TCP"].name',
    '.spec.ports[port=80,protocol="TCP"].port',
  ])
})

void t.test('of eleven updaters, the two oldest are merged', async (t) => {
  let state: State = empty
  for (let at = 0; at < 11; at++) {
    const { data = {} } = state.object as { data?: object }
    const next = named(undefined, { ...data, [`k${at}`]: 'v' })
    state = updated(state, next, { by: `manager-${at}`, now: `2026-01-01T00:00:${10 + at}Z` })
  }
  const owners = ownersOf(state)
  t.equal(Object.keys(owners).length, 10)
  t.same(owners['ancient-changes'], ['.data', '.data.k0', '.data.k1'])
})

const path = fc.array(fc.constantFrom<PathElement>('f:a', 'f:b', 'k:{"name":"x"}', 'v:"x"', 'i:0'), {
  minLength: 1,
  maxLength: 4,
})

const setOf = (paths: readonly PathElement[][]) => {
  const set = new FieldSet()
  for (const each of paths) set.insert(each)
  return set
}
const sets = fc.array(path, { maxLength: 8 }).map(setOf)
const texts = (set: FieldSet) => [...set.paths()].map((each) => each.join(' ')).sort()

void t.test('field sets obey the laws of sets, and FieldsV1 is lossless', async (t) => {
  fc.assert(
    fc.property(sets, sets, (a, b) => {
      const [inA, inB] = [texts(a), texts(b)]
      t.same(texts(a.union(b)), [...new Set([...inA, ...inB])].sort())
      t.same(
        texts(a.intersection(b)),
        inA.filter((each) => inB.includes(each)),
      )
      t.same(
        texts(a.difference(b)),
        inA.filter((each) => !inB.includes(each)),
      )
      t.equal(
        a.covers(b),
        inB.every((each) => inA.includes(each)),
      )
      t.same(texts(readFieldsV1(JSON.parse(JSON.stringify(a.fieldsV1)))), inA)
    }),
    { numRuns: 200 },
  )
})

const words = fc.constantFrom('x', 'y')
const maps = fc.option(fc.dictionary(fc.constantFrom('k', 'l', 'm'), words, { maxKeys: 3 }), {
  nil: undefined,
})
const objects = fc.tuple(maps, maps).map(([labels, data]) => named(labels, data))
const writes = fc.array(
  fc.record({ by: fc.constantFrom('one', 'two', 'three'), applies: fc.boolean(), desired: objects }),
  { maxLength: 8 },
)
type Write =
  typeof writes extends fc.Arbitrary<infer All> ? (All extends (infer Each)[] ? Each : never) : never

const write = (state: State, { by, applies, desired }: Write): State =>
  applies ? applied(state, desired, { by }) : updated(state, desired, { by })

void t.test('after any writes, only existing fields have owners', async (t) => {
  fc.assert(
    fc.property(writes, (all) => {
      const state = all.reduce(write, empty)
      const there = fieldsOf(state.object, configMaps.type)
      const { added } = compare({}, state.object, configMaps.type)
      for (const { set } of state.managed.values()) {
        if (!there.union(added).covers(set)) t.fail(`in ${JSON.stringify(all)} every owned field exists`)
      }
    }),
    { numRuns: 500 },
  )
  t.pass()
})

void t.test('an apply takes effect, is idempotent, and leaves nothing after it is withdrawn', async (t) => {
  fc.assert(
    fc.property(writes, objects, (all, desired) => {
      const before = all.filter(({ by }) => by !== 'three').reduce(write, empty)
      const once = applied(before, desired, { by: 'three' })
      t.match(once.object, desired, 'it holds')
      const twice = applied(once, desired, { by: 'three', now: later })
      t.equal(twice.object, once.object, 'the second apply changes nothing')
      const back = applied(twice, named(), { by: 'three' })
      t.same(ownersOf(back).three, undefined, 'a manager without applied fields owns nothing')
      t.match(back.object, { metadata: { name: 'a' } }, 'the object keeps its name')
    }),
    { numRuns: 300 },
  )
})

void t.test('written managed fields are parsed again, and invalid ones are rejected', async (t) => {
  fc.assert(
    fc.property(writes, (all) => {
      const { managed } = all.reduce(write, empty)
      const written = JSON.parse(JSON.stringify(writeManagedFields(managed) ?? []))
      t.same(writeManagedFields(readManagedFields(written) ?? noManagers), writeManagedFields(managed))
    }),
    { numRuns: 200 },
  )
  t.equal(readManagedFields([{ operation: 'Apply', fieldsV1: { 'x:a': {} } }]), undefined)
  t.equal(readManagedFields([{ operation: 'Other', fieldsV1: {} }]), undefined)
})
