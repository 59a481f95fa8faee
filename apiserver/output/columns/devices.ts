import { fieldAt, type OpenObject } from '../../base/object.js'
import { lengthOf, text } from './cell.js'
import type { CellsByResource } from './column.js'

const reserved = lengthOf('status', 'reservedFor')

/** The cells of devices and device claims. */
export const deviceCells: CellsByResource = {
  'resourceclaims.resource.k8s.io': { State: stateOf },
  'resourceslices.resource.k8s.io': {
    Node: text('spec', 'nodeName'),
    Driver: text('spec', 'driver'),
    Pool: text('spec', 'pool', 'name'),
  },
}

function stateOf(claim: OpenObject, now: Date): string {
  const isEnding = claim.metadata.deletionTimestamp !== undefined
  const isAllocated = fieldAt(claim, 'status', 'allocation') !== undefined
  return [
    ...(isEnding ? ['deleted'] : []),
    ...(isAllocated ? ['allocated'] : isEnding ? [] : ['pending']),
    ...(isAllocated && reserved(claim, now) !== 0 ? ['reserved'] : []),
  ].join(',')
}
