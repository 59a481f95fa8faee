import type { References } from '../../../sdk/vcluster/syncer/references/reference-rules.js'
import type { KindDesign } from '../kind/plugin-design.js'
import type { FoundReference } from '../schema/schema-references.js'
import { stringLiteral } from './literal.js'

/** The option `references` of a custom kind's syncer, from its schema, with a comment for each group. */
export function schemaReferenceOption(kind: KindDesign, references: readonly FoundReference[]): string {
  const lines = groups.flatMap(({ comment, has }) => {
    const matching = references.filter((reference) => has(reference, reference.rules[reference.path]))
    return matching.length > 0
      ? [...comment, ...matching.map((reference) => `${codeOf(kind, reference)},`)]
      : []
  })
  return `references: {\n${lines.map((line) => `        ${line}`).join('\n')}\n      }`
}

/** The imports from the SDK that the rules need. */
export function schemaReferenceImports(kind: KindDesign): string[] {
  const { references = [] } = kind
  const resources = references.flatMap(({ resource }) => resource ?? [])
  const isPod = references.some(({ members }) => members)
  return [...new Set(resources.map((name) => importedAs(kind, name))), ...(isPod ? ['podReferences'] : [])]
}

interface Group {
  comment: string[]
  has(reference: FoundReference, rule: References[string] | undefined): boolean
}

const isTranslated: Group['has'] = ({ resource, members }, rule) =>
  Boolean(resource ?? members) || rule === 'label-selector'

const groups: readonly Group[] = [
  {
    comment: ['// Names and selectors of objects that are copied as well: a copy names their copies.'],
    has: isTranslated,
  },
  {
    comment: [
      '// Names of other kinds: they mean host objects of these names. Check that tenants may use each of them;',
      "// translate names of kinds that are copied as well, and reject the others with 'refused'.",
    ],
    has: (reference, rule) => rule === 'plain' && !isTranslated(reference, rule),
  },
  {
    comment: [
      "// Fields that can reach resources of the host: objects with them are not copied. 'plain' allows a field.",
    ],
    has: (reference, rule) => rule === 'refused' && !isTranslated(reference, rule),
  },
]

function codeOf(kind: KindDesign, { path, resource, members, rules }: FoundReference): string {
  if (members) return `...podReferences(${stringLiteral(path)}${membersOption(members)})`
  const rule = rules[path]
  if (!resource) return `${stringLiteral(path)}: ${stringLiteral(String(rule))}`
  const name = localName(kind, resource)
  const isSaid = typeof rule === 'object' && 'to' in rule
  return `${stringLiteral(path)}: ${isSaid ? `{ to: ${name}, namespace: 'namespace' }` : name}`
}

function membersOption(members: readonly string[]): string {
  return members.length > 0 ? `, { members: [${members.map(stringLiteral).join(', ')}] }` : ''
}

/** A custom kind may have the name of a built-in kind. */
const localName = ({ names }: KindDesign, resource: string) =>
  resource === names.pluralName
    ? `kubernetes${resource.charAt(0).toUpperCase()}${resource.slice(1)}`
    : resource

function importedAs(kind: KindDesign, resource: string): string {
  const local = localName(kind, resource)
  return local === resource ? resource : `${resource} as ${local}`
}
