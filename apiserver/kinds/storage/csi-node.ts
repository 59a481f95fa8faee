import { jsonEqual } from '../../../sdk/engine/kube/json.js'
import { type OpenObject, recordOf } from '../../base/object.js'
import type { KindRules } from '../../resources/kind-rules.js'
import { duplicate, type FieldError, invalidValue, required } from '../../validation/field-error.js'
import { repeatedIndexes } from '../../validation/repeated.js'
import { checkNotNegative, checkQualified } from '../../validation/values.js'
import { driverNameErrors } from './driver-name-errors.js'

interface Driver {
  readonly name?: string
  readonly nodeID?: string
  readonly topologyKeys?: readonly string[] | null
  readonly allocatable?: { readonly count?: number }
}

const maxNodeId = 256

/** https://kubernetes.io/docs/reference/kubernetes-api/config-and-storage-resources/csi-node-v1/ */
export const csiNodeRules: KindRules = {
  metadata: {
    repeatedOnUpdate: 'new',
  },
  validate: (object, old) => [
    ...driversErrors(driversOf(object)),
    ...(old === undefined ? [] : changeErrors(driversOf(object), driversOf(old))),
  ],
  update: {
    needsVersion: true,
  },
  delete: {
    returnsObject: true,
  },
}

function driversOf({ spec }: OpenObject): readonly Driver[] {
  const { drivers } = recordOf(spec)
  return Array.isArray(drivers) ? drivers.map(recordOf) : []
}

/** `validateCSINodeDrivers` of Kubernetes v1.36.3. */
function driversErrors(drivers: readonly Driver[]): FieldError[] {
  const repeated = repeatedIndexes(drivers.map(({ name = '' }) => name))
  return drivers.flatMap(({ name = '', nodeID = '', allocatable, topologyKeys }, index) => {
    const path = `spec.drivers[${index}]`
    return [
      ...driverNameErrors(`${path}.name`, name),
      ...nodeIdErrors(`${path}.nodeID`, nodeID),
      ...checkNotNegative(`${path}.allocatable.count`, allocatable?.count),
      ...(repeated.has(index) ? [duplicate(`${path}.name`, name)] : []),
      ...topologyErrors(path, topologyKeys ?? []),
    ]
  })
}

function nodeIdErrors(field: string, id: string): FieldError[] {
  if (id === '') return [required(field, '')]
  return Buffer.byteLength(id) > maxNodeId
    ? [invalidValue(field, id, `must be ${maxNodeId} characters or less`)]
    : []
}

function topologyErrors(path: string, keys: readonly string[]): FieldError[] {
  const repeated = repeatedIndexes(keys)
  return keys.flatMap((key, index) => [
    ...(key === '' ? [required(path, '')] : []),
    ...(repeated.has(index) ? [duplicate(path, key)] : []),
    ...checkQualified(path, key),
  ])
}

/** Only the number of volumes of a driver that stays may change. */
function changeErrors(drivers: readonly Driver[], old: readonly Driver[]): FieldError[] {
  return old.flatMap((before) =>
    drivers
      .filter(({ name }) => name === before.name)
      .filter((driver) => !jsonEqual(fixedPart(driver), fixedPart(before)))
      .map((driver) => invalidValue('spec.drivers', driverInGo(driver), 'field is immutable')),
  )
}

const fixedPart = ({ name = '', nodeID = '', topologyKeys }: Driver) => [name, nodeID, topologyKeys ?? []]

/** A driver as Go prints it without JSON names. */
function driverInGo({ name = '', nodeID = '', topologyKeys }: Driver): object {
  return { Name: name, NodeID: nodeID, TopologyKeys: topologyKeys ?? null, Allocatable: null }
}
