// Writes apiserver/schema/field-notes.ts: properties of fields of built-in types that the OpenAPI documents
// of a kube-apiserver contain and their Go types do not. Run it after an update of Kubernetes:
//   KUBEBUILDER_ASSETS=$(test/control-plane/build) node --import=tsx scripts/generate-field-notes.ts
import { writeFile } from 'node:fs/promises'
import { structFields } from '../apiserver/schema/table.js'
import { withRealServer } from './real-documents.js'

interface Schema {
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly default?: unknown
  readonly enum?: readonly unknown[]
  readonly format?: string
  readonly items?: Schema
  readonly additionalProperties?: Schema
  readonly 'x-kubernetes-list-type'?: string
  readonly 'x-kubernetes-list-map-keys'?: readonly string[]
  readonly 'x-kubernetes-map-type'?: string
}

interface Document {
  readonly components?: { readonly schemas?: Readonly<Record<string, Schema>> }
}

const output = new URL('../apiserver/schema/field-notes.ts', import.meta.url)
const head = `// Made by scripts/generate-field-notes.ts from the OpenAPI v3 documents of kube-apiserver v1.36.3; do not edit.

/**
 * Notes of the API about fields, in addition to their types. Each field with notes is one word: \`name\`, then
 * \`:required\`, \`:set\` or \`:map=key,…\` for a merged list, \`:atomic\` for an object that is not merged,
 * \`:granular\` for one that is although others of its type are not, \`:default=…\`, \`:enum=a|b\` with \`%20\` for
 * spaces, and \`:int64\`. For lists and maps the last two describe the elements. The name \`.\` is the type itself.
 */
export const fieldNotes: Readonly<Record<string, string>> = {
`

function noteOf(name: string, schema: Schema, required: boolean): string {
  const words = required ? ['required'] : []
  const list = schema['x-kubernetes-list-type']
  if (list === 'set') words.push('set')
  if (list === 'map') words.push(`map=${(schema['x-kubernetes-list-map-keys'] ?? []).join()}`)
  const map = schema['x-kubernetes-map-type']
  if (map === 'atomic' || map === 'granular') words.push(map)
  const { default: value } = schema
  if (value !== undefined && value !== '' && value !== 0 && typeof value !== 'object') {
    words.push(`default=${String(value)}`)
  }
  const values = schema.enum ?? schema.items?.enum ?? schema.additionalProperties?.enum
  // Words contain no spaces.
  if (values !== undefined) words.push(`enum=${values.join('|').replaceAll(' ', '%20')}`)
  if ((schema.items ?? schema.additionalProperties ?? schema).format === 'int64') words.push('int64')
  return words.length === 0 ? '' : [name, ...words].join(':')
}

function notesOf(schema: Schema): string {
  const { properties = {}, required = [] } = schema
  const fields = Object.entries(properties).map(([name, field]) =>
    noteOf(name, field, required.includes(name)),
  )
  const own = schema['x-kubernetes-map-type'] === 'atomic' ? ['.:atomic'] : []
  return [...own, ...fields].filter(Boolean).join(' ')
}

/** `io.k8s.api.core.v1.Pod` is `core/v1.Pod` in the table of types. */
function typeName(schemaName: string): string {
  const [kind = '', version = '', group = ''] = schemaName.split('.').reverse()
  return `${group}/${version}.${kind}`
}

async function main(): Promise<void> {
  await withRealServer(async ({ read }) => {
    const { paths } = (await read('/openapi/v3')) as { paths: Record<string, unknown> }
    const notes = new Map<string, string>()
    for (const path of Object.keys(paths)) {
      const { components } = (await read(`/openapi/v3/${path}`)) as Document
      for (const [name, schema] of Object.entries(components?.schemas ?? {})) {
        if (Object.hasOwn(structFields, typeName(name))) notes.set(typeName(name), notesOf(schema))
      }
    }
    await writeFile(output, `${head}${linesOf(notes)}}\n`)
  })
}

function linesOf(notes: ReadonlyMap<string, string>): string {
  const used = [...notes].filter(([, text]) => text !== '').sort(([a], [b]) => (a < b ? -1 : 1))
  return used.map(([name, text]) => `  '${name}': '${text}',\n`).join('')
}

await main()
