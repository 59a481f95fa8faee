import t from 'tap'
import { itemFinder } from './list-items.js'
import { isApplied } from './managed-leaves.js'
import { project } from './project.js'

/** An item that counts how often its name is read. */
function counted(name: string, reads: { count: number }): object {
  return Object.defineProperty({}, 'name', {
    enumerable: true,
    get: () => {
      reads.count++
      return name
    },
  })
}

const count = 2_000
const nameOf = (index: number) => `item-${index}`
const names = Array.from({ length: count }, (_, index) => nameOf(index))

void t.test('a long list is not searched once for each of its items', async (t) => {
  const reads = { count: 0 }
  const live = names.map((name) => counted(name, reads)).reverse()
  const intent = names.map((name) => ({ name }))
  const projected = project({ env: intent }, { env: live }) as { env: { items: object[] } }
  t.same(projected.env.items[0], { name: 'item-0' })
  t.ok(reads.count <= 10 * count, `names of live items were read ${reads.count} times`)
})

void t.test('managed fields of a long list are compared without a search for each item', async (t) => {
  const reads = { count: 0 }
  const env = names.map((name) => counted(name, reads))
  const items = names.map((name) => [`k:{"name":"${name}"}`, { '.': {}, 'f:name': {} }])
  const args = [...names]
  const fields = {
    'f:env': Object.fromEntries(items),
    'f:args': Object.fromEntries(args.map((text) => [`v:"${text}"`, {}])),
  }
  t.ok(isApplied(fields, { intent: { env, args }, live: { env, args }, isBuiltIn: true }))
  t.ok(reads.count <= 40 * count, `names were read ${reads.count} times`)
  t.notOk(isApplied(fields, { intent: { env, args }, live: { env, args: args.slice(1) }, isBuiltIn: true }))
})

void t.test('members that an intended item leaves to their defaults do not count', async (t) => {
  const live = [
    { port: 1, protocol: 'UDP' },
    { port: 2, protocol: 'TCP' },
    { port: 2, protocol: 'UDP' },
    'text',
  ]
  const find = itemFinder([{ port: 2 }, { port: 1, protocol: 'TCP' }, { port: 2, protocol: 'UDP' }], live)
  t.same([find(0), find(1), find(2)], [live[1], undefined, live[2]])
  t.same(itemFinder([{ size: 1 }], live)(0), live[0], 'items without an identity are found by position')
})

void t.test('an intended item is found by a key with defaults, and by large numbers', async (t) => {
  const fields = { 'f:ports': { 'k:{"port":80,"protocol":"TCP"}': { '.': {}, 'f:port': {} } } }
  const intent = { ports: [{ port: 80 }] }
  t.ok(isApplied(fields, { intent, live: { ports: [{ port: 80, protocol: 'TCP' }] }, isBuiltIn: true }))
  t.notOk(isApplied(fields, { intent, live: { ports: [{ port: 80, protocol: 'UDP' }] }, isBuiltIn: true }))
  const large = [{ name: 9007199254740993n }, { name: 9007199254740995n }]
  t.same(project(large, large), { length: 2, items: large })
})
