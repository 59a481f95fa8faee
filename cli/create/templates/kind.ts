import { apiVersionOf } from '../../../sdk/engine/kube/resource.js'
import type { KindDesign, PluginDesign } from '../kind/plugin-design.js'
import { contentSchemas } from '../schema/content-schemas.js'
import type { OpenApiSchema } from '../schema/json-schema.js'
import { importFrom, imports } from './imports.js'
import { literal, stringLiteral } from './literal.js'
import { membersType } from './type-of-schema.js'

/**
 * The files with the type and resource of a kind that the SDK does not export, and with the definition of a custom
 * kind.
 */
export function kindFiles({ kind }: PluginDesign): Record<string, string> {
  const { source, names } = kind
  if (source.from === 'sdk') return {}
  const file = { [`src/${names.file}.ts`]: kindFile(kind) }
  if (source.from === 'kubernetes') return file
  return { ...file, [`src/${names.file}-definition.ts`]: definitionFile(kind) }
}

/** The imports of a kind in the other files: names from the SDK, or a statement for the file of the kind. */
export function kindImports({ names, source }: KindDesign): { sdk: string[]; kindImport: string } {
  const importedNames = [`type ${names.type}`, names.pluralName]
  return source.from === 'sdk'
    ? { sdk: importedNames, kindImport: '' }
    : { sdk: [], kindImport: importFrom(`./${names.file}.js`, importedNames) }
}

/** The file with the type and the resource of a kind. */
function kindFile({ names, resource, source }: KindDesign): string {
  const { type, pluralName } = names
  const builtinType = source.from === 'kubernetes' ? source.type : ''
  const typeImports = ['type Resource', builtinType ? 'type Builtin' : 'type KubeObject']
  const header = imports(
    builtinType && importFrom('vcluster-plugin-sdk/kubernetes', [`type ${builtinType}`]),
    importFrom('vcluster-plugin-sdk', typeImports),
  )
  const constant = `export const ${pluralName}: Resource<${type}> = ${literal(resource).replace(/^\{ .* \}$/, () => onePerLine(resource))}`
  const version = `${apiVersionOf(resource)} ${resource.kind}`
  return `${header}\n\n/** The objects of ${version}. */\n${typeDeclaration({ names, resource, source }, builtinType)}\n\n/** ${version}. */\n${constant}\n`
}

/** A resource with one member per line, which is more readable. */
function onePerLine(resource: object): string {
  const lines = Object.entries(resource).map(([name, value]) => `  ${name}: ${literal(value)},`)
  return `{\n${lines.join('\n')}\n}`
}

type TypedKind = Pick<KindDesign, 'names' | 'resource' | 'source'>

/** The declaration of the type of a kind. `builtinType` is its type in `vcluster-plugin-sdk/kubernetes`, or empty. */
function typeDeclaration({ names, resource, source }: TypedKind, builtinType: string): string {
  const { type } = names
  if (source.from !== 'definition')
    return `export type ${type} = ${builtinType ? `Builtin<${builtinType}, ${stringLiteral(resource.kind)}>` : 'KubeObject'}`
  const schema: OpenApiSchema = source.definition.spec.versions[0]?.schema?.openAPIV3Schema ?? {}
  const { status } = schema.properties ?? {}
  const members = [
    ...contentSchemas(schema),
    ...(status ? [['status', status] as [string, OpenApiSchema]] : []),
  ]
  return `export interface ${type} extends KubeObject ${membersType(members, { required: schema.required ?? [], indent: 0 })}`
}

function definitionFile({ names, source }: KindDesign): string {
  const definition = source.from === 'definition' ? source.definition : {}
  return `import type { CustomResourceDefinition } from 'vcluster-plugin-sdk'

/** The CustomResourceDefinition of ${names.type}. */
export const ${names.singular}Definition: CustomResourceDefinition = ${literal(definition)}
`
}
