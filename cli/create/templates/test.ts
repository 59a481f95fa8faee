import isPlainObject from 'lodash/isPlainObject.js'
import type { KubeObject } from '../../../sdk/engine/kube/object.js'
import { hostName, hostNameClusterScoped } from '../../../sdk/vcluster/naming/names.js'
import { withArticle } from '../kind/names.js'
import type { KindDesign, PluginDesign } from '../kind/plugin-design.js'
import {
  changedContent,
  contentAsserts,
  copiedContents,
  hostContent,
  testVCluster,
  translatedAsserts,
} from './copied-content.js'
import { importFrom, imports } from './imports.js'
import { kindImports } from './kind.js'
import { literal } from './literal.js'
import { selectingLabels } from './samples.js'

/** The annotations of the sample. They are equal on both sides; a vcluster may translate labels. */
const annotations = { note: 'first' }

/** Keys of a sample and its copy. */
interface SampleKeys {
  original: { namespace: string; name: string }
  copy: { namespace: string; name: string }
}

/** The keys of the sample and its copy in the test of a plugin. */
function sampleKeys({ kind, direction }: PluginDesign): SampleKeys {
  const { namespaced } = kind.resource
  const keyIn = (namespace: string, name = 'sample') => ({ namespace: namespaced ? namespace : '', name })
  if (direction === 'up') return { original: keyIn(testVCluster.namespace), copy: keyIn('default') }
  const name = namespaced
    ? hostName('sample', 'default', testVCluster.name)
    : hostNameClusterScoped('sample', testVCluster.namespace, testVCluster.name)
  return { original: keyIn('default'), copy: keyIn(testVCluster.namespace, name) }
}

/** The plugin's tests: they copy its sample, and kill it at every write. */
export function testFile(design: PluginDesign): string {
  const { kind, vcluster } = design
  const { names, content } = kind
  const keys = sampleKeys(design)
  const labels = selectingLabels(design)
  const needsLabel = Object.keys(labels).length > 0
  const metadata = { ...metadataOf(keys.original), ...(needsLabel && { labels }), annotations }
  const sample = { metadata, ...content }
  const { sdk, kindImport } = kindImports(kind)
  const isCustom = kind.source.from === 'definition'
  const fromSdk = [...sdk, 'isNotFound', ...(isCustom ? ['customResourceDefinitions'] : [])]
  const header = imports(
    "import assert from 'node:assert/strict'",
    "import { test } from 'node:test'",
    importFrom('vcluster-plugin-sdk', fromSdk),
    importFrom('vcluster-plugin-sdk/testing', ['exhaust', 'type Scenario', 'testPlugin']),
    kindImport,
    isCustom ? importFrom(`./${names.file}-definition.js`, [`${names.singular}Definition`]) : '',
    "import { register } from './register.js'",
  )
  const options = vcluster.labelMode === 'hashed' ? ", { labelMode: 'hashed' }" : ''
  return `${header}

const key = ${literal(keys.original)}
const copyKey = ${literal(keys.copy)}
const sample: ${names.type} = ${literal(sample)}
const change = {
  type: 'merge',
  body: ${literal(changeOf(design), 2)},
} as const

${copiedContents(design)}${scenarioOf(design)}

${copyTest(design, options)}
${needsLabel ? labelTest(design, options) : ''}
test('the copies are correct after a crash at any write', async () => {
  const { missed } = await exhaust(scenario, { faults: ['crashes'] })
  assert.deepEqual(missed, [])
})
`
}

const metadataOf = ({ namespace, name }: SampleKeys['original']) =>
  namespace ? { namespace, name } : { name }

const changeOf = ({ kind }: PluginDesign) => ({
  metadata: { annotations: { note: 'second' } },
  ...kind.change,
})

/** The names of the clients for the clusters of originals and copies. */
const clientNames = ({ direction }: PluginDesign) =>
  direction === 'up' ? { original: 'host', copy: 'virtual' } : { original: 'virtual', copy: 'host' }

function scenarioOf(design: PluginDesign): string {
  const { kind, vcluster } = design
  const { original, copy } = clientNames(design)
  const { type, pluralName, singular } = kind.names
  const edit: Partial<KubeObject> = { metadata: { annotations: { note: 'edited' } } }
  const beforeMember =
    kind.source.from === 'definition'
      ? `\n  before: ({ host }) => host.create(customResourceDefinitions, ${singular}Definition),`
      : ''
  const labelModeMember = vcluster.labelMode === 'hashed' ? `\n  labelMode: 'hashed',` : ''
  return `/** The steps of the crash test: the test kit kills the plugin at each write. */
const scenario: Scenario = {
  register,${labelModeMember}${beforeMember}
  steps: {
    '${withArticle(type)} is created': ({ ${original} }) => ${original}.create(${pluralName}, sample),
    'it is changed': ({ ${original} }) => ${original}.patch(${pluralName}, key, change),
    'a user edits its copy': ({ ${copy} }) =>
      ${copy}.patch(${pluralName}, copyKey, {
        type: 'merge',
        body: ${literal(edit)},
      }),
    'a user deletes its copy': ({ ${copy} }) => ${copy}.delete(${pluralName}, copyKey),
    'it is deleted': ({ ${original} }) => ${original}.delete(${pluralName}, key),
  },
}`
}

function copyTest(design: PluginDesign, options: string): string {
  const { kind, direction } = design
  const { original, copy } = clientNames(design)
  const { type, pluralName } = kind.names
  const backwards = direction === 'both' ? backwardsSteps(design) : ''
  return `test('the copy of ${withArticle(type)} is created, updated and deleted with it', async (t) => {
  const plugin = await testPlugin(register${options})
  t.after(() => plugin.stop())${definitionSteps(design)}
  await plugin.${original}.create(${pluralName}, sample)
  await plugin.settled()
  const copy = await plugin.${copy}.get(${pluralName}, copyKey)
  assert.equal(copy.metadata.annotations?.note, 'first')
${contentAsserts(design, 'copy', 'copied')}${translatedAsserts(design, 'copy', kind.content)}${backwards}
  await plugin.${original}.patch(${pluralName}, key, change)
  await plugin.settled()
  const changed = await plugin.${copy}.get(${pluralName}, copyKey)
  assert.equal(changed.metadata.annotations?.note, 'second')
${contentAsserts(design, 'changed', 'recopied') || changeAssert(kind, original)}${translatedAsserts(design, 'changed', kind.change)}
  await plugin.${original}.delete(${pluralName}, key)
  await plugin.settled()
  await assert.rejects(plugin.${copy}.get(${pluralName}, copyKey), isNotFound)
})`
}

/** The test that an object without the label is not copied. */
function labelTest(design: PluginDesign, options: string): string {
  const { type, pluralName } = design.kind.names
  return `
test('${withArticle(type)} is copied only while it has the label', async (t) => {
  const plugin = await testPlugin(register${options})
  t.after(() => plugin.stop())${definitionSteps(design)}
  const { labels, ...unlabelled } = sample.metadata
  await plugin.host.create(${pluralName}, { ...sample, metadata: unlabelled })
  await plugin.settled()
  await assert.rejects(plugin.virtual.get(${pluralName}, copyKey), isNotFound)
  await plugin.host.patch(${pluralName}, key, { type: 'merge', body: { metadata: { labels } } })
  await plugin.settled()
  await plugin.virtual.get(${pluralName}, copyKey)
})
`
}

/**
 * Asserts that the copy has the change, and leaves what a transformation adds to it alone; left out for kinds whose
 * fields a cluster fills in or translates.
 */
function changeAssert(
  { change = {}, clusterFields, translated, names }: KindDesign,
  original: string,
): string {
  const [field] = Object.keys(change)
  if (field === undefined || clusterFields || translated) return ''
  const { path, value } = innermostValue(change)
  const message = `'The ${field} of the copy is not that of the original. If the syncer changes it on purpose, correct this line.'`
  const [method, expected] =
    typeof value === 'object'
      ? ['deepEqual', `(await plugin.${original}.get(${names.pluralName}, key)).${field}`]
      : ['equal', literal(value)]
  const comparedPath = typeof value === 'object' ? field : path.join('?.')
  return `  assert.${method}(\n    changed.${comparedPath},\n    ${expected},\n    ${message},\n  )\n`
}

/** The value in an object of which each level has one member, and its path. */
function innermostValue(
  value: unknown,
  path: readonly string[] = [],
): { path: readonly string[]; value: unknown } {
  const [only, ...others] = isPlainObject(value) ? Object.entries(value as object) : []
  if (only === undefined || others.length > 0) return { path, value }
  const [name, member] = only
  return innermostValue(member, [...path, name])
}

/** The steps that install a custom kind on the host; empty for other kinds. */
function definitionSteps({ kind }: PluginDesign): string {
  if (kind.source.from !== 'definition') return ''
  const definition = `${kind.names.singular}Definition`
  return `\n  await plugin.host.create(customResourceDefinitions, ${definition})\n  await plugin.settled()`
}

/** The steps that change the copy and expect the change in the original; empty if no change of the kind is known. */
function backwardsSteps(design: PluginDesign): string {
  const { change = {}, clusterFields, translated, names } = design.kind
  const [field] = Object.keys(change)
  if (field === undefined || clusterFields || translated) return ''
  const isValidSample = design.kind.source.from === 'definition' && !design.kind.problems?.length
  const body = isValidSample ? hostContent(design, change) : change
  return `
  await plugin.host.patch(${names.pluralName}, copyKey, { type: 'merge', body: ${literal(body, 2)} })
  await plugin.settled()
  assert.deepEqual((await plugin.virtual.get(${names.pluralName}, key)).${field}, ${changedContent(design, field)})
`
}
