import { fieldAt, type OpenObject, textAt } from '../../base/object.js'
import { count, elementsAt, text, textOr } from './cell.js'
import type { Cell, CellsByResource } from './column.js'

/** The cells of APIServices, FlowSchemas and priority levels. */
export const controlPlaneCells: CellsByResource = {
  'apiservices.apiregistration.k8s.io': { Service: serviceOf, Available: availabilityOf },
  'flowschemas.flowcontrol.apiserver.k8s.io': {
    PriorityLevel: text('spec', 'priorityLevelConfiguration', 'name'),
    MatchingPrecedence: count('spec', 'matchingPrecedence'),
    DistinguisherMethod: textOr('<none>', 'spec', 'distinguisherMethod', 'type'),
    MissingPL: (schema) => textAt(conditionOf(schema, 'Dangling'), 'status') || '?',
  },
  'prioritylevelconfigurations.flowcontrol.apiserver.k8s.io': {
    Type: text('spec', 'type'),
    NominalConcurrencyShares: (level) =>
      fieldAt(level, 'spec', 'limited', 'nominalConcurrencyShares') ??
      fieldAt(level, 'spec', 'exempt', 'nominalConcurrencyShares') ??
      '<none>',
    Queues: queuing('queues'),
    HandSize: queuing('handSize'),
    QueueLengthLimit: queuing('queueLengthLimit'),
  },
}

function queuing(field: string): Cell {
  return (level) => fieldAt(level, 'spec', 'limited', 'limitResponse', 'queuing', field) ?? '<none>'
}

function serviceOf(object: OpenObject): string {
  const name = textAt(object, 'spec', 'service', 'name')
  return name === '' ? 'Local' : `${textAt(object, 'spec', 'service', 'namespace')}/${name}`
}

function availabilityOf(object: OpenObject): string {
  const { status = 'Unknown', reason } = conditionOf(object, 'Available')
  return status === 'True' || status === 'Unknown' ? String(status) : `${String(status)} (${String(reason)})`
}

function conditionOf(object: OpenObject, type: string): Record<string, unknown> {
  return elementsAt(object, 'status', 'conditions').find((condition) => condition.type === type) ?? {}
}
