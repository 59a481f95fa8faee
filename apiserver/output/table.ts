import type { KubeObject } from '../../sdk/engine/kube/object.js'
import type { OpenObject } from '../base/object.js'
import { type ServedResource, servedForm, withKind } from '../resources/served-resource.js'
import type { Entry } from '../store/entry.js'
import { formatAge } from './age.js'
import type { Column } from './columns/column.js'
import { columnsOf, hasAgeWithoutColumn, hasColumns } from './columns/columns.js'
import { podConditions } from './columns/pods.js'
import { meta, partialObject } from './partial-object.js'

/** Options of {@link tableOf}. */
export interface TableOptions {
  readonly resource: ServedResource
  readonly metadata: object
  readonly now: Date
  /** The object in each row: its `Metadata` by default, the whole `Object`, or `None`. */
  readonly include: string
  /** False for all but the first event of a watch. */
  readonly header: boolean
}

/** A `meta.k8s.io/v1 Table`, as printed by `kubectl get`. */
export function tableOf(
  entries: readonly Entry[],
  { resource, metadata, now, include, header }: TableOptions,
): object {
  const columns = columnsOf(resource)
  return {
    kind: 'Table',
    apiVersion: meta,
    metadata,
    columnDefinitions: header ? columns.map(definitionOf) : null,
    rows:
      entries.length === 0 && !hasColumns(resource)
        ? null
        : entries.map(({ object }) => ({
            ...rowOf(object as OpenObject, columns, { resource, now }),
            ...rowObject(object, resource, include),
          })),
  }
}

function rowOf(
  object: OpenObject,
  columns: readonly Column[],
  { resource, now }: Pick<TableOptions, 'resource' | 'now'>,
): object {
  const cells = columns.map((column) => cellOf(column.cell(object, now), resource))
  if (hasAgeWithoutColumn(resource)) cells.push(formatAge(object.metadata.creationTimestamp, now))
  const conditions = resource.storage === 'pods' ? podConditions(object) : undefined
  return conditions === undefined ? { cells } : { cells, conditions }
}

/** A cell without a value is null for a custom resource, and an empty text for a built-in kind. */
function cellOf(cell: unknown, { custom }: ServedResource): unknown {
  return cell ?? (custom === undefined ? '' : null)
}

function rowObject(object: KubeObject, resource: ServedResource, include: string): object {
  if (include === 'None') return { object: null }
  return {
    object:
      include === 'Object'
        ? withKind(servedForm(object as OpenObject, resource), resource)
        : partialObject(object),
  }
}

function definitionOf({ name, type, format = '', description = '', priority = 0 }: Column): object {
  return { name, type, format, description, priority }
}
