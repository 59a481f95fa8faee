import type { Resource } from '../../../sdk/engine/kube/resource.js'
import { markerLabel, releaseLabel, syncFromHostLabel } from '../../../sdk/vcluster/naming/ownership-keys.js'
import { isOfferedKind } from '../../../sdk/vcluster/syncer/translator/host-selection.js'
import type { Direction } from '../kind/direction.js'
import type { KindDesign, PluginDesign } from '../kind/plugin-design.js'
import { importFrom, imports } from './imports.js'
import { kindImports } from './kind.js'
import { literal, stringLiteral } from './literal.js'
import { schemaReferenceImports, schemaReferenceOption } from './references.js'

/** The syncer: a class, or the SDK's mirror function if each cluster fills in some fields of the kind itself. */
export function syncerFile(design: PluginDesign): string {
  return design.kind.clusterFields
    ? mirrorFile(design.kind, design.kind.clusterFields, design.direction)
    : classFile(design)
}

/** The name that `register.ts` imports, and its call. */
export function syncerCall({ kind }: PluginDesign): { name: string; call: string } {
  if (kind.clusterFields)
    return { name: `${kind.names.singular}Syncer`, call: `${kind.names.singular}Syncer(ctx)` }
  return { name: `${kind.names.type}Syncer`, call: `new ${kind.names.type}Syncer(ctx)` }
}

const summaries: Record<Direction, (type: string) => string> = {
  down: (type) => `Copies every ${type} of the virtual cluster to the host and keeps the copies up to date.`,
  up: (type) =>
    `Copies each selected ${type} of the host to the virtual cluster and keeps the copies up to date.`,
  both: (type) => `Copies every ${type} of the virtual cluster to the host, and changes of the copies back.`,
}

/** The file of a syncer that calls the SDK's mirror function. */
function mirrorFile(kind: KindDesign, clusterFields: readonly string[], direction: Direction): string {
  const { names, resource, statusUp } = kind
  const { sdk, kindImport } = kindImports(kind)
  const mirror = { down: 'mirrorDown', up: 'mirrorUp', both: 'mirrorBoth' }[direction]
  const original = direction === 'up' ? 'host' : 'virtual'
  const options = [
    `name: ${stringLiteral(names.syncer)},`,
    ...(direction === 'up' ? selectionOptions(resource) : []),
    ...(direction === 'both'
      ? []
      : [
          '// Returns the object to copy: change, add or remove fields here.',
          `transform: (${original}) => ${original},`,
        ]),
    ...(direction === 'up'
      ? []
      : [...referencesOption(kind), ...filterOptions(kind)].map((text) => `${text},`)),
    '// Each cluster fills in these fields itself.',
    `excludeFields: ${literal(clusterFields, 4)},`,
    ...(statusUp && direction !== 'up' ? ['statusUp: true,'] : []),
  ]
  return `${imports(
    importFrom('vcluster-plugin-sdk', [
      mirror,
      'type RegisterContext',
      'type Syncer',
      ...referenceImports(kind, direction),
      ...sdk,
    ]),
    kindImport,
  )}

/** ${summaries[direction](names.type)} */
export function ${names.singular}Syncer(ctx: RegisterContext): Syncer<${names.type}> {
  return ${mirror}(ctx, ${names.pluralName}, {
${options.map((line) => `    ${line}`).join('\n')}
  })
}
`
}

/** The options that select host objects and map their namespaces. */
function selectionOptions(resource: Resource): string[] {
  const mappings = ["// From the vcluster's own namespace into `default`.", "mappings: { '': 'default' },"]
  const select = [
    '// Tenants can read the copies, so only objects with this label are copied. See the README.',
    `select: ${literal({ matchLabels: { [syncFromHostLabel]: 'true' } })},`,
  ]
  return [...(resource.namespaced ? mappings : []), ...(isOfferedKind(resource) ? [] : select)]
}

/** The file of a syncer that is a class. */
function classFile({ kind, direction }: PluginDesign): string {
  const { names } = kind
  const base = baseClass(kind, direction)
  const { sdk, kindImport } = kindImports(kind)
  const isCustom = kind.source.from === 'definition'
  const copiesDown = direction !== 'up'
  const fromSdk = [
    base,
    'type DeepReadonly',
    'type RegisterContext',
    ...sdk,
    ...referenceImports(kind, direction),
    ...(isCustom ? ['ensureCRD', 'ensureCRDPermissions'] : []),
    ...(copiesDown ? ['type Pair', 'type SyncContext'] : []),
    ...(copiesDown && kind.statusUp ? ['syncUpStatus'] : []),
  ]
  const definition = isCustom
    ? importFrom(`./${names.file}-definition.js`, [`${names.singular}Definition`])
    : ''
  const members = [
    ...(isCustom ? ['  override readonly permissions = ensureCRDPermissions()'] : []),
    constructorCode(kind, direction),
    ...(isCustom ? [initMethod(kind)] : []),
    ...(direction === 'both' ? [] : [transformMethod(kind, direction)]),
    ...(copiesDown ? [syncDownMethod(kind), syncMethod(kind, direction)] : []),
  ]
  return `${imports(importFrom('vcluster-plugin-sdk', fromSdk), kindImport, definition)}

/** ${summaries[direction](names.type)} */
export class ${names.type}Syncer extends ${base}<${names.type}> {
${members.join('\n\n')}
}
`
}

function baseClass({ resource }: KindDesign, direction: Direction): string {
  if (direction === 'up') return resource.namespaced ? 'FromHostTranslator' : 'MirrorTranslator'
  return resource.namespaced ? 'NamespacedTranslator' : 'ClusterTranslator'
}

function constructorCode(kind: KindDesign, direction: Direction): string {
  const { names, resource } = kind
  const options = [
    ...(direction === 'up' ? selectionOptions(resource) : []),
    ...(direction === 'both' ? ['// Every field may be changed on both sides.', "remembers: ['*'],"] : []),
    ...(direction === 'up'
      ? []
      : [...referencesOption(kind), ...filterOptions(kind)].map((text) => `${text},`)),
  ]
  const endOfCall =
    options.length > 0 ? `, {\n${options.map((line) => `      ${line}`).join('\n')}\n    })` : ')'
  return `  constructor(ctx: RegisterContext) {
    super(ctx, ${stringLiteral(names.syncer)}, ${names.pluralName}${endOfCall}
  }`
}

/** The option `references`, if the kind needs it. */
function referencesOption(kind: KindDesign): string[] {
  const { podSpecPath, plainFields = [], references = [] } = kind
  if (references.length > 0) return [schemaReferenceOption(kind, references)]
  const rules = [
    ...(podSpecPath ? [`...podReferences(${stringLiteral(podSpecPath)})`] : []),
    ...(podSpecPath ? refusedPodLabels(podSpecPath) : []),
    ...plainFields.map((path) => `${stringLiteral(path)}: 'plain'`),
  ]
  if (rules.length < 3) return rules.length > 0 ? [`references: { ${rules.join(', ')} }`] : []
  return [`references: {\n${rules.map((rule) => `        ${rule},`).join('\n')}\n      }`]
}

/** Labels that would add host Pods to the vcluster's own Service, or mark them as copies of its Pods. */
function refusedPodLabels(podSpecPath: string): string[] {
  const labels = podSpecPath.replace(/spec$/, 'metadata.labels')
  return [releaseLabel, `"${markerLabel}"`].map(
    (label) => `${stringLiteral(`${labels}.${label}`)}: 'refused'`,
  )
}

/** The options that exclude labels and annotations. */
function filterOptions({ deniedLabels = [], deniedAnnotations = [] }: KindDesign): string[] {
  return [
    ...(deniedLabels.length > 0 ? [`labels: ${literal({ deny: deniedLabels }, 6)}`] : []),
    ...(deniedAnnotations.length > 0 ? [`annotations: ${literal({ deny: deniedAnnotations }, 6)}`] : []),
  ]
}

function referenceImports(kind: KindDesign, direction: Direction): string[] {
  if (direction === 'up') return []
  return kind.podSpecPath ? ['podReferences'] : schemaReferenceImports(kind)
}

function initMethod({ names }: KindDesign): string {
  return `  /** Installs the kind in the virtual cluster before the first list. */
  override async init(ctx: RegisterContext) {
    await ensureCRD(ctx, { definition: ${names.singular}Definition })
  }`
}

function transformMethod({ names }: KindDesign, direction: Direction): string {
  const original = direction === 'up' ? 'host' : 'virtual'
  return `  /** Returns the object to copy: change, add or remove fields here. */
  override transform(${original}: DeepReadonly<${names.type}>): ${names.type} {
    return ${original}
  }`
}

function syncDownMethod({ names }: KindDesign): string {
  return `  /** Creates the copy of an original that has none. */
  override syncDown(ctx: SyncContext, virtual: DeepReadonly<${names.type}>) {
    return this.syncDownCreate(ctx, virtual, this.translateMetadata(virtual))
  }`
}

function syncMethod({ names, statusUp }: KindDesign, direction: Direction): string {
  const update =
    direction === 'both'
      ? 'return this.syncBoth(ctx, pair)'
      : 'return this.syncDownUpdate(ctx, pair.virtual, this.translateUpdate(pair.host, pair.virtual))'
  const summary =
    direction === 'both' ? 'Copies changes to the other side' : 'Updates the copy from its original'
  return `  /** ${summary}; called when both objects exist. */
  override async sync(ctx: SyncContext, pair: Pair<${names.type}>) {
${statusUp ? '    await syncUpStatus(this, ctx, pair)\n' : ''}    ${update}
  }`
}
