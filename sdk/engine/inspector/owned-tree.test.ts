import t from 'tap'
import { configMaps } from '../kube/builtin.js'
import type { OwnedNode } from './owned-node.js'
import { type OwnedParts, ownedTree } from './owned-tree.js'

/** An object that names its owners. */
const owned = (name: string, ...owners: string[]) =>
  ({
    cluster: {},
    resource: configMaps,
    object: { metadata: { name, uid: name, ownerReferences: owners.map((uid) => ({ uid })) } },
  }) as unknown as OwnedParts['owned'][number]

const treeOf = (objects: OwnedParts['owned']) => ownedTree({ owned: objects, release: null, reported: [] })

/** `a(b c(d))`, for each node. */
const textOf = (nodes: readonly OwnedNode[]): string =>
  nodes
    .map(({ name, owns }) => name.replace('ConfigMap ', '') + (owns.length > 0 ? `(${textOf(owns)})` : ''))
    .join(' ')

void t.test('an object is below its owner', (t) => {
  const objects = [owned('a', 'root'), owned('b', 'a'), owned('c', 'a'), owned('d', 'c'), owned('e')]
  t.equal(textOf(treeOf(objects)), 'a(b c(d)) e')
  t.end()
})

void t.test('an object with many owners is shown once', (t) => {
  const levels = [0, 1, 2, 3].map((level) => Array.from({ length: 10 }, (_, n) => `${level}-${n}`))
  const objects = levels.flatMap((names, level) =>
    names.map((name) => owned(name, ...(levels[level - 1] ?? []))),
  )
  const count = (nodes: readonly OwnedNode[]): number =>
    nodes.reduce((sum, { owns }) => sum + 1 + count(owns), 0)
  t.equal(count(treeOf(objects)), 40)
  t.end()
})

void t.test('objects that own each other, or themselves, are shown', (t) => {
  const circle = [owned('a', 'b'), owned('b', 'a'), owned('c', 'b'), owned('d', 'd'), owned('e')]
  t.equal(textOf(treeOf(circle)), 'e a(b(c)) d')
  t.end()
})
