import { jsonEqual } from '../../../sdk/engine/kube/json.js'
import type { KubeObject } from '../../../sdk/engine/kube/object.js'
import { clusterNaming, namespacedNaming } from '../../../sdk/vcluster/naming/naming.js'
import { ReferenceTranslator } from '../../../sdk/vcluster/syncer/references/reference-translator.js'
import type { PluginDesign } from '../kind/plugin-design.js'
import { literal } from './literal.js'

/** Name and namespace of the vcluster in the test kit. */
export const testVCluster = { name: 'vc', namespace: 'vcluster-vc' }

/** The objects that the API server stores for a valid sample; undefined for an invalid one. */
const storedOf = ({ stored, problems = [] }: PluginDesign['kind']) =>
  problems.length === 0 ? stored : undefined

/** The constants with the expected copies, in the test of a custom kind; none for other kinds. */
export function copiedContents(design: PluginDesign): string {
  const { change, names } = design.kind
  const stored = storedOf(design.kind)
  if (!stored) return ''
  const fields = Object.keys(stored.content).map((field) => `'${field}'`)
  const type = `Pick<${names.type}, ${fields.join(' | ')}>`
  const constantOf = (name: string, doc: string, content: object) =>
    `/** ${doc} */\nconst ${name}: ${type} = ${literal(copiedContent(design, content))}\n\n`
  const comment =
    design.direction === 'up'
      ? 'The content of the copy: that of the original.'
      : 'The content of the copy: names of other objects are the names of their copies.'
  const changedConstant = change
    ? constantOf('recopied', 'The content of the copy after the change.', stored.changed)
    : ''
  return constantOf('copied', comment, stored.content) + changedConstant
}

/** Assertions that compare each field of a copy with one of these constants. */
export function contentAsserts(
  { kind }: PluginDesign,
  copyName: string,
  constant: 'copied' | 'recopied',
): string {
  const stored = storedOf(kind)
  if (!stored || (constant === 'recopied' && !kind.change)) return ''
  const lines = Object.keys(stored.content).map(
    (field) => `  assert.deepEqual(${copyName}.${field}, ${constant}.${field})\n`,
  )
  return lines.join('')
}

/**
 * Assertions for the translated references in the copy of a built-in kind. Fields that a cluster fills in are not
 * compared.
 */
export function translatedAsserts(design: PluginDesign, copyName: string, content: object = {}): string {
  if (!design.kind.translated || design.direction === 'up') return ''
  const lines = Object.entries(hostContent(design, content)).flatMap(([field, members]) => {
    const original = Object(Object(content)[field])
    const translated = Object.entries(members).filter(([name, value]) => !jsonEqual(original[name], value))
    return translated.map(([name, value]) => {
      const start = `  assert.deepEqual(${copyName}.${field}?.${name}, `
      return `${start}${literal(value, 2, start.length)})\n`
    })
  })
  return lines.join('')
}

/** The content of the copy on the host, for content in the virtual cluster. */
export function hostContent({ kind, vcluster }: PluginDesign, content: object): object {
  const { resource, references = [] } = kind
  const names = { vclusterName: testVCluster.name, targetNamespace: testVCluster.namespace }
  const ctx = { ...names, currentNamespace: testVCluster.namespace, labelMode: vcluster.labelMode }
  const naming = resource.namespaced ? namespacedNaming(ctx, {}) : clusterNaming(ctx)
  const rules = Object.assign({}, ...references.map(({ rules }) => rules))
  const metadata = { name: 'sample', ...(resource.namespaced && { namespace: 'default' }) }
  const object: KubeObject = { metadata, ...content }
  const { metadata: _, ...translated } = new ReferenceTranslator(resource, naming, rules).toHost(object)
  return translated
}

function copiedContent(design: PluginDesign, content: object): object {
  return design.direction === 'up' ? content : hostContent(design, content)
}

/** The expected field of an original after a change of its copy. */
export function changedContent({ kind }: PluginDesign, field: string): string {
  const changed = Object(storedOf(kind)?.changed)[field]
  return changed === undefined
    ? `(await plugin.host.get(${kind.names.pluralName}, copyKey)).${field}`
    : literal(changed, 2)
}
