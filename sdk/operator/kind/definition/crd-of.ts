import type { CustomResourceDefinition, DefinedVersion } from '../../../engine/kube/builtin.js'
import { checkOptions, type OptionTypes } from '../../../engine/manager/check-options.js'
import type { Column, Kind, KindOptions, KindVersion, VersionSchema } from '../define/kind.js'
import { schemaAt } from '../define/schema-at.js'
import { definedSchema } from './defined-schema.js'

/** The part of a kind that its definition is made of. */
export type AnyKind = Pick<Kind, 'group' | 'version' | 'kind' | 'plural' | 'namespaced' | 'schemas'> & {
  readonly options: Pick<
    KindOptions,
    'annotations' | 'categories' | 'columns' | 'labels' | 'scale' | 'selectable' | 'shortNames' | 'status'
  > & { readonly versions?: Readonly<Record<string, Pick<KindVersion, 'scale' | 'selectable'>>> }
}

/** Options of {@link crdOf}. */
export interface CrdOptions {
  /** How the API server reaches the conversion webhook. Default: it converts by writing another `apiVersion`. */
  readonly conversion?: CustomResourceDefinition['spec']['conversion']
}

const optionTypes: OptionTypes<CrdOptions> = { conversion: 'any' }

/**
 * The CustomResourceDefinition of a kind. It is the same object for the same kind: nothing comes from a clock or a
 * cluster.
 *
 * @example
 * ```ts
 * const definition = crdOf(backups)
 * console.log(definition.metadata.name) // memcachedbackups.cache.example.com
 * ```
 */
export function crdOf(kind: AnyKind, crdOptions: CrdOptions = {}): CustomResourceDefinition {
  checkOptions('crdOf', crdOptions, optionTypes)
  const { conversion } = crdOptions
  const { group, plural, options } = kind
  const { shortNames, categories, labels, annotations } = options
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: {
      name: `${plural}.${group}`,
      ...(labels && { labels: { ...labels } }),
      ...(annotations && { annotations: { ...annotations } }),
    },
    spec: {
      group,
      names: {
        kind: kind.kind,
        listKind: `${kind.kind}List`,
        plural,
        singular: kind.kind.toLowerCase(),
        ...(shortNames && { shortNames: [...shortNames] }),
        ...(categories && { categories: [...categories] }),
      },
      scope: kind.namespaced ? 'Namespaced' : 'Cluster',
      ...(conversion && { conversion }),
      versions: kind.schemas.map((version) => definedVersion(kind, version)),
    },
  }
}

function definedVersion(kind: AnyKind, { name, served, deprecated, schema }: VersionSchema): DefinedVersion {
  const { columns = [], status, versions = {} } = kind.options
  const isHub = name === kind.version
  const { scale, selectable = [] } = isHub ? kind.options : (versions[name] ?? {})
  return {
    name,
    served,
    storage: isHub,
    ...(deprecated !== undefined && {
      deprecated: true,
      deprecationWarning: `${kind.group}/${name} ${kind.kind} is deprecated: ${deprecated}`,
    }),
    additionalPrinterColumns: columnsOf(
      columns.filter(({ path }) => isHub || schemaAt(schema, path) !== undefined),
    ),
    ...(selectable.length > 0 && { selectableFields: selectable.map((jsonPath) => ({ jsonPath })) }),
    schema: { openAPIV3Schema: definedSchema(schema) },
    subresources: { ...(status !== false && { status: {} }), ...(scale && { scale: scaleOf(scale) }) },
  }
}

/** Adds the column Age, which the API server shows by itself only if a definition has no columns. */
function columnsOf(columns: readonly Column[]) {
  const declaredColumns = columns.map(({ name, path, type, priority, format, description }) => ({
    name,
    type,
    jsonPath: path,
    ...(priority !== undefined && { priority }),
    ...(format !== undefined && { format }),
    ...(description !== undefined && { description }),
  }))
  const hasAge = declaredColumns.some(({ name }) => name === 'Age')
  return hasAge
    ? declaredColumns
    : [...declaredColumns, { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' }]
}

function scaleOf({ spec, status, selector }: NonNullable<KindOptions['scale']>) {
  return {
    specReplicasPath: spec,
    statusReplicasPath: status,
    ...(selector !== undefined && { labelSelectorPath: selector }),
  }
}
