import type { References } from '../../../sdk/vcluster/syncer/references/reference-rules.js'
import type { KindDesign } from '../kind/plugin-design.js'
import type { FoundReference } from '../schema/schema-references.js'
import { stringLiteral } from './literal.js'

/** The option `references` of a custom kind's syncer, from its schema, with a comment for each group. */
export function schemaReferenceOption(kind: KindDesign, references: readonly FoundReference[]): string {
  const lines = groups.flatMap(({ comment, includes }) => {
    const matching = references.filter((reference) => includes(reference, reference.rules[reference.path]))
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
  const hasPodSpec = references.some(({ members }) => members)
  return [
    ...new Set(resources.map((name) => importedAs(kind, name))),
    ...(hasPodSpec ? ['podReferences'] : []),
  ]
}

/** The references with one comment in the generated code. */
interface Group {
  comment: string[]
  /** Whether a reference is in the group; `rule` is the rule of its own path. */
  includes(reference: FoundReference, rule: References[string] | undefined): boolean
}

/** Whether the copy names other objects than the original: a known resource, those of a Pod, or selected by labels. */
const isTranslated: Group['includes'] = ({ resource, members }, rule) =>
  Boolean(resource ?? members) || rule === 'label-selector'

const groups: readonly Group[] = [
  {
    comment: ['// Names and selectors of objects that are copied as well: a copy names their copies.'],
    includes: isTranslated,
  },
  {
    comment: [
      '// Names of other kinds: they mean host objects of these names. Check that tenants may use each of them;',
      "// translate names of kinds that are copied as well, and reject the others with 'refused'.",
    ],
    includes: (reference, rule) => rule === 'plain' && !isTranslated(reference, rule),
  },
  {
    comment: [
      "// Fields that can reach resources of the host: objects with them are not copied. 'plain' allows a field.",
    ],
    includes: (reference, rule) => rule === 'refused' && !isTranslated(reference, rule),
  },
]

/** The member of the option `references` for one reference. */
function codeOf(kind: KindDesign, { path, resource, members, rules }: FoundReference): string {
  if (members) return `...podReferences(${stringLiteral(path)}${membersOption(members)})`
  const rule = rules[path]
  if (!resource) return `${stringLiteral(path)}: ${stringLiteral(String(rule))}`
  const name = localName(kind, resource)
  const hasNamespaceField = typeof rule === 'object' && 'to' in rule
  return `${stringLiteral(path)}: ${hasNamespaceField ? `{ to: ${name}, namespace: 'namespace' }` : name}`
}

function membersOption(members: readonly string[]): string {
  return members.length > 0 ? `, { members: [${members.map(stringLiteral).join(', ')}] }` : ''
}

/** The name of a built-in resource in the generated code. A custom kind may have the same name. */
const localName = ({ names }: KindDesign, resource: string) =>
  resource === names.pluralName
    ? `kubernetes${resource.charAt(0).toUpperCase()}${resource.slice(1)}`
    : resource

function importedAs(kind: KindDesign, resource: string): string {
  const local = localName(kind, resource)
  return local === resource ? resource : `${resource} as ${local}`
}
