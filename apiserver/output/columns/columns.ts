import type { CustomColumn, ServedResource } from '../../resources/served-resource.js'
import { accessCells } from './access.js'
import { autoscalingCells } from './autoscaling.js'
import { batchCells } from './batch.js'
import { age } from './cell.js'
import { clusterCells } from './cluster.js'
import type { Cell, CellsByResource, Column, ColumnDefinition } from './column.js'
import { controlPlaneCells } from './control-plane.js'
import { customColumn } from './custom-column.js'
import { ageColumn, columnDefinitions, name } from './definitions.js'
import { deviceCells } from './devices.js'
import { networkingCells } from './networking.js'
import { podCells } from './pods.js'
import { storageCells } from './storage.js'
import { workloadCells } from './workloads.js'

/** The columns of kinds without their own columns. */
const defaultDefinitions: readonly ColumnDefinition[] = [
  name,
  { ...ageColumn, name: 'Created At', type: 'date' },
]
/** The column of custom resources whose definition has no columns. */
const customAge: CustomColumn = { ...ageColumn, type: 'date', jsonPath: '.metadata.creationTimestamp' }

const defaultCells: Readonly<Record<string, Cell>> = {
  Name: ({ metadata }) => metadata.name,
  Age: age('metadata', 'creationTimestamp'),
  'Created At': ({ metadata }) => metadata.creationTimestamp,
}

const cellTables: readonly CellsByResource[] = [
  accessCells,
  autoscalingCells,
  batchCells,
  clusterCells,
  controlPlaneCells,
  deviceCells,
  networkingCells,
  podCells,
  storageCells,
  workloadCells,
]

const defaultColumns = columnsFrom(defaultDefinitions, '')
const builtInColumns = new Map(
  Object.entries(columnDefinitions).map(([storage, definitions]) => [
    storage,
    columnsFrom(definitions, storage),
  ]),
)

/** Whether rows end with an age that has no column, which is a bug of a kube-apiserver. */
export function hasAgeWithoutColumn({ storage }: Pick<ServedResource, 'storage'>): boolean {
  return storage === 'ipaddresses.networking.k8s.io'
}

/** Whether a resource has its own columns. */
export function hasColumns(resource: ServedResource): boolean {
  return resource.custom !== undefined || columnDefinitions[resource.storage] !== undefined
}

/** The columns of a resource. */
export function columnsOf({ custom, storage }: ServedResource): readonly Column[] {
  if (custom === undefined) return builtInColumns.get(storage) ?? defaultColumns
  const requested = custom.columns
  return [
    ...defaultColumns.slice(0, 1),
    ...(requested.length === 0 ? [customAge] : requested).map(customColumn),
  ]
}

function columnsFrom(definitions: readonly ColumnDefinition[], storage: string): readonly Column[] {
  const ownCells = Object.assign({}, defaultCells, ...cellTables.map((cells) => cells[storage] ?? {}))
  return definitions.map((definition) => ({ ...definition, cell: ownCells[definition.name] ?? (() => '') }))
}
