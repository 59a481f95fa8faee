import t from 'tap'
import { checkAddressable } from './check-addressable.js'
import { documentsOf, objectsOf } from './manifest.js'
import type { RenderedChart } from './renderer.js'

void t.test('documents are separated as Helm does, and empty ones are left out', async (t) => {
  const text =
    '---\n# Source: a.yaml\nkind: A\n--- # comment\n\n---\n# Source: b.yaml\n# only a comment\n---\nkind: B\n'
  t.strictSame(documentsOf(text), [
    { source: 'a.yaml', text: '# Source: a.yaml\nkind: A' },
    { source: 'b.yaml', text: 'kind: B' },
  ])
  t.strictSame(documentsOf(''), [])
})

void t.test('members of lists are objects of their own', async (t) => {
  const item = (name: string) => `{apiVersion: v1, kind: Secret, metadata: {name: ${name}}}`
  const text = `# Source: l.yaml\napiVersion: v1\nkind: List\nitems: [${item('a')}, ${item('b')}]`
  t.match(await objectsOf(text), [
    { source: 'l.yaml', object: { metadata: { name: 'a' } } },
    { source: 'l.yaml', object: { metadata: { name: 'b' } } },
  ])
})

void t.test('a manifest of more than 5000 objects is refused', async (t) => {
  const item = '{apiVersion: v1, kind: Secret, metadata: {name: a}}'
  const list = (count: number) => `kind: List\nitems: [${Array(count).fill(item).join()}]\n`
  t.equal((await objectsOf(`---\n${list(2_000)}---\n${list(3_000)}`)).length, 5_000)
  await t.rejects(objectsOf(`---\n# Source: l.yaml\n${list(2_000)}---\n${list(3_001)}`), {
    name: 'RenderError',
    message: 'l.yaml renders to more than 5000 objects',
  })
})

void t.test('a block of text at the end of a document keeps its line break', async (t) => {
  const document = (name: string) =>
    `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}}\ndata:\n  x: |\n    hello\n`
  const objects = await objectsOf(`---\n${document('a')}---\n${document('b')}`)
  t.match(objects, [{ object: { data: { x: 'hello\n' } } }, { object: { data: { x: 'hello\n' } } }])
})

void t.test('a document without an object is refused, and large numbers keep their digits', async (t) => {
  const refused = (text: string) => objectsOf(`# Source: a.yaml\n${text}`)
  await t.rejects(refused('- x'), {
    message: 'a.yaml renders to an object without apiVersion, kind, metadata.name',
  })
  await t.rejects(refused('a: b: c'), { message: /^a.yaml does not render to YAML: yaml: line/ })
  await t.rejects(refused('apiVersion: v1\nkind: A'), {
    reason: 'RenderError',
    message: /of kind A without metadata.name/,
  })
  const [first] = await refused('apiVersion: v1\nkind: A\nmetadata: {name: a}\nlarge: 9007199254740993')
  t.equal((first?.object as { large?: bigint } | undefined)?.large, 9007199254740993n)
})

void t.test('a document that no API server takes is not read', async (t) => {
  const manifest = `---\n# Source: a/b.yaml\nkind: A\ndata: ${'x'.repeat(2 ** 22)}\n`
  await t.rejects(objectsOf(manifest), {
    name: 'RenderError',
    message: 'a/b.yaml renders to an object of more than 4194304 characters',
  })
})

void t.test('names with colons, as roles have, can be parts of a path', async (t) => {
  const object = {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'ClusterRole',
    metadata: { name: 'system:a' },
  }
  const chart = { objects: [{ source: 'a', object }], hooks: [], crds: [] } as unknown as RenderedChart
  await t.resolves(checkAddressable(chart))
})
