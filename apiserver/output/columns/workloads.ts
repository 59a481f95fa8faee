import { fieldAt, type OpenObject, recordOf, textAt } from '../../base/object.js'
import { selectorText } from '../selector-text.js'
import { containers, count, labels, selector } from './cell.js'
import type { Cell, CellsByResource } from './column.js'

const templateColumns = containers('spec', 'template', 'spec')
const replicaColumns = {
  Desired: count('spec', 'replicas'),
  Current: count('status', 'replicas'),
  Ready: count('status', 'readyReplicas'),
}

const readyCell: Cell = (object) =>
  `${fieldAt(object, 'status', 'readyReplicas') ?? 0}/${fieldAt(object, 'spec', 'replicas') ?? 0}`

/** The cells of workloads. */
export const workloadCells: CellsByResource = {
  podtemplates: containers('template', 'spec'),
  replicationcontrollers: { ...replicaColumns, ...templateColumns, Selector: labels('spec', 'selector') },
  'replicasets.apps': { ...replicaColumns, ...templateColumns, Selector: selector('spec', 'selector') },
  'statefulsets.apps': { Ready: readyCell, ...templateColumns },
  'deployments.apps': {
    Ready: readyCell,
    'Up-to-date': count('status', 'updatedReplicas'),
    Available: count('status', 'availableReplicas'),
    ...templateColumns,
    Selector: (object) => selectorText(fieldAt(object, 'spec', 'selector')),
  },
  'daemonsets.apps': {
    Desired: count('status', 'desiredNumberScheduled'),
    Current: count('status', 'currentNumberScheduled'),
    Ready: count('status', 'numberReady'),
    'Up-to-date': count('status', 'updatedNumberScheduled'),
    Available: count('status', 'numberAvailable'),
    'Node Selector': labels('spec', 'template', 'spec', 'nodeSelector'),
    ...templateColumns,
    Selector: selector('spec', 'selector'),
  },
  'controllerrevisions.apps': { Controller: controllerOf, Revision: count('revision') },
  scales: { Desired: count('spec', 'replicas'), Available: count('status', 'replicas') },
}

/** The controller of an object as `kind.group/name`. */
function controllerOf({ metadata }: OpenObject): string {
  const owner = metadata.ownerReferences?.find(({ controller }) => controller === true)
  if (owner === undefined) return '<none>'
  const { apiVersion = '', kind = '', name } = recordOf(owner)
  const [group = '', version] = String(apiVersion).split('/')
  const kindAndGroup = version === undefined ? textAt({ kind }, 'kind') : `${kind}.${group}`
  return `${kindAndGroup.toLowerCase()}/${name}`
}
